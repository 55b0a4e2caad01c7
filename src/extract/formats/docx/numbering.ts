import { formatListNumber } from './list-number.js';
import type { List, ListDefinitions, ListLevel } from './list-definitions.js';

/**
 * Numbers of list paragraphs, which a document does not store: they are counted while reading.
 *
 * A paragraph names a list (`numId`) and a level. A list refers to an abstract list, which defines the levels (start,
 * format, text such as `%1.%2)`) and whose counters all its lists share; a list may override levels or where they start,
 * which restarts the counter the first time that list is used. A paragraph increments the counter of its level and
 * resets the levels below.
 */
const MAX_LEVELS = 9;

export class Numbering {
  readonly #definitions: ListDefinitions;
  /** Abstract list to the count of each level; undefined is a level not counted yet. */
  readonly #counters = new Map<string, (number | undefined)[]>();
  readonly #startedLists = new Set<string>();

  constructor(definitions: ListDefinitions) {
    this.#definitions = definitions;
  }

  /** The number of the next paragraph of a list at a level from 0, with its punctuation and a space; '' when it has none. */
  next(listId: string, level: number): string {
    const list = this.#definitions.lists.get(listId);
    if (list === undefined || level < 0 || level >= MAX_LEVELS) return '';
    const counts = this.#countersOf(list, listId);
    this.#advance(list, counts, level);
    return this.#format(list, counts, level);
  }

  #countersOf(list: List, listId: string): (number | undefined)[] {
    const counts = this.#counters.get(list.abstractId) ?? [];
    this.#counters.set(list.abstractId, counts);
    if (!this.#startedLists.has(listId)) {
      this.#startedLists.add(listId);
      for (const level of list.starts.keys()) counts[level] = undefined;
    }
    return counts;
  }

  #advance(list: List, counts: (number | undefined)[], level: number): void {
    for (let above = 0; above < level; above++) counts[above] ??= this.#startOf(list, above);
    const current = counts[level];
    counts[level] = current === undefined ? this.#startOf(list, level) : current + 1;
    for (let below = level + 1; below < counts.length; below++) {
      const restart = this.#levelOf(list, below)?.restart;
      if (restart === undefined || (restart > 0 && level < restart)) counts[below] = undefined;
    }
  }

  #format(list: List, counts: readonly (number | undefined)[], level: number): string {
    const shape = this.#levelOf(list, level);
    if (shape === undefined) return '';
    if (shape.format === 'bullet') return '· ';
    const text = shape.text.replace(/%([1-9])/g, (_, digit: string) => {
      const index = Number(digit) - 1;
      const format = shape.legal ? 'decimal' : (this.#levelOf(list, index)?.format ?? 'decimal');
      return formatListNumber(counts[index] ?? 1, format);
    });
    return text === '' ? '' : `${text} `;
  }

  #startOf(list: List, level: number): number {
    return list.starts.get(level) ?? this.#levelOf(list, level)?.start ?? 1;
  }

  #levelOf(list: List, level: number): ListLevel | undefined {
    return list.levels.get(level) ?? this.#definitions.abstracts.get(list.abstractId)?.get(level);
  }
}
