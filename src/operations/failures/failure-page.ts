import { baseName, parentPath } from '../../base/path.js';
import type { Reason } from '../../model/reason.js';
import type { Catalog } from '../../state/catalog.js';
import { readPosition, writePosition } from '../job/list-position.js';
import { countFailures, failureOf, failureOfFolder, failures, type Failure, type FailureFilter } from './failures.js';

export interface FailurePageRequest extends FailureFilter {
  readonly size: number;
  /** `next` of the page before. */
  readonly after: string | undefined;
}

export interface FailurePage {
  readonly failures: readonly Failure[];
  /** How many there are of each reason, whichever is listed. */
  readonly counts: Readonly<Partial<Record<Reason, number>>>;
  readonly next: string | undefined;
}

/** Throws `usage` for a position that is none. */
export function failurePage(catalog: Pick<Catalog, 'reports'>, request: FailurePageRequest): FailurePage {
  const { size, after, all, reason } = request;
  const { reasons } = countFailures(catalog, { reason: undefined, all: all || reason !== undefined });
  const found = firstOf(failures(catalog, request, after === undefined ? undefined : positionOf(after)), size + 1);
  const shown = found.slice(0, size);
  const last = shown.at(-1);
  return {
    failures: shown,
    counts: Object.fromEntries(reasons.map((each) => [each.reason, each.count])),
    next: found.length > size && last !== undefined ? nextAfter(last) : undefined,
  };
}

/** What these paths stand for in the list; those that are no failures are passed over. */
export function failuresAt(catalog: Pick<Catalog, 'records'>, paths: readonly string[]): readonly Failure[] {
  return [...new Set(paths)].flatMap((path) => {
    const folder = parentPath(path) ?? '';
    const record = catalog.records.fileByPath(folder, baseName(path));
    if (record !== undefined) return failureOf(folder, record) ?? [];
    const closed = catalog.records.folderByPath(path);
    return (closed === undefined ? undefined : failureOfFolder(closed)) ?? [];
  });
}

function firstOf(pages: Iterable<readonly Failure[]>, count: number): Failure[] {
  const found: Failure[] = [];
  for (const page of pages) {
    found.push(...page);
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

function nextAfter({ what, place: { folderId, name } }: Failure): string {
  return writePosition({ kind: what, folderId, name });
}

function positionOf(text: string): Pick<Failure, 'what' | 'place'> {
  const { kind, folderId, name } = readPosition(text, ['file', 'folder']);
  return { what: kind, place: { folderId, name } };
}
