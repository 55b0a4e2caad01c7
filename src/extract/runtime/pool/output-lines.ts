import type { Readable } from 'node:stream';

/** Cuts the output of a process into lines and remembers the last of them. A line without end is cut as well. */
const LONGEST_LINE = 2_000;
const LINES_KEPT = 20;
const MOST_LINES = 1_000;
const BYTES_BEFORE_REST = 4 * 1024 * 1024;
const REST_MS = 100;

export class OutputLines {
  readonly #onLine: (line: string) => void;
  readonly #last: string[] = [];
  #unfinished = '';
  #count = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** A stream that brings more than this rests for a while: who floods it must not keep this process busy. */
  readFrom(stream: Readable | null): void {
    let bytes = 0;
    stream?.on('data', (piece: Buffer) => {
      this.add(piece);
      bytes += piece.length;
      if (bytes < BYTES_BEFORE_REST) return;
      bytes = 0;
      stream.pause();
      setTimeout(() => stream.resume(), REST_MS);
    });
    stream?.on('error', () => undefined);
  }

  add(piece: Buffer): void {
    const lines = (this.#unfinished + piece.toString('utf8')).split('\n');
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
