import { CrawlerError } from '../../base/errors.js';
import type { BodyReader } from './body-reader.js';

/** How far a word of a document may be from one of the query. */
export interface Fuzziness {
  /** A number of edits, or the lengths from which a word may have one edit and two. */
  readonly edits: number | { readonly one: number; readonly two: number };
  /** So many letters at the beginning must be the same. */
  readonly prefixLength: number;
  /** How many words of the index one word of the query stands for at most, the nearest first. */
  readonly maxExpansions: number;
  /** Two neighbours that are exchanged are one edit. */
  readonly transpositions: boolean;
}

/** Lucene can go no further either. */
export const MOST_EDITS = 2;
const MAX_EXPANSIONS = 50;

const AUTO = { one: 3, two: 6 };
const AUTO_LENGTHS = /^auto(?::(\d+),(\d+))?$/i;

/** `AUTO`, `AUTO:3,6`, `1`, `"2"`; more than two edits are two. */
export function editsOf(text: string): Fuzziness['edits'] {
  const auto = AUTO_LENGTHS.exec(text);
  if (auto !== null) {
    const [one, two] = [Number(auto[1] ?? AUTO.one), Number(auto[2] ?? AUTO.two)];
    if (one <= two) return { one, two };
  }
  const edits = text.trim() === '' ? Number.NaN : Number(text);
  if (edits >= 0) return Math.min(MOST_EDITS, Math.floor(edits));
  const expected = 'Use AUTO, AUTO:3,6, 0, 1 or 2.';
  throw new CrawlerError('corrupt', `[fuzziness: ${text.slice(0, 80)}] cannot be read. ${expected}`);
}

/** The options beside `fuzziness`, whose names may begin with `fuzzy_` (query strings). */
export function fuzzyOptions(body: BodyReader, names: FuzzyNames): Omit<Fuzziness, 'edits'> {
  return {
    prefixLength: body.count(names.prefixLength) ?? 0,
    maxExpansions: body.count(names.maxExpansions, 1) ?? MAX_EXPANSIONS,
    transpositions: body.boolean(names.transpositions) ?? true,
  };
}

interface FuzzyNames {
  readonly prefixLength: string;
  readonly maxExpansions: string;
  readonly transpositions: string;
}

export const MATCH_NAMES: FuzzyNames = {
  prefixLength: 'prefix_length',
  maxExpansions: 'max_expansions',
  transpositions: 'fuzzy_transpositions',
};

export const QUERY_STRING_NAMES: FuzzyNames = {
  prefixLength: 'fuzzy_prefix_length',
  maxExpansions: 'fuzzy_max_expansions',
  transpositions: 'fuzzy_transpositions',
};

export const FUZZY_QUERY_NAMES: FuzzyNames = {
  prefixLength: 'prefix_length',
  maxExpansions: 'max_expansions',
  transpositions: 'transpositions',
};

/** The edits that a word of this many characters may have. */
export function editsFor({ edits }: Fuzziness, length: number): number {
  if (typeof edits === 'number') return edits;
  return length < edits.one ? 0 : length < edits.two ? 1 : MOST_EDITS;
}
