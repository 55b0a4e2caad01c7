import { findVariable } from '../find-key.js';
import type { Layer } from '../layer.js';
import type { Report } from '../report.js';
import { sectionRows, settingRows } from '../setting-table.js';
import { IndexedLists, takeFound } from './flat-values.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const SECTION_WORDS: ReadonlySet<string> = new Set([
  'ELASTICSEARCH',
  ...sectionRows.filter((row) => !row.path.includes('.')).map((row) => row.path.toUpperCase()),
]);

/**
 * Variables with a prefix, such as `CRAWLER_FS_UPDATE_RATE`. Lists are separated by commas, or come as `…_0`, `…_1`. A
 * variable that looks like a setting but is none is only a warning: the environment belongs to others too.
 */
export function readEnvironment(prefix: string, environment: Environment, layer: Layer, report: Report): void {
  const lists = new IndexedLists();
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(prefix) || text === undefined) continue;
    const name = variable.slice(prefix.length);
    const indexed = indexedName(name);
    const found = findVariable(indexed?.base ?? name);
    const written = indexed === undefined ? text : lists.add(indexed.base, indexed.index, text);
    if (takeFound(found, written, layer, variable) || found.kind !== 'unknown') continue;
    if (SECTION_WORDS.has(name.split('_', 1)[0] ?? '')) report.warning(variable, unknownVariable(found.nearest));
  }
}

function indexedName(name: string): { readonly base: string; readonly index: number } | undefined {
  const [, base, underscored, bracketed] = /^(.*?)(?:_(\d+)|\[(\d+)\])$/.exec(name) ?? [];
  const found = base === undefined ? undefined : findVariable(base);
  if (base === undefined || found?.kind !== 'setting' || found.row.declared.grammar.shape !== 'list') return undefined;
  return { base, index: Number(underscored ?? bracketed) };
}

function unknownVariable(nearest: string | undefined): string {
  const row = settingRows.find((each) => each.path === nearest);
  const advice = row === undefined ? '.' : `; did you mean ${row.environment}?`;
  return `this variable is not a setting and is passed over${advice}`;
}
