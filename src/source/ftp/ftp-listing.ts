import { CrawlerError } from '../../base/errors.js';
import type { FtpEntry, ParsedLine } from './ftp-entry.js';
import { parseListLine } from './parse-list.js';
import { parseMlsdLine } from './parse-mlsd.js';

/** Characters. A name has at most a few hundred, and a line little more. */
const MAX_LINE = 64 * 1024;

/**
 * Gathers a listing from its bytes. A line that is not understood may be a file: the listing is then refused as a whole,
 * since what is missing from a listing counts as deleted. After MLSD, whose lines are strict, such a line can only be the
 * rest of a name that holds a line break.
 */
export class FtpListing {
  readonly #machineReadable: boolean;
  readonly #nowMs: number;
  readonly #refuse: (why: string) => CrawlerError;
  readonly #entries: FtpEntry[] = [];
  #rest = '';
  #lines = 0;
  #showsSelf = false;

  constructor(machineReadable: boolean, nowMs: number, refuse: (why: string) => CrawlerError) {
    this.#machineReadable = machineReadable;
    this.#nowMs = nowMs;
    this.#refuse = refuse;
  }

  add(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('latin1')).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MAX_LINE) throw this.#refuse('its listing holds a line without end');
    for (const line of lines) this.#take(line);
  }

  /** Every line ends with a line break: a rest without one is half a line. Throws `unavailable`. */
  finish(): readonly FtpEntry[] {
    if (this.#rest !== '') throw new CrawlerError('unavailable', 'A listing broke off in the middle of a line.');
    return this.#entries;
  }

  /** Not even the folder itself was listed. */
  get isBlank(): boolean {
    return this.#lines === 0;
  }

  /** The folder itself was listed, as `.`. */
  get showsSelf(): boolean {
    return this.#showsSelf;
  }

  #take(raw: string): void {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line === '') return;
    this.#lines += 1;
    const parsed = this.#parse(line);
    if (parsed.kind === 'entry') this.#entries.push(parsed.entry);
    else if (parsed.kind === 'self') this.#showsSelf = true;
    else if (parsed.kind === 'unknown') this.#continueName(line);
  }

  #parse(line: string): ParsedLine {
    return this.#machineReadable ? parseMlsdLine(line) : parseListLine(line, this.#nowMs);
  }

  #continueName(line: string): void {
    const last = this.#entries.pop();
    if (last === undefined || !this.#machineReadable) {
      const shown = Buffer.from(line.slice(0, 200), 'latin1').toString('utf8');
      throw this.#refuse(`its listing holds a line that cannot be understood: [${shown}]`);
    }
    this.#entries.push({ ...last, name: `${last.name}\n${line}` });
  }
}
