import type { SearchResponse, SuggestedWord } from '../../engine/engine.js';
import { isObject } from '../json-text.js';
import type { Body } from './json-body.js';

type Suggest = NonNullable<SearchResponse['suggest']>;
type Option = SuggestedWord['options'][number];

const DEFAULT_SIZE = 5;
/** What each index is asked for: an option may be among the first only with its frequency in all of them. */
const SIZE_OF_EACH = 100;

/** The suggestions of a request, as each of several indices is asked for them. */
export function suggestionsOfEach(suggest: unknown): unknown {
  if (!isObject(suggest)) return suggest;
  return Object.fromEntries(
    Object.entries(suggest).map(([name, suggestion]) => {
      if (!isObject(suggestion) || !isObject(suggestion['term'])) return [name, suggestion];
      const { size } = suggestion['term'];
      const wider = typeof size === 'number' || size === undefined ? Math.max(size ?? 0, SIZE_OF_EACH) : size;
      return [name, { ...suggestion, term: { ...suggestion['term'], size: wider } }];
    }),
  );
}

/** The suggestions of several indices as one: an option is in all of them together as frequent as in each. */
export function mergedSuggestions(found: readonly (Suggest | undefined)[], request: unknown): Suggest {
  const all = found.filter((each) => each !== undefined);
  const [first = {}] = all;
  return Object.fromEntries(
    Object.entries(first).map(([name, words]) => {
      const { size, byFrequency } = orderOf(isObject(request) ? request[name] : undefined);
      const merged = words.map((word, at) => ({
        ...word,
        options: mergedOptions(
          all.flatMap((each) => each[name]?.[at]?.options ?? []),
          byFrequency,
        ).slice(0, size),
      }));
      return [name, merged];
    }),
  );
}

function mergedOptions(options: readonly Option[], byFrequency: boolean): Option[] {
  const merged = new Map<string, Option>();
  for (const option of options) {
    merged.set(option.text, { ...option, freq: option.freq + (merged.get(option.text)?.freq ?? 0) });
  }
  return [...merged.values()].sort((left, right) => {
    const [score, frequency] = [right.score - left.score, right.freq - left.freq];
    return (byFrequency ? frequency || score : score || frequency) || (left.text < right.text ? -1 : 1);
  });
}

function orderOf(suggestion: unknown): { size: number; byFrequency: boolean } {
  const body: Body = isObject(suggestion) ? suggestion : {};
  const term: Body = isObject(body['term']) ? body['term'] : {};
  const size = Number(term['size'] ?? DEFAULT_SIZE);
  return { size, byFrequency: term['sort'] === 'frequency' };
}
