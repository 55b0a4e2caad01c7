import type { Piece } from './piece-table.js';

/**
 * Formatting of paragraphs and characters lies in pages of 512 bytes in the `WordDocument` stream: byte offsets of the
 * text, then for each run where in the page its properties lie, the number of runs in the last byte. A table (PLC) lists
 * the pages by the text they cover.
 */
export interface FormattedRun {
  /** Character positions: first, and behind the last. */
  readonly start: number;
  readonly end: number;
  /** Paragraphs: style index and sprms. Characters: sprms. */
  readonly properties: Uint8Array;
}

interface ByteRun {
  readonly start: number;
  readonly end: number;
  readonly properties: Uint8Array;
}

const PAGE_BYTES = 512;
const NO_PROPERTIES = new Uint8Array(0);

export type PageKind = 'paragraphs' | 'characters';

/** Runs in the order of the text. Pieces of the text without formatting are in no run. */
export function readRuns(
  word: Uint8Array,
  pageTable: Uint8Array,
  pieces: readonly Piece[],
  kind: PageKind,
): FormattedRun[] {
  const byteRuns = [...new Set(pageNumbers(pageTable))].flatMap((page) => readPage(word, page, kind));
  byteRuns.sort((left, right) => left.start - right.start);
  return pieces.flatMap((piece) => runsOfPiece(piece, byteRuns));
}

function* pageNumbers(table: Uint8Array): Generator<number> {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const count = Math.floor((table.length - 4) / 8);
  for (let index = 0; index < count; index++) yield view.getUint32((count + 1 + index) * 4, true) & 0x3fffff;
}

function readPage(word: Uint8Array, number: number, kind: PageKind): ByteRun[] {
  const page = word.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES);
  if (page.length < PAGE_BYTES) return [];
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const entryBytes = kind === 'paragraphs' ? 13 : 1;
  const count = Math.min(view.getUint8(PAGE_BYTES - 1), Math.floor((PAGE_BYTES - 5) / (4 + entryBytes)));
  const runs: ByteRun[] = [];
  for (let index = 0; index < count; index++) {
    const word2 = view.getUint8((count + 1) * 4 + index * entryBytes) * 2;
    const properties = word2 === 0 ? NO_PROPERTIES : propertiesAt(page, word2, kind);
    runs.push({ start: view.getUint32(index * 4, true), end: view.getUint32(index * 4 + 4, true), properties });
  }
  return runs;
}

/** Length in a byte; for paragraphs in words, and when it is zero the next byte tells it. */
function propertiesAt(page: Uint8Array, at: number, kind: PageKind): Uint8Array {
  const first = page[at] ?? 0;
  if (kind === 'characters') return page.subarray(at + 1, at + 1 + first);
  if (first > 0) return page.subarray(at + 1, at + first * 2);
  return page.subarray(at + 2, at + 2 + (page[at + 1] ?? 0) * 2);
}

function runsOfPiece(piece: Piece, byteRuns: readonly ByteRun[]): FormattedRun[] {
  const byteEnd = piece.offset + (piece.end - piece.start) * piece.unitBytes;
  const runs: FormattedRun[] = [];
  for (let index = firstEndingAfter(byteRuns, piece.offset); index < byteRuns.length; index++) {
    const run = byteRuns[index];
    if (run === undefined || run.start >= byteEnd) break;
    const start = piece.start + Math.floor((Math.max(run.start, piece.offset) - piece.offset) / piece.unitBytes);
    const end = piece.start + Math.ceil((Math.min(run.end, byteEnd) - piece.offset) / piece.unitBytes);
    if (end > start) runs.push({ start, end, properties: run.properties });
  }
  return runs;
}

/** Runs do not overlap, so their ends are in order as well. */
function firstEndingAfter(runs: readonly ByteRun[], offset: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.end ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Finds runs by position. Questions come mostly in rising order, so the search starts where the last one ended. */
export class RunLookup {
  readonly #runs: readonly FormattedRun[];
  #index = 0;

  constructor(runs: readonly FormattedRun[]) {
    this.#runs = runs;
  }

  /** Index of the first run that ends behind `position`. */
  indexAt(position: number): number {
    if ((this.#runs[this.#index - 1]?.end ?? -1) > position) this.#index = 0;
    while (this.#index < this.#runs.length && (this.#runs[this.#index]?.end ?? 0) <= position) this.#index++;
    return this.#index;
  }

  /** The run that holds `position`. */
  at(position: number): FormattedRun | undefined {
    const run = this.#runs[this.indexAt(position)];
    return run !== undefined && run.start <= position ? run : undefined;
  }

  /** The runs that overlap a range. */
  *within(start: number, end: number): Generator<FormattedRun> {
    for (let index = this.indexAt(start); index < this.#runs.length; index++) {
      const run = this.#runs[index];
      if (run === undefined || run.start >= end) return;
      yield run;
    }
  }
}
