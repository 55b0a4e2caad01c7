import type { Readable } from 'node:stream';

/** Splits the output of a process into lines and keeps the last of them. Overlong lines are cut. */
const LONGEST_LINE = 2_000;
const LINES_KEPT = 20;
const MOST_LINES = 1_000;
const BYTES_BEFORE_PAUSE = 4 * 1024 * 1024;
const PAUSE_MS = 100;

export class OutputLines {
  readonly #onLine: (line: string) => void;
  readonly #last: string[] = [];
  #unfinished = '';
  #count = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** Reading pauses after this much, so that a process that floods its output does not keep this one busy. */
  readFrom(stream: Readable | null): void {
    let bytes = 0;
    stream?.on('data', (chunk: Buffer) => {
      this.add(chunk);
      bytes += chunk.length;
      if (bytes < BYTES_BEFORE_PAUSE) return;
      bytes = 0;
      stream.pause();
      setTimeout(() => stream.resume(), PAUSE_MS);
    });
    stream?.on('error', () => undefined);
  }

  add(chunk: Buffer): void {
    const lines = (this.#unfinished + chunk.toString('utf8')).split('\n');
    this.#unfinished = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines) this.#take(line.slice(0, LONGEST_LINE));
  }

  last(): string {
    return [...this.#last, this.#unfinished].join('\n').trim();
  }

  #take(line: string): void {
    this.#last.push(line);
    if (this.#last.length > LINES_KEPT) this.#last.shift();
    this.#count++;
    if (this.#count <= MOST_LINES && line.trim() !== '') this.#onLine(line);
  }
}
