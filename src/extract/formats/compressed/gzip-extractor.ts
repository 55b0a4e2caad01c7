import { createGunzip } from 'node:zlib';
import { CrawlerError } from '../../../base/errors.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { UnpackedBytes, unpackedName } from './unpacked.js';

/** Gzip: one member, named as the header says or as the file without its suffix. Streams that follow each other are one. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const unpacked = new UnpackedBytes(context);
  await gunzip(input.bytes, unpacked);
  await unpacked.handOn(nameInHeader(input.bytes) ?? unpackedName(input.name));
}

function gunzip(bytes: Uint8Array, unpacked: UnpackedBytes): Promise<void> {
  return new Promise((resolve) => {
    const stream = createGunzip({ chunkSize: 64 * 1024 });
    stream.on('data', (piece: Buffer) => {
      if (!unpacked.add(piece)) stream.destroy();
    });
    stream.on('error', (cause) =>
      unpacked.fail(new CrawlerError('corrupt', 'The gzip data is damaged or cut off.', { cause })),
    );
    stream.on('close', resolve);
    stream.end(bytes);
  });
}

const FLAGS_AT = 3;
const HEADER_BYTES = 10;
const HAS_EXTRA = 0x04;
const HAS_NAME = 0x08;

/** The original name, which follows the fixed header (and the extra field) and ends with a zero. */
function nameInHeader(bytes: Uint8Array): string | undefined {
  const flags = bytes[FLAGS_AT] ?? 0;
  if ((flags & HAS_NAME) === 0) return undefined;
  let start = HEADER_BYTES;
  if ((flags & HAS_EXTRA) !== 0) start += 2 + (bytes[start] ?? 0) + (bytes[start + 1] ?? 0) * 256;
  const end = bytes.indexOf(0, start);
  const name = end === -1 ? '' : Buffer.from(bytes.subarray(start, end)).toString('latin1').trim();
  return name === '' ? undefined : name;
}
