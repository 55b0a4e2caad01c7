import type { ExtractionOptions } from '../../extraction.js';
import type { DocumentLimits } from '../../limits.js';

/**
 * How much an extraction process may say of one document. The process keeps to these limits; the pool does not take its word
 * for it.
 */
const KIB = 1024;
const MIB = 1024 * KIB;

export const MOST_WARNINGS = 100;
/** Longer documents have their last hits on the last page that is known. */
export const MOST_PAGES = 100_000;
/** Keys of the document found by a format; the few that every document has come on top. */
export const MOST_FORMAT_KEYS = 1_000;
export const MOST_METADATA_KEYS = MOST_FORMAT_KEYS + 100;
export const MOST_METADATA_VALUES = 1_000;
export const LONGEST_METADATA_VALUE = 100_000;
/** JSON that is no body: ids, an error. */
export const MOST_HEAD_BYTES = 64 * KIB;

/** What is kept of a document whose process does not survive it. */
export const MOST_PARTIAL_BYTES = 64 * MIB;

/** Characters of text of a document. */
export function mostCharacters({ maxCharacters }: ExtractionOptions, { outputCharacters }: DocumentLimits): number {
  return maxCharacters < 0 ? outputCharacters : Math.min(maxCharacters, outputCharacters);
}

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
