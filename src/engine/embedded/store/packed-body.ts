import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { CorruptContent } from './corrupt-content.js';

/**
 * The JSON of a document as body_N keeps it. Level 1 of deflate costs a third of level 6 and is 2 % larger; a short text is
 * kept as it is, since the bookkeeping would eat the gain.
 */
export interface PackedBody {
  /** Bytes of the JSON. */
  readonly size: number;
  readonly encoding: number;
  readonly bytes: Uint8Array;
}

const PLAIN = 0;
const DEFLATED = 1;
const WORTH_DEFLATING = 256;

export function packBody(json: string): PackedBody {
  const bytes = Buffer.from(json, 'utf8');
  if (bytes.length < WORTH_DEFLATING) return { size: bytes.length, encoding: PLAIN, bytes };
  return { size: bytes.length, encoding: DEFLATED, bytes: deflateRawSync(bytes, { level: 1 }) };
}

export function unpackBody(encoding: number, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const plain =
      encoding === PLAIN ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : inflateRawSync(bytes);
    return JSON.parse(plain.toString('utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new CorruptContent('a document cannot be unpacked', { cause: error });
  }
}
