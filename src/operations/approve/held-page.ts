import { joinPath } from '../../base/path.js';
import { heldDeletions, type HeldDeletions } from '../../crawler/scan/delete-guard.js';
import type { Catalog } from '../../state/catalog.js';
import { readPosition, writePosition } from '../job/list-position.js';

export interface HeldPageRequest {
  readonly size: number;
  /** `next` of the page before. */
  readonly after: string | undefined;
}

/** What an approval would remove, by name. */
export interface HeldPage {
  readonly held: HeldDeletions;
  /** The folders that held most of the files. */
  readonly byFolder: readonly { readonly path: string; readonly documents: number }[];
  readonly paths: readonly string[];
  readonly next: string | undefined;
}

const MOST_FOLDERS = 50;

/** Undefined while nothing is held. Throws `usage` for a position that is none. */
export function heldPage(
  catalog: Pick<Catalog, 'facts' | 'deletions'>,
  { size, after }: HeldPageRequest,
): HeldPage | undefined {
  const position = after === undefined ? undefined : readPosition(after, ['held']);
  const held = heldDeletions(catalog);
  if (held === undefined) return undefined;
  const files = catalog.deletions.goneFiles(position, size + 1);
  const shown = files.slice(0, size);
  const last = shown.at(-1)?.record;
  return {
    held,
    byFolder: catalog.deletions
      .goneByFolder(MOST_FOLDERS)
      .map(({ folderPath, files: documents }) => ({ path: folderPath, documents })),
    paths: shown.map(({ folderPath, record }) => joinPath(folderPath, record.name)),
    next: files.length > size && last !== undefined ? writePosition({ kind: 'held', ...last }) : undefined,
  };
}
