import type { Job } from '../app/job.js';

/** What the index holds after the last run, by file type: so that a first run shows what it was good for. */
export async function printSummary(job: Job, index: string): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  const aggs = { types: { terms: { field: 'file.extension', size: 12 } } };
  const response = await job.engine
    .search({ index, body: { size: 0, track_total_hits: true, aggs } }, signal)
    .catch(() => undefined);
  if (response === undefined) return;
  const types = response.aggregations?.['types'] as
    { buckets?: readonly { key: string; doc_count: number }[] } | undefined;
  const shown = (types?.buckets ?? []).map(({ key, doc_count: count }) => `${count} ${key}`).join(', ');
  console.log(`The index holds ${response.hits.total.value} documents${shown === '' ? '' : `: ${shown}`}.`);
}
