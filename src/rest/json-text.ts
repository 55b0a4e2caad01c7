import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * JSON from strangers. What costs is not its length but its members: a million keys in some megabytes hold up the event
 * loop for seconds, a text of the same length does not. So the text is read once before it is parsed, in slices that let
 * other requests through, and refused as soon as it is too deep or has too many members.
 *
 * The parser's own messages quote the text, which may hold a password, so they are replaced by the place of the fault.
 */
export interface JsonLimits {
  /** Members of all objects together. */
  readonly members: number;
  /** Members, elements, objects and arrays together. */
  readonly values: number;
}

/** Of what describes one document: its tags, or where to fetch it from. */
export const DOCUMENT_JSON: JsonLimits = { members: 10_000, values: 100_000 };

/** Whoever merges or prints the value walks it recursively. */
const MAX_DEPTH = 100;
/** Characters that are looked at before other requests have their turn: some milliseconds. */
const SLICE = 512 * 1024;

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  /** The rest of a sentence: «is not valid JSON (line 1, column 5)». */
  | { readonly ok: false; readonly why: string };

export async function parseJson(text: string, limits: JsonLimits = DOCUMENT_JSON): Promise<ParsedJson> {
  const why = await excessOf(text, limits);
  if (why !== undefined) return { ok: false, why };
  try {
    return { ok: true, value: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown };
  } catch (error) {
    return { ok: false, why: `is not valid JSON${placeOf(error, text)}` };
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is too much of it, or undefined. Also for several JSON texts one behind the other. */
export async function excessOf(text: string, limits: JsonLimits): Promise<string | undefined> {
  const counter = new JsonCounter(text);
  while (counter.read(SLICE)) {
    const excess = counter.excess(limits);
    if (excess !== undefined) return excess;
    await nextTurn();
  }
  return counter.excess(limits);
}

/** Counts what stands outside of texts. A text that is no JSON is counted somehow; the parser refuses it afterwards. */
class JsonCounter {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #deepest = 0;
  #members = 0;
  #values = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads on for so many characters. False when the end is reached. */
  read(characters: number): boolean {
    const end = this.#at + characters;
    while (this.#at < end && this.#at < this.#text.length) this.#count(this.#text.charCodeAt(this.#at));
    return this.#at < this.#text.length;
  }

  excess({ members, values }: JsonLimits): string | undefined {
    if (this.#deepest > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    if (this.#members > members) return `has more than ${members} members`;
    return this.#values > values ? `has more than ${values} values` : undefined;
  }

  #count(code: number): void {
    this.#at += 1;
    switch (code) {
      case 0x22: // "
        this.#at = endOfText(this.#text, this.#at);
        break;
      case 0x3a: // :
        this.#members += 1;
        break;
      case 0x2c: // ,
        this.#values += 1;
        break;
      case 0x7b: // {
      case 0x5b: // [
        this.#values += 1;
        this.#depth += 1;
        this.#deepest = Math.max(this.#deepest, this.#depth);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        this.#depth -= 1;
        break;
    }
  }
}

/** Behind the closing quotation mark: the first one with an even number of backslashes before it. */
function endOfText(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = quote;
    while (backslashes > from && text.charCodeAt(backslashes - 1) === 0x5c) backslashes -= 1;
    if ((quote - backslashes) % 2 === 0) return quote + 1;
  }
  return text.length;
}

function placeOf(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('Unexpected end')) return ': it ends too early';
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1) ?? '').length + 1})`;
}
