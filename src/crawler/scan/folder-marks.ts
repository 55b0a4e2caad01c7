/** Names of files that say something about the folder they are in. */

/** A folder that holds one of these contributes neither files nor sub-folders. */
export const IGNORE_MARKERS: readonly string[] = ['.crawlerignore', '.fscrawlerignore'];

export function isIgnoreMarker(name: string): boolean {
  return IGNORE_MARKERS.includes(name.toLowerCase());
}

/** @param metaFilename `tags.meta_filename`; empty when the feature is off */
export function isMetadataFile(name: string, metaFilename: string): boolean {
  return metaFilename !== '' && name.toLowerCase() === metaFilename.toLowerCase();
}
