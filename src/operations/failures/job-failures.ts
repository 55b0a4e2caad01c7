import type { Catalog } from '../../state/catalog.js';
import { SqliteCatalog } from '../../state/sqlite-catalog.js';
import type { JobContext } from '../job/job-context.js';
import { isLive, requestNextScan } from '../job/next-scan.js';
import { catalogPath, notRunYet, readCatalog } from '../job/read-catalog.js';
import { countFailures, failures, type Failure, type FailureCounts, type FailureFilter } from './failures.js';

export interface FailuresAnswer extends FailureCounts {
  readonly live: boolean;
}

/** `crawler failures`: says how many there are of what, then hands over page by page. */
export async function listFailures(
  place: JobContext,
  filter: FailureFilter,
  take: {
    readonly counts: (answer: FailuresAnswer) => Promise<void>;
    readonly page: (page: readonly Failure[]) => Promise<void>;
  },
): Promise<FailuresAnswer> {
  const catalog = readCatalog(place.jobDirectory);
  if (catalog === undefined) throw notRunYet(place);
  try {
    const answer = { ...countFailures(catalog, filter), live: isLive(place) };
    await take.counts(answer);
    for (const page of failures(catalog, filter)) await take.page(page);
    return answer;
  } finally {
    catalog.close();
  }
}

/** `--retry`: the next scan tries them, whatever it would have waited for. A running crawler begins it at once. */
export async function retryFailures(
  place: JobContext,
  filter: FailureFilter,
): Promise<{ queued: number; live: boolean }> {
  const queued = queueFailures(place, (catalog) => failures(catalog, filter));
  const live = isLive(place);
  if (live && queued > 0) await requestNextScan(place);
  return { queued, live };
}

/** The next scan tries what is selected. Returns how many files and folders that are. */
export function queueFailures(
  place: Pick<JobContext, 'settings' | 'jobDirectory'>,
  select: (catalog: Catalog) => Iterable<readonly Failure[]>,
): number {
  const read = readCatalog(place.jobDirectory);
  if (read === undefined) throw notRunYet(place);
  read.close();
  const catalog = new SqliteCatalog(catalogPath(place.jobDirectory));
  let queued = 0;
  try {
    for (const page of select(catalog)) {
      catalog.batch(() => {
        for (const { what, place: at } of page)
          if (what === 'folder') catalog.records.reconsiderFolder(at.folderId);
          else catalog.records.reconsiderFile(at.folderId, at.name);
      });
      queued += page.length;
    }
  } finally {
    catalog.close();
  }
  return queued;
}
