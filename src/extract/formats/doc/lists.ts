/**
 * List definitions: each list has up to nine levels with a number format and a text in which the characters U+0000 to
 * U+0008 stand for the number of that level. Paragraphs name an override (LFO), which names the list and may replace
 * levels.
 */
export interface ListLevel {
  readonly start: number;
  /** Windows' number format: 0 decimal, 1 and 2 Roman, 3 and 4 letters, 5 ordinal, 22 with leading zero, 23 bullet, 255 none. */
  readonly format: number;
  readonly text: string;
  /** All numbers in the text are decimal. */
  readonly legal: boolean;
  /** The level whose increase restarts this one is below this number; undefined means any level above. */
  readonly restartBelow: number | undefined;
}

export interface ListOverride {
  readonly listId: number;
  readonly levels: ReadonlyMap<number, ListLevel>;
}

export interface Lists {
  readonly definitions: ReadonlyMap<number, readonly ListLevel[]>;
  /** Paragraphs count overrides from 1. */
  readonly overrides: readonly ListOverride[];
}

const DEFINITION_BYTES = 28;
const LEVEL_BYTES = 28;
const OVERRIDE_BYTES = 16;
const MAX_LISTS = 8192;

/** `table` is the table stream; the levels of the definitions follow behind the structure that the header names. */
export function readLists(table: Uint8Array, definitionsAt: number | undefined, overrides: Uint8Array): Lists {
  return {
    definitions: definitionsAt === undefined ? new Map() : readDefinitions(table, definitionsAt),
    overrides: readOverrides(overrides),
  };
}

function readDefinitions(table: Uint8Array, start: number): Map<number, readonly ListLevel[]> {
  const definitions = new Map<number, readonly ListLevel[]>();
  if (start + 2 > table.length) return definitions;
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const count = Math.min(view.getUint16(start, true), MAX_LISTS);
  let levelAt = start + 2 + count * DEFINITION_BYTES;
  for (let at = start + 2; at + DEFINITION_BYTES <= table.length && definitions.size < count; at += DEFINITION_BYTES) {
    const simple = ((table[at + 26] ?? 0) & 1) !== 0;
    const levels: ListLevel[] = [];
    for (let level = 0; level < (simple ? 1 : 9); level++) {
      const read = readLevel(table, levelAt);
      if (read === undefined) break;
      levels.push(read.level);
      levelAt = read.end;
    }
    definitions.set(view.getInt32(at, true), levels);
  }
  return definitions;
}

function readLevel(bytes: Uint8Array, at: number): { readonly level: ListLevel; readonly end: number } | undefined {
  if (at + LEVEL_BYTES > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(at + 5);
  const textAt = at + LEVEL_BYTES + view.getUint8(at + 24) + view.getUint8(at + 25);
  if (textAt + 2 > bytes.length) return undefined;
  const length = view.getUint16(textAt, true);
  const end = textAt + 2 + length * 2;
  if (end > bytes.length) return undefined;
  const level = {
    start: view.getInt32(at, true),
    format: view.getUint8(at + 4),
    text: Buffer.from(bytes.subarray(textAt + 2, end)).toString('utf16le'),
    legal: (flags & 4) !== 0,
    restartBelow: (flags & 8) === 0 ? undefined : view.getUint8(at + 26),
  };
  return { level, end };
}

/** The overrides one after the other, then for each a number and the levels it replaces. */
function readOverrides(bytes: Uint8Array): ListOverride[] {
  if (bytes.length < 4) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.min(view.getUint32(0, true), MAX_LISTS);
  const overrides: ListOverride[] = [];
  let dataAt = 4 + count * OVERRIDE_BYTES;
  for (let index = 0; index < count && 4 + (index + 1) * OVERRIDE_BYTES <= bytes.length; index++) {
    const at = 4 + index * OVERRIDE_BYTES;
    const { levels, end } = readOverrideLevels(bytes, dataAt + 4, view.getUint8(at + 12));
    overrides.push({ listId: view.getInt32(at, true), levels });
    dataAt = end;
  }
  return overrides;
}

function readOverrideLevels(
  bytes: Uint8Array,
  start: number,
  count: number,
): { readonly levels: Map<number, ListLevel>; readonly end: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const levels = new Map<number, ListLevel>();
  let at = start;
  for (let index = 0; index < count && at + 8 <= bytes.length; index++) {
    const flags = view.getUint32(at + 4, true);
    at += 8;
    if ((flags & 0x20) === 0) continue;
    const read = readLevel(bytes, at);
    if (read === undefined) break;
    levels.set(flags & 0xf, read.level);
    at = read.end;
  }
  return { levels, end: at };
}
