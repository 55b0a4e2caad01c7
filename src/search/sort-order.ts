import type { EngineType } from './query/short-names.js';

export const sortOrders = ['relevance', 'newest', 'oldest', 'indexed', 'largest', 'name', 'path'] as const;
export type SortOrder = (typeof sortOrders)[number];

type Key = readonly [field: string, order: 'asc' | 'desc', type: 'date' | 'long' | 'keyword'];

const KEYS: Readonly<Record<Exclude<SortOrder, 'relevance'>, Key>> = {
  newest: ['file.last_modified', 'desc', 'date'],
  oldest: ['file.last_modified', 'asc', 'date'],
  indexed: ['file.indexing_date', 'desc', 'date'],
  largest: ['file.filesize', 'desc', 'long'],
  name: ['file.filename', 'asc', 'keyword'],
  path: ['path.real', 'asc', 'keyword'],
};

/**
 * The `sort` of a request: a total order, so that one page follows the other without a gap. A cluster cannot sort by ids;
 * there two uploads of one name in one millisecond are equal.
 */
export function sortKeys(order: SortOrder, engine: EngineType): readonly object[] {
  const first = order === 'relevance' ? { _score: { order: 'desc' } } : byField(KEYS[order]);
  if (engine === 'embedded') return [first, { _doc: 'asc' }];
  return [first, byField(['path.real', 'asc', 'keyword']), byField(['file.indexing_date', 'asc', 'date'])];
}

function byField([field, order, type]: Key): object {
  return { [field]: { order, missing: '_last', unmapped_type: type } };
}
