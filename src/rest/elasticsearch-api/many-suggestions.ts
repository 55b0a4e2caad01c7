import type { SearchResponse, SuggestedWord } from '../../engine/engine.js';
import { isObject } from '../json-text.js';
import type { Body } from './json-body.js';

type Suggest = NonNullable<SearchResponse['suggest']>;
type Option = SuggestedWord['options'][number];

const DEFAULT_SIZE = 5;

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
