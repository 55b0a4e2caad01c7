import { unsupported, type BodyReader } from './body-reader.js';
import type { MinimumMatch } from './query-tree.js';

/** `minimum_should_match`: `2`, `-1` (all but one), `75%`, `-25%` (a quarter may be missing). */
const SIMPLE = /^-?\d+%?$/;

export function minimumMatch(body: BodyReader): MinimumMatch | undefined {
  const text = body.text('minimum_should_match')?.trim();
  if (text === undefined || SIMPLE.test(text)) return text;
  throw unsupported(`[minimum_should_match: ${text}] in ${body.where}`, 'Use a number or a percentage.');
}

/** How many of `count` must match: percentages are rounded down; never more than there are. */
export function matchesNeeded(minimum: MinimumMatch, count: number): number {
  const text = String(minimum);
  const share = text.endsWith('%') ? Math.trunc((count * Number(text.slice(0, -1))) / 100) : Number(text);
  const needed = text.startsWith('-') ? count + share : share;
  return Math.max(0, Math.min(count, needed));
}
