import { CrawlerError } from '../../../base/errors.js';
import { TIME_UNITS } from '../../../base/units.js';
import { parseAggregations, type Aggregation } from '../aggregations/parse-aggregations.js';
import { BodyReader, malformed, unsupported } from '../../query/body-reader.js';
import { parseLimitedQuery } from '../query/clause-limit.js';
import { MATCH_ALL, type QueryNode } from '../../query/query-tree.js';
import { parseSuggest, type Suggestion } from '../suggest/parse-suggest.js';
import { parseCollapse } from './collapse.js';
import { parseHighlight, type HighlightRequest } from './parse-highlight.js';
import { parseSort, type SortKey } from './sort.js';
import { parseSourceFilter, type SourceFilter } from '../../source-filter.js';

/** The body of a `_search` request, read and checked. */
export interface ParsedSearch {
  readonly query: QueryNode;
  readonly from: number;
  readonly size: number;
  /** Undefined: by score. */
  readonly sort: readonly SortKey[] | undefined;
  readonly after: readonly unknown[] | undefined;
  readonly source: SourceFilter;
  readonly highlight: HighlightRequest | undefined;
  /** Count the hits up to here; undefined: all of them; 0: do not count. */
  readonly countUpTo: number | undefined;
  readonly trackScores: boolean;
  /** How long the search may take; undefined: as long as the engine lets it. */
  readonly timeoutMs: number | undefined;
  readonly aggregations: readonly Aggregation[];
  /** Hits that pass it are shown and counted; aggregations do not know of it. */
  readonly postFilter: QueryNode | undefined;
  /** What has a lower score is no hit. */
  readonly minScore: number | undefined;
  /** Of the hits with the same value of this field only the first one is shown. */
  readonly collapse: string | undefined;
  readonly suggest: readonly Suggestion[];
  /** A request that asks for nothing but suggestions has no hits. */
  readonly suggestsOnly: boolean;
}

/** Elasticsearch's default `index.max_result_window`. */
const MAX_WINDOW = 10_000;
const DEFAULT_SIZE = 10;

export function parseSearch(value: unknown): ParsedSearch {
  const body = new BodyReader(value, 'a search');
  const sort = parseSort(body);
  const suggest = parseSuggest(body);
  const aggregations = parseAggregations(body.object('aggs') ?? body.object('aggregations'));
  const parsed: ParsedSearch = {
    query: body.has('query') ? parseLimitedQuery(body.value('query')) : MATCH_ALL,
    from: body.count('from') ?? 0,
    size: body.count('size') ?? DEFAULT_SIZE,
    sort,
    after: parseAfter(body, sort),
    source: parseSourceFilter(body.value('_source')),
    highlight: parseHighlight(body.value('highlight')),
    countUpTo: parseTrackTotal(body),
    trackScores: body.boolean('track_scores') ?? false,
    timeoutMs: parseTimeout(body),
    aggregations,
    postFilter: body.has('post_filter') ? parseLimitedQuery(body.value('post_filter')) : undefined,
    minScore: body.number('min_score'),
    collapse: parseCollapse(body),
    suggest,
    suggestsOnly: suggest.length > 0 && !body.has('query') && aggregations.length === 0,
  };
  body.done();
  checkWindow(parsed);
  return parsed;
}

/** The query of a `_count`, which is all that its body may hold. */
export function parseCountQuery(query: unknown): QueryNode {
  return query === undefined ? MATCH_ALL : parseLimitedQuery(query);
}

function parseTrackTotal(body: BodyReader): number | undefined {
  const value = body.value('track_total_hits');
  if (value === undefined || value === true || value === 'true') return undefined;
  if (value === false || value === 'false') return 0;
  return new BodyReader({ track_total_hits: value }, body.where).count('track_total_hits');
}

/** `500ms`, `10s`; `-1` is no limit of its own. */
function parseTimeout(body: BodyReader): number | undefined {
  const text = body.text('timeout')?.trim();
  if (text === undefined || text === '-1') return undefined;
  const [, count, unit = ''] = /^(\d+)([a-z]+)$/.exec(text) ?? [];
  const unitMs = TIME_UNITS.get(unit);
  if (unitMs === undefined) throw malformed(`[timeout] in ${body.where}`, 'a time such as 500ms or 10s', text);
  return Number(count) * unitMs;
}

function parseAfter(body: BodyReader, sort: readonly SortKey[] | undefined): readonly unknown[] | undefined {
  if (!body.has('search_after')) return undefined;
  const after = body.list('search_after');
  if (sort === undefined) {
    throw new CrawlerError('corrupt', '[search_after] needs a [sort] whose values it names.');
  }
  if (after.length === sort.length) return after;
  const counts = `${after.length} for ${sort.length}`;
  throw new CrawlerError('corrupt', `[search_after] must have one value for each key of [sort], not ${counts}.`);
}

function checkWindow({ from, size, after }: ParsedSearch): void {
  if (from + size > MAX_WINDOW) {
    throw unsupported(
      `more than ${MAX_WINDOW} hits a search ([from] + [size] is ${from + size})`,
      'Go through many hits with [sort] and [search_after].',
    );
  }
  if (after !== undefined && from > 0) {
    throw new CrawlerError('corrupt', '[from] must be 0 or left out beside [search_after].');
  }
}
