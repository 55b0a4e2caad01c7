/** The extra field of zip headers: a list of (tag, length, data). */
const EXTRA_ZIP64 = 0x0001;
const UNKNOWN_32 = 0xffffffff;

export interface EntryNumbers {
  readonly size: number;
  readonly compressedSize: number;
  readonly offset: number;
}

/** The data under a tag. A field that runs over the end is taken as far as it goes. */
export function extraField(extra: Buffer, tag: number): Buffer | undefined {
  let position = 0;
  while (position + 4 <= extra.length) {
    const size = extra.readUInt16LE(position + 2);
    if (extra.readUInt16LE(position) === tag) return extra.subarray(position + 4, position + 4 + size);
    position += 4 + size;
  }
  return undefined;
}

/** The zip64 field holds, in this order, only those numbers that are all ones in the header. */
export function wideNumbers(extra: Buffer, narrow: EntryNumbers): EntryNumbers {
  const field = extraField(extra, EXTRA_ZIP64);
  if (field === undefined) return narrow;
  let position = 0;
  const widen = (value: number): number => {
    if (value !== UNKNOWN_32 || position + 8 > field.length) return value;
    position += 8;
    return Number(field.readBigUInt64LE(position - 8));
  };
  return { size: widen(narrow.size), compressedSize: widen(narrow.compressedSize), offset: widen(narrow.offset) };
}
