/**
 * Raised whenever the same bytes may give another text or other metadata than before: known documents are then extracted
 * again.
 */
const extractionVersion = 1;

/** `ExtractorService.version` of the extractors of this program. */
export const embeddedVersion = `embedded-${extractionVersion}`;
