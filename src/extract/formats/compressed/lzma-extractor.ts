import type { FormatContext, FormatInput } from '../../format.js';
import { UnpackedBytes, unpackedName } from './unpacked.js';
import { parseProperties } from '../../containers/lzma/lzma-decoder.js';
import { unpackLzma } from '../../containers/lzma/lzma-streams.js';
import { damagedLzma } from '../../containers/lzma/range-decoder.js';

/**
 * Files with nothing but LZMA data, which came before xz: one byte of properties, the size of the dictionary in four bytes,
 * the size of the contents in eight (all ones when it was not known), the data.
 */
const HEADER_BYTES = 13;
const UNKNOWN_SIZE = 0xffffffffffffffffn;

export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const unpacked = new UnpackedBytes(context);
  unpacked.addAll(unpackFile(input.bytes));
  await unpacked.handOn(unpackedName(input.name));
}

function* unpackFile(bytes: Uint8Array): Generator<Uint8Array> {
  if (bytes.length < HEADER_BYTES) throw damagedLzma();
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const size = header.readBigUInt64LE(5);
  yield* unpackLzma(bytes.subarray(HEADER_BYTES), {
    ...parseProperties(header[0] ?? 0),
    dictionaryBytes: header.readUInt32LE(1),
    size: size === UNKNOWN_SIZE ? undefined : Number(size),
  });
}
