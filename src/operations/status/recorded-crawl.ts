import { CheckpointFile } from '../../state/checkpoint-file.js';
import type { JobContext } from '../job/job-context.js';
import { isLive } from '../job/next-scan.js';
import { readCatalog } from '../job/read-catalog.js';
import type { CrawlFacts } from './job-status.js';

/** What catalog and checkpoint say of the crawl, for a program beside it. Nothing is locked. */
export async function recordedCrawl(place: Pick<JobContext, 'jobDirectory'>): Promise<CrawlFacts> {
  const checkpoint = await new CheckpointFile(place.jobDirectory).load().catch(() => undefined);
  const catalog = readCatalog(place.jobDirectory);
  try {
    const state = checkpoint?.state ?? 'NEVER_RAN';
    const end = Date.parse(checkpoint?.scan_end_time ?? '');
    return {
      // What a crawler has written that was killed since.
      state: state === 'RUNNING' && !isLive(place) ? 'STOPPED' : state,
      lastScanMs: Number.isNaN(end) ? undefined : end,
      remainingMs: undefined,
      totals: catalog?.reports.totals(),
    };
  } finally {
    catalog?.close();
  }
}
