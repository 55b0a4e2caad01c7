import { wildcard } from '../../base/wildcard.js';
import { unsupported } from './api-error.js';

/**
 * `filter_path` of a URL: which parts of an answer are wanted. Patterns are dotted paths, `*` stands for a part of a name,
 * `**` for any depth, and a leading minus leaves something out. What is left empty is left out, too.
 */
type Path = readonly string[];

/** Throws for a pattern that would cost more than it can be worth. */
export function filteredBy(filterPath: string, body: unknown): unknown {
  const patterns = filterPath.split(',').filter((each) => each !== '');
  const costly = patterns.find((each) => each.split('**').length > 2);
  if (costly !== undefined) throw unsupported(`A second [**] in [filter_path=${costly}]`);
  const wanted = patterns.filter((each) => !each.startsWith('-')).map((each) => each.split('.'));
  const unwanted = patterns.filter((each) => each.startsWith('-')).map((each) => each.slice(1).split('.'));
  const kept = wanted.length === 0 ? body : pick(body, wanted);
  return (unwanted.length === 0 ? kept : drop(kept, unwanted)) ?? {};
}

/** Undefined when nothing of it is wanted. */
function pick(value: unknown, paths: readonly Path[]): unknown {
  return walk(value, paths, pick, { matched: (each) => each, unmatched: () => undefined });
}

function drop(value: unknown, paths: readonly Path[]): unknown {
  return walk(value, paths, drop, { matched: () => undefined, unmatched: (each) => each });
}

interface Outcome {
  /** For a member that a path names. */
  matched(value: unknown): unknown;
  /** For a member that no path reaches. */
  unmatched(value: unknown): unknown;
}

function walk(value: unknown, paths: readonly Path[], below: typeof pick, outcome: Outcome): unknown {
  if (Array.isArray(value)) {
    const kept = value.map((each: unknown) => walk(each, paths, below, outcome)).filter((each) => each !== undefined);
    return kept.length > 0 ? kept : value.length === 0 ? outcome.unmatched(value) : undefined;
  }
  if (typeof value !== 'object' || value === null) return outcome.unmatched(value);
  const kept: [string, unknown][] = [];
  const members = Object.entries(value);
  for (const [key, each] of members) {
    const inner = paths.flatMap((path) => restOf(path, key));
    const result = inner.some((path) => path.length === 0)
      ? outcome.matched(each)
      : inner.length === 0
        ? outcome.unmatched(each)
        : below(each, inner);
    if (result !== undefined) kept.push([key, result]);
  }
  if (kept.length > 0) return Object.fromEntries(kept);
  return members.length === 0 ? outcome.unmatched(value) : undefined;
}

/** What of a path is left behind a member of this name; `**` may continue or end. */
function restOf(path: Path, key: string): Path[] {
  const [part = '', ...rest] = path;
  if (part !== '**') return wildcard(part)(key) ? [rest] : [];
  return rest.length === 0 ? [rest] : [path, ...restOf(rest, key)];
}
