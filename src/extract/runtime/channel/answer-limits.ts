import { MOST_FORMAT_KEYS, type DocumentLimits } from '../../limits.js';

/** Size limits for what an extraction process sends. The process respects them, and the pool enforces them. */
const KIB = 1024;
const MIB = 1024 * KIB;

/** JSON frames that are not bodies: ids, errors. */
export const MOST_HEAD_BYTES = 64 * KIB;

/** The partial result of a document whose process ended before it was finished. */
export const MOST_PARTIAL_BYTES = 64 * MIB;

/** Everything but text and base64, as JSON. */
export function mostFactsBytes({ parts }: DocumentLimits): number {
  return 16 * MIB + parts * 4 * KIB;
}

/** Arrays and objects in that JSON: at most one array for each key of each member. */
export function mostContainers({ parts }: DocumentLimits): number {
  return MOST_FORMAT_KEYS * (parts + 1);
}

/** A UTF-16 unit takes up to three bytes in UTF-8. */
export function mostTextBytes({ outputCharacters }: DocumentLimits): number {
  return 3 * outputCharacters;
}

export function mostBase64Characters({ sourceBytes }: DocumentLimits): number {
  return 4 * Math.ceil(sourceBytes / 3);
}
