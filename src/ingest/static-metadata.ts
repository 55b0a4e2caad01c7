import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { CrawlerError, messageOf } from '../base/errors.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { MetadataFile } from './document-rules.js';

/** The file of `tags.static_meta_filename`, read once at start. */
export function readStaticMetadata({ tags }: JobSettings): MetadataFile | undefined {
  const path = tags.staticMetaFilename;
  if (path === undefined) return undefined;
  try {
    return { name: basename(path), text: readFileSync(path, 'utf8') };
  } catch (error) {
    throw new CrawlerError('settings_invalid', `Static meta file [${path}] cannot be read: ${messageOf(error)}`, {
      cause: error,
      subject: path,
    });
  }
}
