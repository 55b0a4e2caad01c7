import type { IndexOverview, SearchEngine } from './engine.js';

export const MOST_EXTENSIONS = 12;

/** For engines that have no quicker way than a search. Throws as `search` does. */
export async function searchOverview(engine: SearchEngine, index: string, signal: AbortSignal): Promise<IndexOverview> {
  const aggs = { types: { terms: { field: 'file.extension', size: MOST_EXTENSIONS } } };
  const { hits, aggregations } = await engine.search(
    { index, body: { size: 0, track_total_hits: true, aggs } },
    signal,
  );
  const types = aggregations?.['types'] as { buckets?: readonly { key: string; doc_count: number }[] } | undefined;
  const extensions = (types?.buckets ?? []).map(({ key, doc_count: documents }) => ({ extension: key, documents }));
  return { documents: hits.total.value, extensions };
}
