import type { Hit } from '../../../engine/engine.js';
import { unsupported } from '../api-error.js';
import { malformed } from '../json-body.js';
import type { Body } from '../json-body.js';
import type { HitLists } from './hit-lists.js';

/** One page of a search that is read on, in the shape of an engine's answer. */
export interface PageAnswer {
  readonly took: number;
  readonly timed_out: false;
  readonly hits: {
    readonly total: HitLists['total'];
    readonly max_score: number | null;
    readonly hits: readonly Hit[];
  };
  readonly aggregations?: Readonly<Record<string, unknown>>;
}

export function pageAnswer(
  lists: HitLists,
  hits: readonly Hit[],
  { startedMs, maxScore }: { readonly startedMs: number; readonly maxScore: number | null },
): PageAnswer {
  return {
    took: Math.round(performance.now() - startedMs),
    timed_out: false,
    hits: { total: lists.total, max_score: maxScore, hits },
  };
}

/** What is not known to a list of hits must not be passed over silently. */
const UNLISTED = ['collapse', 'rescore', 'suggest'];

export function requireListable(body: Body, where: string): void {
  const unlisted = UNLISTED.find((key) => body[key] !== undefined);
  if (unlisted !== undefined) throw unsupported(`[${unlisted}] in ${where}`);
}

export function wholeNumber(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw malformed(`[${name}] must be a whole number`);
}

export const DEFAULT_SIZE = 10;
