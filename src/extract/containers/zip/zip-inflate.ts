import { inflateRawSync } from 'node:zlib';
import { Inflate } from 'fflate';

/** Deflate cannot do better than this, so a header that claims more lies. */
const MAX_RATIO = 1032;
const SLACK = 1024;
const MAX_CHUNK = 1024 * 1024;
const PARTIAL_STEP = 4096;

/**
 * Inflates a whole entry. `stated` is the size in the header: when it is plausible it is counted before anything is
 * inflated and the output is one buffer of that size. When more comes out, the limit is doubled step by step and every step is
 * counted, so that a bomb with a modest header stops after at most twice what was allowed. Throws zlib's `Z_…` errors.
 */
export function inflateEntry(raw: Buffer, stated: number, countBytes: (bytes: number) => void): Uint8Array {
  const most = raw.length * MAX_RATIO + SLACK;
  const plausible = stated > 0 && stated <= most;
  let limit = plausible ? stated : Math.min(most, raw.length * 4 + SLACK);
  let counted = plausible ? stated : 0;
  if (plausible) countBytes(stated);
  for (;;) {
    try {
      const content = inflateRawSync(raw, { maxOutputLength: limit, chunkSize: chunkFor(limit) });
      if (content.length > counted) countBytes(content.length - counted);
      return content;
    } catch (error) {
      if (codeOf(error) !== 'ERR_BUFFER_TOO_LARGE' || limit >= most) throw error;
    }
    countBytes(limit - counted);
    counted = limit;
    limit = Math.min(most, limit * 2);
  }
}

/** What comes out before the first fault in the data; the native inflater would throw that away with its error. */
export function inflatePrefix(raw: Buffer, countBytes: (bytes: number) => void): Uint8Array {
  const pieces: Uint8Array[] = [];
  const inflater = new Inflate((piece) => {
    if (piece.length === 0) return;
    countBytes(piece.length);
    pieces.push(piece);
  });
  for (let position = 0; position < raw.length; position += PARTIAL_STEP) {
    try {
      inflater.push(raw.subarray(position, position + PARTIAL_STEP), false);
    } catch (error) {
      if (typeof codeOf(error) === 'number') break;
      throw error;
    }
  }
  return Buffer.concat(pieces);
}

/** One byte more than expected, so that zlib sees the end without asking for a second buffer. */
function chunkFor(limit: number): number {
  return Math.max(64, Math.min(MAX_CHUNK, limit + 1));
}

/** What zlib (a string) and fflate (a number) say is wrong; undefined for errors that are not theirs. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
