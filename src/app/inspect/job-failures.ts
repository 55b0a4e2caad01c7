import { failures, passesFilter, type Failure, type FailureFilter } from '../../crawler/inspect/failures.js';
import { SqliteCatalog } from '../../state/sqlite-catalog.js';
import { catalogPath, notRunYet, readCatalog } from './read-catalog.js';
import type { JobPlace } from './inspected-job.js';
import { isLive, requestNextScan } from './next-scan.js';

export interface FailuresAnswer {
  readonly listed: number;
  /** What a rule leaves out and the filter did not ask for, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  readonly live: boolean;
}

/** `crawler failures`: hands over page by page. */
export async function listFailures(
  place: JobPlace,
  filter: FailureFilter,
  onPage: (page: readonly Failure[]) => Promise<void>,
): Promise<FailuresAnswer> {
  const catalog = readCatalog(place.jobDirectory);
  if (catalog === undefined) throw notRunYet(place.settings.name, place.jobDirectory);
  try {
    let listed = 0;
    const leftOut: Record<string, number> = {};
    for (const page of failures(catalog, { reason: filter.reason, all: true })) {
      const wanted = page.filter((failure) => passesFilter(failure, filter));
      for (const { standing, reason } of page)
        if (standing === 'left_out' && filter.reason === undefined) leftOut[reason] = (leftOut[reason] ?? 0) + 1;
      listed += wanted.length;
      await onPage(wanted);
    }
    return { listed, leftOut: filter.all ? {} : leftOut, live: isLive(place) };
  } finally {
    catalog.close();
  }
}

/** `--retry`: the next scan tries them, whatever it would have waited for. A crawler at work begins it at once. */
export async function retryFailures(
  place: JobPlace,
  filter: FailureFilter,
): Promise<{ queued: number; live: boolean }> {
  const read = readCatalog(place.jobDirectory);
  if (read === undefined) throw notRunYet(place.settings.name, place.jobDirectory);
  read.close();
  const catalog = new SqliteCatalog(catalogPath(place.jobDirectory));
  let queued = 0;
  try {
    for (const page of failures(catalog, filter)) {
      catalog.batch(() => {
        for (const { what, place: at } of page)
          if (what === 'folder') catalog.reconsiderFolder(at.folderId);
          else catalog.reconsiderFile(at.folderId, at.name);
      });
      queued += page.length;
    }
  } finally {
    catalog.close();
  }
  const live = isLive(place);
  if (live && queued > 0) await requestNextScan(place);
  return { queued, live };
}
