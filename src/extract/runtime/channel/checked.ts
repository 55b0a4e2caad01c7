import { CrawlerError } from '../../../base/errors.js';

/**
 * Checks of values that come from outside. The messages complete the sentence "The extraction process sent an invalid
 * answer: …".
 * @throws CrawlerError `corrupt`
 */
export function invalid(what: string): CrawlerError {
  return new CrawlerError('corrupt', what);
}

/** All strings in the result are well-formed: not every consumer can encode a lone surrogate. */
export function parsedObject(bytes: Buffer, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
    // Decoding UTF-8 yields no lone surrogates; only escape sequences in the JSON do.
    if (bytes.includes(UNICODE_ESCAPE)) value = wellFormed(value);
  } catch {
    throw invalid(`${what} cannot be read as JSON`);
  }
  return checkedObject(value, what);
}

const UNICODE_ESCAPE = Buffer.from('\\u');

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), wellFormed(each)]));
}

export function checkedObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${what} is not an object`);
  return value as Readonly<Record<string, unknown>>;
}

export function checkedString(value: unknown, what: string, longest = Number.POSITIVE_INFINITY): string {
  if (typeof value !== 'string') throw invalid(`${what} is not a string`);
  if (value.length > longest) throw invalid(`${what} has ${value.length} characters; at most ${longest} are allowed`);
  return value;
}

export function checkedBoolean(value: unknown, what: string): boolean {
  if (typeof value !== 'boolean') throw invalid(`${what} is neither true nor false`);
  return value;
}

/** A number between two bounds, inclusive. */
export function checkedNumber(value: unknown, what: string, least: number, most: number): number {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw invalid(`${what} is not a number between ${least} and ${most}`);
  }
  return value;
}

export function checkedInteger(value: unknown, what: string, least: number, most: number): number {
  if (!Number.isSafeInteger(value)) throw invalid(`${what} is not an integer`);
  return checkedNumber(value, what, least, most);
}

export function checkedList<T>(value: unknown, what: string, most: number, check: (each: unknown) => T): readonly T[] {
  if (!Array.isArray(value)) throw invalid(`${what} is not an array`);
  if (value.length > most) throw invalid(`${what} has ${value.length} items; at most ${most} are allowed`);
  return value.map(check);
}

/** An own key of the table. */
export function checkedKey<K extends string>(value: unknown, what: string, table: Readonly<Record<K, unknown>>): K {
  if (typeof value !== 'string' || !Object.hasOwn(table, value)) throw invalid(`${what} is unknown`);
  return value as K;
}
