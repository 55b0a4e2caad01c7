import type { IndexSearch } from './index-search.js';

/** Anything else is a phrase, a beginning or a pattern. */
const PLAIN_WORD = /^[\p{L}\p{N}]+$/u;
const WORDS = /[\p{L}\p{N}]+/gu;

/**
 * A query with each of the words, if no document has it, replaced by the nearest one that documents have; undefined when there is
 * none. Words of fewer than four letters, and first letters, are taken for right.
 */
export async function respelled(
  search: IndexSearch,
  q: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const asked = words.filter((word) => PLAIN_WORD.test(word));
  if (asked.length === 0) return undefined;
  const term = { field: 'content', size: 1, suggest_mode: 'missing' };
  const suggest = Object.fromEntries(asked.map((text, at) => [`word-${at}`, { text, term }]));
  const answer = await search.run({ query: { match_none: {} }, size: 0, suggest }, signal);
  const nearest = new Map<string, string>();
  for (const [at, word] of asked.entries()) {
    const meant = answer.suggest?.[`word-${at}`]?.[0]?.options[0]?.text;
    if (meant !== undefined) nearest.set(word, meant);
  }
  const other = q.replace(WORDS, (word) => nearest.get(word) ?? word);
  return other === q ? undefined : other;
}
