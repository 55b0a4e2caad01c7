import { MOST_FORMAT_KEYS, type DocumentLimits } from '../../limits.js';

/** Sizes of what an extraction process may send. The process keeps to them; the pool does not take its word for it. */
const KIB = 1024;
const MIB = 1024 * KIB;

/** JSON that is no body: ids, an error. */
export const MOST_HEAD_BYTES = 64 * KIB;

/** What is kept of a document whose process does not survive it. */
export const MOST_PARTIAL_BYTES = 64 * MIB;

/** Everything but text and base64, as JSON. */
export function mostFactsBytes({ parts }: DocumentLimits): number {
  return 16 * MIB + parts * 4 * KIB;
}

/** Lists and objects in that: one list for each key of each member, at most. */
export function mostContainers({ parts }: DocumentLimits): number {
  return MOST_FORMAT_KEYS * (parts + 1);
}

/** Three bytes of UTF-8 hold what one UTF-16 unit can hold. */
export function mostTextBytes({ outputCharacters }: DocumentLimits): number {
  return 3 * outputCharacters;
}

export function mostBase64Characters({ sourceBytes }: DocumentLimits): number {
  return 4 * Math.ceil(sourceBytes / 3);
}
