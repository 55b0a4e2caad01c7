import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders with documents: those of the project, and some that may lie beside it. */
const FOLDERS = [
  join('examples', 'documents'),
  join('test', 'corpus', 'archives'),
  join('test', 'corpus', 'office-passwords'),
  join('..', 'shared', 'documents'),
];

/** Paths of documents of all formats, in order. */
export function sampleDocuments(): readonly string[] {
  return FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(?:jsonl)$|^README\.md$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
  );
}
