import { joinPath } from '../../base/path.js';
import type { Reason } from '../../model/reason.js';
import type { Catalog, FileState } from '../../state/catalog.js';

/** Files of the catalog by (a part of) their name, for people who do not know where a file lies. */
export interface NamedFiles {
  readonly files: readonly {
    readonly path: string;
    readonly state: FileState;
    readonly reason: Reason | undefined;
  }[];
  /** There are more than are listed. */
  readonly more: boolean;
}

const MOST = 20;

export function namedFiles(catalog: Pick<Catalog, 'reports'>, name: string): NamedFiles {
  const found = catalog.reports.filesNamed(name, MOST + 1);
  return {
    files: found.slice(0, MOST).map(({ folderPath, record: { name: own, state, reason } }) => {
      return { path: joinPath(folderPath, own), state, reason };
    }),
    more: found.length > MOST,
  };
}
