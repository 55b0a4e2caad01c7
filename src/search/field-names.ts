import { CrawlerError } from '../base/errors.js';
import type { SearchEngine } from '../engine/engine.js';

/** The dotted names of the fields that an index has, from its mapping; none while it does not exist. */
export async function fieldNames(engine: SearchEngine, index: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return namesIn(await engine.mapping(index, signal), '');
  } catch (error) {
    if (error instanceof CrawlerError && error.code === 'not_found') return [];
    throw error;
  }
}

function namesIn(mapping: unknown, prefix: string): string[] {
  return ['properties', 'fields'].flatMap((member) =>
    Object.entries(membersOf(membersOf(mapping)[member])).flatMap(([name, inner]) => [
      ...('type' in membersOf(inner) ? [`${prefix}${name}`] : []),
      ...namesIn(inner, `${prefix}${name}.`),
    ]),
  );
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
