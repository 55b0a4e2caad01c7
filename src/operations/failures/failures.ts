import { baseName, extensionOf, joinPath } from '../../base/path.js';
import { reasons, type Reason } from '../../model/reason.js';
import type { Catalog, FileRecord, FolderRecord } from '../../state/catalog.js';

/** A file that is not in the index, or is there without all of its text; or a folder that cannot be listed. */
export interface Failure {
  readonly path: string;
  readonly what: 'file' | 'folder';
  /** `partial`: its document is in the index, without (all of) its text. `left_out`: a rule decided. */
  readonly standing: 'failed' | 'partial' | 'left_out';
  readonly reason: Reason;
  /** One sentence. */
  readonly message: string;
  /** Epoch milliseconds; 0 where the catalog does not keep it. */
  readonly atMs: number;
  readonly tries: number;
  /** The next attempt; 0 when the next scan makes it, or only a change does (`partial`, `left_out`). */
  readonly retryMs: number;
  readonly place: { readonly folderId: number; readonly name: string };
}

export interface FailureFilter {
  /** Only this reason, whoever decided. */
  readonly reason: Reason | undefined;
  /** Also what a rule left out. */
  readonly all: boolean;
}

/** How many there are of what, before they are listed one by one. */
export interface FailureCounts {
  readonly total: number;
  /** By reason, most first; `types` are extensions (`(folder)`, and empty for none), most first. */
  readonly reasons: readonly {
    readonly reason: Reason;
    readonly count: number;
    readonly types: readonly (readonly [type: string, count: number])[];
  }[];
  /** What a rule leaves out and the filter does not ask for, by reason. */
  readonly leftOut: Readonly<Partial<Record<Reason, number>>>;
}

/** Counts what `failures` would list, and what the filter keeps out of the list. */
export function countFailures(catalog: Pick<Catalog, 'reports'>, filter: FailureFilter): FailureCounts {
  const counts = new Map<Reason, Map<string, number>>();
  const leftOut: Partial<Record<Reason, number>> = {};
  for (const page of failures(catalog, { reason: filter.reason, all: true })) {
    for (const failure of page) {
      const { reason } = failure;
      if (passesFilter(failure, filter)) increment(ensured(counts, reason), typeOf(failure));
      else leftOut[reason] = (leftOut[reason] ?? 0) + 1;
    }
  }
  const reasons = [...counts].map(([reason, types]) => ({ reason, count: sum(types), types: mostFirst(types) }));
  const total = reasons.reduce((all, { count }) => all + count, 0);
  return { total, reasons: reasons.sort((left, right) => right.count - left.count), leftOut };
}

/** Names of files are anybody's: types beyond these are counted together. */
const MOST_TYPES = 500;

function typeOf({ what, path }: Failure): string {
  return what === 'folder' ? '(folder)' : (extensionOf(baseName(path)) ?? '');
}

function ensured(counts: Map<Reason, Map<string, number>>, reason: Reason): Map<string, number> {
  const types = counts.get(reason) ?? new Map<string, number>();
  counts.set(reason, types);
  return types;
}

function increment(counts: Map<string, number>, wanted: string): void {
  const key = counts.has(wanted) || counts.size < MOST_TYPES ? wanted : '…';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function mostFirst(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([, left], [, right]) => right - left);
}

const PAGE = 500;

/**
 * All failures that pass the filter, a page at a time: folders first, then files.
 * @param last begins behind this one
 */
export function* failures(
  catalog: Pick<Catalog, 'reports'>,
  filter: FailureFilter,
  last?: Pick<Failure, 'what' | 'place'>,
): Generator<readonly Failure[]> {
  if (last?.what !== 'file') {
    for (const page of pages(
      (after: number | undefined) => catalog.reports.folders(after ?? 0, PAGE),
      ({ id }) => id,
      last?.place.folderId,
    )) {
      yield page.flatMap((folder) => {
        const failure = failureOfFolder(folder);
        return failure !== undefined && passesFilter(failure, filter) ? [failure] : [];
      });
    }
  }
  for (const page of pages(
    (after: Failure['place'] | undefined) => catalog.reports.problems(after, PAGE),
    ({ record }) => record,
    last?.what === 'file' ? last.place : undefined,
  )) {
    yield page.flatMap(({ folderPath, record }) => {
      const failure = failureOf(folderPath, record);
      return failure !== undefined && passesFilter(failure, filter) ? [failure] : [];
    });
  }
}

function* pages<Row, Key>(
  read: (after: Key | undefined) => readonly Row[],
  keyOf: (row: Row) => Key,
  first: Key | undefined,
): Generator<readonly Row[]> {
  let after = first;
  for (;;) {
    const page = read(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = keyOf(last);
  }
}

/** A folder that is no longer there is none. */
export function failureOfFolder({ id, path, reason }: FolderRecord): Failure | undefined {
  if (reason === undefined || reason === 'vanished') return undefined;
  const standing = reason === 'ignored_folder' ? 'left_out' : 'failed';
  const message = standing === 'failed' ? `${reasons[reason]}: nothing below it is seen` : reasons[reason];
  const place = { folderId: id, name: '' };
  return { path, what: 'folder', standing, reason, message, atMs: 0, tries: 0, retryMs: 0, place };
}

const STANDINGS: Readonly<Partial<Record<FileRecord['state'], Failure['standing']>>> = {
  failed: 'failed',
  indexed: 'partial',
  skipped: 'left_out',
};

export function failureOf(folder: string, record: FileRecord): Failure | undefined {
  const { name, reason, state, message, atMs, tries, retryMs, folderId } = record;
  const standing = STANDINGS[state];
  if (reason === undefined || standing === undefined) return undefined;
  // Of a rule the catalog keeps its text, which is no sentence.
  const sentence = standing === 'left_out' && reason !== 'filtered' ? ruleSentence(reason, message) : message;
  return {
    path: joinPath(folder, name),
    what: 'file',
    standing,
    reason,
    message: sentence ?? reasons[reason],
    atMs,
    tries,
    retryMs,
    place: { folderId, name },
  };
}

function ruleSentence(reason: Reason, rule: string | undefined): string {
  return rule === undefined || rule === '' ? reasons[reason] : `${reasons[reason]} [${rule}]`;
}

function passesFilter({ standing, reason }: Failure, filter: FailureFilter): boolean {
  if (filter.reason !== undefined) return reason === filter.reason;
  return filter.all || standing !== 'left_out';
}
