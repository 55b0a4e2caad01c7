import type { SearchEngine } from '../../engine/engine.js';
import { noSuchIndex } from './api-answer.js';

/** The indices that `a,b*` or `_all` names; every one when nothing is named. A name without a star must exist. */
export async function indicesOf(
  engine: SearchEngine,
  expression: string | undefined,
  { ignoreMissing = false }: { readonly ignoreMissing?: boolean },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const existing = (await engine.indices(signal)).map(({ index }) => index).sort();
  const names = new Set<string>();
  for (const part of (expression ?? '_all').split(',')) {
    if (part === '_all' || part === '') existing.forEach((each) => names.add(each));
    else if (part.includes('*')) existing.filter(matcher(part)).forEach((each) => names.add(each));
    else if (existing.includes(part)) names.add(part);
    else if (!ignoreMissing) throw noSuchIndex(part);
  }
  return [...names];
}

function matcher(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`);
  return (name) => expression.test(name);
}
