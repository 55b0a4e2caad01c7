import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { PAGE_SIZE } from '../store/schema.js';

/**
 * The pages of a SQLite file, read without SQLite, which refuses a damaged one. Pages of the write-ahead log stand for those of
 * the file, up to the last commit. Nothing here believes what it reads: sizes are checked and chains are bounded.
 */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
const FREE_LIST_AT = 32;

export class PageFile {
  readonly #file: number;
  readonly #log: number | undefined;
  readonly #fromLog: ReadonlyMap<number, number>;
  /** The last page. */
  readonly pages: number;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    const log = `${path}-wal`;
    this.#log = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_HEADER ? openSync(log, 'r') : undefined;
    this.#fromLog = this.#log === undefined ? new Map<number, number>() : committedFrames(this.#log);
    const inFile = Math.ceil(fstatSync(this.#file).size / PAGE_SIZE);
    this.pages = [...this.#fromLog.keys()].reduce((most, page) => Math.max(most, page), inFile);
  }

  /** Pages begin with 1. What lies behind the end is read as zeros. */
  page(number: number): Buffer {
    const page = Buffer.alloc(PAGE_SIZE);
    const inLog = this.#fromLog.get(number);
    if (inLog !== undefined && this.#log !== undefined) readSync(this.#log, page, 0, PAGE_SIZE, inLog);
    else if (number >= 1 && number <= this.pages) readSync(this.#file, page, 0, PAGE_SIZE, (number - 1) * PAGE_SIZE);
    return page;
  }

  /** Pages that hold nothing any more, but may still look as if they did. As many as their list can be followed. */
  freePages(): Set<number> {
    const free = new Set<number>();
    let trunk = this.page(1).readUInt32BE(FREE_LIST_AT);
    while (trunk > 1 && trunk <= this.pages && !free.has(trunk)) {
      free.add(trunk);
      const page = this.page(trunk);
      const leaves = Math.min(page.readUInt32BE(4), PAGE_SIZE / 4 - 2);
      for (let at = 0; at < leaves; at += 1) free.add(page.readUInt32BE(8 + 4 * at));
      trunk = page.readUInt32BE(0);
    }
    return free;
  }

  close(): void {
    closeSync(this.#file);
    if (this.#log !== undefined) closeSync(this.#log);
  }
}

/** Where the latest committed content of each page begins in the log. Frames of an earlier round have other salts. */
function committedFrames(log: number): Map<number, number> {
  const committed = new Map<number, number>();
  const open = new Map<number, number>();
  const header = Buffer.alloc(LOG_HEADER);
  readSync(log, header, 0, LOG_HEADER, 0);
  const frame = Buffer.alloc(FRAME_HEADER);
  const step = FRAME_HEADER + PAGE_SIZE;
  for (let at = LOG_HEADER; readSync(log, frame, 0, FRAME_HEADER, at) === FRAME_HEADER; at += step) {
    if (frame.compare(header, 16, 24, 8, 16) !== 0) break;
    open.set(frame.readUInt32BE(0), at + FRAME_HEADER);
    if (frame.readUInt32BE(4) === 0) continue;
    for (const [page, place] of open) committed.set(page, place);
    open.clear();
  }
  return committed;
}
