import type { Request } from 'express';
import { nearest } from '../../base/nearest.js';
import { boundFilters, listFilters, type FindRequest } from '../../search/find-request.js';
import { sortOrders } from '../../search/sort-order.js';
import { badRequest } from '../request-fault.js';

/** Parameters that say what is looked for; they are the same at every endpoint. */
export const requestParameters = ['q', 'in', 'any', 'sort', ...listFilters, ...boundFilters] as const;

/** Values of one filter, and of all of them: a query has its limits, too. */
const MOST_VALUES = 50;

/** The query of an address: what is not known is refused by name, and so is what is given twice where one is wanted. */
export class FindParameters {
  readonly #values: Readonly<Record<string, readonly string[]>>;

  constructor(request: Request, known: readonly string[]) {
    const values = Object.entries(request.query).map(([name, value]) => [name, [value].flat().map(String)] as const);
    for (const [name, { length }] of values) {
      if (!known.includes(name)) throw unknown(name, known);
      const isList = listFilters.some((each) => each === name);
      if (length > (isList ? MOST_VALUES : 1)) throw badRequest(`The parameter [${name}] is given ${length} times.`);
    }
    this.#values = Object.fromEntries(values);
  }

  /** Undefined when it is left out or empty. */
  text(name: string): string | undefined {
    const [value = ''] = this.#values[name] ?? [];
    return value === '' ? undefined : value;
  }

  /** One of some words. */
  choice<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const word = words.find((each) => each === value);
    if (word === undefined) throw badRequest(`The parameter [${name}] must be one of ${words.join(', ')}.`);
    return word;
  }

  /** Different words with commas between them; all of them when the parameter is left out. */
  choices<Word extends string>(name: string, words: readonly Word[]): readonly Word[] {
    const value = this.text(name);
    if (value === undefined) return words;
    const given = new Set(value.split(','));
    const found = words.filter((word) => given.delete(word));
    const [other] = given;
    if (other === undefined) return found;
    throw badRequest(`The parameter [${name}] has [${other.slice(0, 100)}], and knows ${words.join(', ')}.`);
  }

  integer<Otherwise>(
    name: string,
    { least, most, otherwise }: { least: number; most: number; otherwise: Otherwise },
  ): number | Otherwise {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
    if (number >= least && number <= most) return number;
    throw badRequest(`The parameter [${name}] must be a whole number from ${least} to ${most}.`);
  }

  request(): FindRequest {
    const filters = [...listFilters, ...boundFilters].flatMap((name) => {
      const values = (this.#values[name] ?? []).filter((value) => value !== '');
      return values.length === 0 ? [] : [[name, values] as const];
    });
    return {
      q: this.text('q') ?? '',
      in: this.choice('in', ['all', 'name']) ?? 'all',
      any: this.choice('any', ['true', 'false']) === 'true',
      filters: Object.fromEntries(filters),
      sort: this.choice('sort', sortOrders) ?? 'relevance',
    };
  }
}

function unknown(name: string, known: readonly string[]): Error {
  const meant = nearest(name.slice(0, 20), known);
  const others = known.length === 0 ? 'It takes none.' : `It knows ${known.join(', ')}.`;
  const advice = meant === undefined ? others : `Did you mean [${meant}]?`;
  return badRequest(`There is no parameter [${name.slice(0, 100)}] here. ${advice}`);
}
