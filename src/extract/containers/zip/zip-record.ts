/** What the headers of a zip archive say of one entry. */
export interface ZipEntry {
  readonly name: string;
  readonly compressedSize: number;
  /** As the header says. The truth is the length of what `read` returns. */
  readonly size: number;
  readonly encrypted: boolean;
  readonly directory: boolean;
}

/** The same with what only reading it needs. */
export interface ZipRecord extends ZipEntry {
  readonly method: number;
  readonly flags: number;
  readonly crc: number;
  /** DOS time, low word; its high byte is the password check of entries whose CRC was unknown when they were written. */
  readonly time: number;
  /** Of the local header. */
  readonly offset: number;
  readonly extra: Buffer;
}

export const LOCAL_HEADER = 0x04034b50;
export const LOCAL_HEADER_SIZE = 30;
export const CENTRAL_HEADER = 0x02014b50;

/** Where the entry's data starts, or undefined when there is no local header at its offset. */
export function localDataOffset(bytes: Buffer, record: ZipRecord): number | undefined {
  const { offset } = record;
  if (!isHeader(bytes, offset, LOCAL_HEADER, LOCAL_HEADER_SIZE)) return undefined;
  return offset + LOCAL_HEADER_SIZE + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
}

/** Whether there is a header with this signature, as a whole. */
export function isHeader(bytes: Buffer, at: number, signature: number, size: number): boolean {
  return at >= 0 && at + size <= bytes.length && bytes.readUInt32LE(at) === signature;
}
