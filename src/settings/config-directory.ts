import { makeFolder } from '../base/make-folder.js';
import { requireWritable } from '../base/require-writable.js';

const PURPOSE = 'The config directory';

/**
 * Makes the config directory when it is not there.
 * @throws CrawlerError `denied` when this user cannot keep a job in it
 */
export function makeConfigDirectory(path: string): void {
  makeFolder(path, PURPOSE);
  requireWritable(path, PURPOSE);
}
