import { romanNumeral } from '../../containers/numerals/roman-numeral.js';
import type { ListLevel, Lists } from './lists.js';

/**
 * The numbers in front of list paragraphs, such as `1.2) `. Every list counts for itself, one counter a level; a number at
 * a level restarts the levels below. Must be asked for every list paragraph of a story, in order.
 */
const BULLET = '\u00b7 ';
const BULLET_FORMAT = 23;
const NO_NUMBER = 255;
const MAX_ROMAN = 3999;

export class ListNumbers {
  readonly #lists: Lists;
  /** Numbers by list and level; undefined where counting begins anew. */
  readonly #counters = new Map<number, (number | undefined)[]>();

  constructor(lists: Lists) {
    this.#lists = lists;
  }

  /** The text in front of the next paragraph of the list; empty when the list does not exist. */
  next(overrideIndex: number, level: number): string {
    const override = this.#lists.overrides[overrideIndex - 1];
    const definition = override === undefined ? undefined : this.#lists.definitions.get(override.listId);
    if (override === undefined || definition === undefined || level >= definition.length) return '';
    const levels = definition.map((each, index) => override.levels.get(index) ?? each);
    const counters = this.#counters.get(override.listId) ?? [];
    this.#counters.set(override.listId, counters);
    for (let above = 0; above < level; above++) counters[above] ??= levels[above]?.start;
    const current = counters[level];
    counters[level] = current === undefined ? levels[level]?.start : current + 1;
    restartBelow(counters, levels, level);
    return numberText(levels, counters, level);
  }
}

function restartBelow(counters: (number | undefined)[], levels: readonly ListLevel[], level: number): void {
  for (let below = level + 1; below < counters.length; below++) {
    const limit = levels[below]?.restartBelow;
    if (limit === 0) return;
    if (limit === undefined || level < limit) counters[below] = undefined;
  }
}

function numberText(levels: readonly ListLevel[], counters: readonly (number | undefined)[], level: number): string {
  const shown = levels[level];
  if (shown === undefined) return '';
  if (shown.format === BULLET_FORMAT && !shown.legal) return BULLET;
  let text = '';
  for (const character of shown.text) {
    const placeholder = character.charCodeAt(0);
    if (placeholder > 8) text += character;
    else text += formatted(counters[placeholder] ?? 1, shown.legal ? 0 : (levels[placeholder]?.format ?? 0));
  }
  return text === '' ? '' : `${text} `;
}

function formatted(value: number, format: number): string {
  switch (format) {
    case 1:
      return romanNumeral(value, MAX_ROMAN).toUpperCase();
    case 2:
      return romanNumeral(value, MAX_ROMAN);
    case 3:
      return letters(value).toUpperCase();
    case 4:
      return letters(value);
    case 5:
      return `${value}${['th', 'st', 'nd', 'rd'][value % 10] ?? 'th'}`;
    case 22:
      return `0${value}`;
    case BULLET_FORMAT:
    case NO_NUMBER:
    case 47:
      return '';
    default:
      return String(value);
  }
}

/** a to z, then aa, ab …; zero and below have no letters. */
function letters(value: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  }
  return text;
}
