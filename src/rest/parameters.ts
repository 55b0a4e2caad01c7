import type { Request } from 'express';
import { nearest } from '../base/nearest.js';
import { decodeExtendedValue, decodeHeaderText } from '../source/file-name.js';
import { badRequest } from './request-fault.js';

/**
 * Every parameter of every endpoint and where it may stand; the first place that has it wins. An empty text counts as
 * given. `form` is a text field of the multipart upload, `body` a member of the JSON body, `extended` the header
 * `<name>*` with an RFC 8187 value, for what plain headers cannot carry.
 */
const PLACES = {
  id: ['form', 'header', 'query'],
  index: ['form', 'header', 'query'],
  password: ['form', 'header', 'query'],
  tags: ['form', 'body', 'header', 'query'],
  debug: ['query', 'header'],
  simulate: ['query', 'header'],
  filename: ['extended', 'header', 'query'],
  q: ['query', 'header'],
  size: ['query', 'header'],
  from: ['query', 'header'],
} as const satisfies Readonly<Record<string, readonly ParameterLocation[]>>;

type ParameterLocation = 'form' | 'body' | 'header' | 'query' | 'extended';

export type ParameterName = keyof typeof PLACES;

type Fields = Readonly<Record<string, unknown>>;

/** What came beside the headers and the query. */
export interface Received {
  readonly form?: Fields;
  readonly body?: Fields;
}

export class Parameters {
  readonly #headers: Request['headers'];
  readonly #query: Fields;
  readonly #form: Fields;
  readonly #body: Fields;

  constructor(request: Request, received: Received = {}) {
    this.#headers = request.headers;
    // The getter of Express parses the query string anew at each call.
    this.#query = request.query;
    this.#form = received.form ?? {};
    this.#body = received.body ?? {};
  }

  /** The value as it stands where it was found: a text, or any JSON when it stands in the body. */
  value(name: ParameterName): unknown {
    for (const place of PLACES[name]) {
      const value = this.#at(place, name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  text(name: ParameterName): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value;
    throw badRequest(`The parameter [${name}] must be text.`);
  }

  /** A text that names something: empty makes no sense. */
  name(name: ParameterName): string | undefined {
    const value = this.text(name);
    if (value === '') throw badRequest(`The parameter [${name}] is empty: give a value or leave it out.`);
    return value;
  }

  /** `true` in any case is true, everything else is false. */
  flag(name: ParameterName): boolean {
    return this.text(name)?.toLowerCase() === 'true';
  }

  integer(name: ParameterName, { least, most, otherwise }: { least: number; most: number; otherwise: number }): number {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
    if (number >= least && number <= most) return number;
    throw badRequest(`The parameter [${name}] must be a whole number from ${least} to ${most}.`);
  }

  #at(place: ParameterLocation, name: string): unknown {
    switch (place) {
      case 'form':
        return firstOf(own(this.#form, name));
      case 'body':
        return own(this.#body, name);
      case 'query':
        return firstOf(own(this.#query, name));
      case 'header':
        return this.#header(name);
      case 'extended':
        return this.#extendedHeader(`${name}*`);
    }
  }

  #header(name: string): string | undefined {
    const value = firstOf(this.#headers[name]);
    return typeof value === 'string' ? decodeHeaderText(value) : undefined;
  }

  #extendedHeader(name: string): string | undefined {
    const value = firstOf(this.#headers[name]);
    if (typeof value !== 'string') return undefined;
    // Clients that encode like a form write a space as `+`.
    const text = decodeExtendedValue(value.replaceAll('+', ' '));
    if (text === undefined) throw badRequest(`The header [${name}] is malformed; write it as UTF-8''na%C3%AFve.txt.`);
    return text;
  }
}

/**
 * Refuses a query parameter that is none of these, with the nearest one. Headers are not looked at: a request has many that
 * are no parameters.
 */
export function requireKnownQuery(request: Request, known: readonly ParameterName[]): void {
  const unknown = Object.keys(request.query).find((name) => !known.some((each) => each === name));
  if (unknown === undefined) return;
  const meant = nearest(unknown.slice(0, 20), known);
  const advice = meant === undefined ? `It knows ${known.join(', ')}.` : `Did you mean [${meant}]?`;
  throw badRequest(`There is no parameter [${unknown.slice(0, 100)}] here. ${advice}`);
}

/** Of a parameter that was given several times, the first counts. */
function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value as unknown[])[0] : value;
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
