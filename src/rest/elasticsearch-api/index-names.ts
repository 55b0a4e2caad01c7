import { wildcard } from '../../base/wildcard.js';
import type { IndexSummary } from '../../engine/engine.js';
import { noSuchIndex } from './api-error.js';

/**
 * The indices that there are, and the alias: the job's name stands for the index of its documents, as in a cluster
 * (docs/engines.md). An index of the job's name leaves no free name for it.
 */
export interface KnownIndices {
  readonly summaries: readonly IndexSummary[];
  /** Index by alias. */
  readonly aliases: ReadonlyMap<string, string>;
}

export interface ResolveOptions {
  /** A name that does not exist is passed over. */
  readonly ignoreMissing?: boolean;
  /** False: a pattern that fits nothing is a fault. */
  readonly allowNone?: boolean;
}

export function knownIndices(
  summaries: readonly IndexSummary[],
  { jobName, index }: { readonly jobName: string; readonly index: string },
): KnownIndices {
  const names = summaries.map((each) => each.index);
  const hasAlias = names.includes(index) && !names.includes(jobName);
  return { summaries, aliases: new Map(hasAlias ? [[jobName, index]] : []) };
}

/** The indices that `a,b*,-bc` or `_all` names; every one when nothing is named. A name without a star must exist. */
export function resolveIndices(
  known: KnownIndices,
  expression = '_all',
  options: ResolveOptions = {},
): readonly string[] {
  const existing = known.summaries.map(({ index }) => index).sort();
  const found = new Set<string>();
  for (const [at, part] of expression.split(',').entries()) {
    if (at > 0 && part.startsWith('-')) {
      for (const each of matching(known, existing, part.slice(1))) found.delete(each);
      continue;
    }
    const fitting = matching(known, existing, part);
    if (fitting.length === 0) requireMissable(part, options);
    for (const each of fitting) found.add(each);
  }
  if (found.size === 0 && options.allowNone === false) throw noSuchIndex(expression);
  return [...found];
}

function requireMissable(part: string, { ignoreMissing, allowNone }: ResolveOptions): void {
  const mayBeNone = ignoreMissing === true || (allowNone !== false && isPattern(part));
  if (!mayBeNone) throw noSuchIndex(part);
}

/** What may stand for no index. */
function isPattern(part: string): boolean {
  return part === '_all' || part === '' || part.includes('*');
}

function matching({ aliases }: KnownIndices, existing: readonly string[], pattern: string): readonly string[] {
  if (pattern === '_all' || pattern === '') return existing;
  const fits = wildcard(pattern);
  const behindAliases = [...aliases].filter(([alias]) => fits(alias)).map(([, index]) => index);
  return [...existing.filter(fits), ...behindAliases];
}
