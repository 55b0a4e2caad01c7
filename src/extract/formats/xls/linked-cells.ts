import { biffRecords, RECORD } from './biff-records.js';

/**
 * Cells with hyperlinks. Tika gives the text of such a cell once more behind the sheet; links come behind the cells, so
 * the stream is looked through for them beforehand rather than keeping the text of all cells.
 */
export class LinkedCells {
  /** One set for each substream that is not inside another. */
  readonly #sheets: readonly ReadonlySet<number>[];

  constructor(stream: Uint8Array) {
    this.#sheets = readLinks(stream);
  }

  has(substream: number, row: number, column: number): boolean {
    return this.#sheets[substream]?.has(cellKey(row, column)) === true;
  }
}

/** One number for a cell's place; rows and columns have 16 bits. */
export function cellKey(row: number, column: number): number {
  return row * 0x10000 + column;
}

function readLinks(stream: Uint8Array): Set<number>[] {
  const sheets: Set<number>[] = [];
  let depth = 0;
  for (const { type, segments } of biffRecords(stream)) {
    if (type === RECORD.beginning && depth++ === 0) sheets.push(new Set());
    else if (type === RECORD.endOfSubstream) depth = Math.max(0, depth - 1);
    else if (type === RECORD.hyperlink) {
      const [data] = segments;
      const row = (data[0] ?? 0) + (data[1] ?? 0) * 256;
      sheets.at(-1)?.add(cellKey(row, (data[4] ?? 0) + (data[5] ?? 0) * 256));
    }
  }
  return sheets;
}
