import { parse as parseYaml } from 'yaml';
import { CrawlerError, messageOf } from '../base/errors.js';
import type { MetadataFile } from './document-rules.js';

/** Tags of a metadata file: JSON by its name, YAML otherwise. Throws `invalid_metadata`. */
export function parseMetadataFile(file: MetadataFile): unknown {
  try {
    return file.name.toLowerCase().endsWith('.json') ? JSON.parse(file.text) : parseYaml(file.text);
  } catch (error) {
    throw new CrawlerError('invalid_metadata', `Error parsing tags: [${file.name}] ${messageOf(error)}`, {
      cause: error,
    });
  }
}
