import { baseName } from '../base/path.js';
import { toUtcInstant } from '../model/dates.js';
import type { DocumentSource } from '../model/document.js';
import type { Attributes, Entry } from '../model/entry.js';

export interface FolderLocation {
  readonly real: string;
  readonly virtual: string;
  /** Hash of the folder above. */
  readonly root: string;
}

/** The document of a folder in the folder index. */
export function buildFolderDocument(
  entry: Entry,
  place: FolderLocation,
  attributes: Attributes | undefined,
): DocumentSource {
  const times = { created: entry.createdMs, last_modified: entry.modifiedMs, last_accessed: entry.accessedMs };
  const known = Object.entries(times).filter(([, ms]) => ms !== undefined && ms > 0);
  return {
    file: {
      content_type: 'text/directory',
      filename: baseName(entry.path) || entry.path,
      ...Object.fromEntries(known.map(([name, ms]) => [name, toUtcInstant(ms ?? 0)])),
    },
    path: { ...place },
    ...(attributes === undefined ? {} : { attributes }),
  };
}
