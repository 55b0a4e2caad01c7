import { addressOf, filterNames, type FindRequest } from './find-request.js';
import type { IndexSearch } from './index-search.js';
import { parseQuery } from './query/parse-query.js';
import { wordsOf } from './query/query-node.js';
import { respelled } from './spelling.js';

/** What to try where a search has found nothing. */
export interface Suggestions {
  /** How many documents have each of the words. */
  readonly words: readonly { readonly word: string; readonly total: number }[];
  /** Searches that ask for less and find something. */
  readonly relaxed: readonly RelaxedSearch[];
}

export interface RelaxedSearch {
  /**
   * `spelling` (words as documents spell them), `without:type` (a filter left out), `any` (one of the words is enough), `prefix`
   * (words that begin so).
   */
  readonly change: string;
  /** The request as parameters of an address. */
  readonly query: string;
  readonly total: number;
}

const COUNTED = 1000;
const MOST_WORDS = 3;
const MOST_SEARCHES = 8;
const TIME_MS = 2000;

/** One search after the other; what does not fit into two seconds is left out. Throws `corrupt` for a request that is wrong. */
export async function suggest(search: IndexSearch, request: FindRequest, signal: AbortSignal): Promise<Suggestions> {
  const end = Date.now() + TIME_MS;
  // A query that cannot be asked is refused here as it is there.
  await search.query(request, signal);
  const words = [...new Set(wordsOf(parseQuery(request.q)))];
  let searches = 0;
  const count = async (asked: FindRequest): Promise<number | undefined> => {
    if (searches >= MOST_SEARCHES || Date.now() > end) return undefined;
    searches += 1;
    return await search.count(asked, COUNTED, signal);
  };
  const counted: { word: string; total: number }[] = [];
  for (const word of words.length > 1 ? words.slice(0, MOST_WORDS) : []) {
    const total = await count({ ...request, q: word, filters: {} });
    if (total !== undefined) counted.push({ word, total });
  }
  const relaxed: RelaxedSearch[] = [];
  const missing = words.length > 1 ? counted.filter(({ total }) => total === 0).map(({ word }) => word) : words;
  const meant = Date.now() > end ? undefined : await respelled(search, request.q, missing, signal);
  const spelling: readonly Change[] = meant === undefined ? [] : [['spelling', { ...request, q: meant }]];
  for (const [change, asked] of [...spelling, ...lessStrict(request, words)]) {
    const total = await count(asked);
    if (total !== undefined && total > 0) relaxed.push({ change, query: addressOf(asked), total });
  }
  return { words: counted, relaxed };
}

type Change = readonly [change: string, asked: FindRequest];

function* lessStrict(request: FindRequest, words: readonly string[]): Generator<Change> {
  for (const name of filterNames) {
    if (request.filters[name] === undefined) continue;
    const others = Object.entries(request.filters).filter(([other]) => other !== name);
    yield [`without:${name}`, { ...request, filters: Object.fromEntries(others) }];
  }
  if (!request.any && words.length > 1) yield ['any', { ...request, any: true }];
  const [word = ''] = words;
  if (words.length === 1 && request.q === word && /^[\p{L}\p{N}.]{3,}$/u.test(word)) {
    yield ['prefix', { ...request, q: `${word}*` }];
  }
}
