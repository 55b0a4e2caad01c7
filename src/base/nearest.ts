import { distance } from 'fastest-levenshtein';

/**
 * How many letters have to be inserted, deleted or replaced to get from one text to the other. Texts of the same letters
 * are half a step nearer: two letters that were swapped are the likeliest slip of all.
 */
export function editsBetween(from: string, to: string): number {
  const edits = distance(from, to);
  return edits > 1 && sorted(from) === sorted(to) ? edits - 0.5 : edits;
}

/** The candidate that was probably meant, in any case of letters; undefined when none is near enough. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let found: string | undefined;
  let least = Math.max(1.5, Math.floor(wanted.length * 0.4)) + 0.25;
  for (const candidate of candidates) {
    const edits = editsBetween(wanted, candidate.toLowerCase());
    if (edits < least) {
      least = edits;
      found = candidate;
    }
  }
  return found;
}

function sorted(text: string): string {
  return Array.from(text).sort().join('');
}
