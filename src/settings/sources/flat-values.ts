import { findKey, type Found } from '../find-key.js';
import type { Layer } from '../layer.js';
import type { RawValue } from '../raw-value.js';

/** Keys with one text each, as options and variables give them. */
export interface FlatValue {
  /** `fs.url`, `fs.includes[0]`. */
  readonly key: string;
  readonly text: string;
}

/**
 * Hands values to a layer. `fs.includes[0]`, `fs.includes[1]` … make one list, in the order of their numbers. A key that
 * is none is passed to `unknown`, with the nearest valid one.
 */
export function takeFlatValues(
  values: Iterable<FlatValue>,
  layer: Layer,
  origin: string,
  unknown: (key: string, nearest: string | undefined) => void,
): void {
  const lists = new IndexedLists();
  for (const { key, text } of values) {
    const [, base = key, index] = /^(.*)\[(\d+)\]$/.exec(key) ?? [];
    const found = findKey(base.split('.'));
    const raw = index === undefined ? text : lists.add(base, Number(index), text);
    if (!takeFound(found, raw, layer, origin)) unknown(key, found.kind === 'unknown' ? found.nearest : undefined);
  }
}

/** False when the key is neither a setting nor an old one. */
export function takeFound(found: Found, raw: RawValue, layer: Layer, origin: string): boolean {
  if (found.kind === 'setting') layer.take(found.row, raw, origin, found.aliased);
  if (found.kind === 'old') layer.takeOld(found.old, found.path, raw, origin);
  return found.kind === 'setting' || found.kind === 'old';
}

/** Puts the items of lists together that come one by one, in any order. */
export class IndexedLists {
  readonly #items = new Map<string, Map<number, string>>();

  /** The list so far, with this item in it. */
  add(key: string, index: number, text: string): readonly string[] {
    const items = this.#items.get(key) ?? new Map<number, string>();
    this.#items.set(key, items.set(index, text));
    return [...items].sort(([left], [right]) => left - right).map(([, item]) => item);
  }
}
