import { crc32 } from 'node:zlib';

/**
 * Checksum of a document as body_N keeps it. It covers the index, the id and the version as well, so that a body and the row
 * of doc_N that belong together can be told from others, also where the pages between them are lost.
 */
export interface DocumentKey {
  /** Number of the index. */
  readonly index: number;
  readonly uid: string;
  readonly version: number;
}

export function documentChecksum({ index, uid, version }: DocumentKey, bytes: Uint8Array): number {
  return crc32(bytes, crc32(`${index}\0${version}\0${uid}`));
}
