import { CrawlerError } from '../../base/errors.js';

/**
 * Reads one object of a request body key by key. What nobody has asked for when `done` is called is refused by name: a key
 * that is passed over silently would give other hits than Elasticsearch does.
 *
 * `where` names the object in sentences: `a [match] query`, `[highlight]`.
 */
export class BodyReader {
  readonly #body: Readonly<Record<string, unknown>>;
  readonly #left: Set<string>;
  readonly where: string;

  constructor(value: unknown, where: string) {
    if (!isObject(value)) throw malformed(where, 'an object', value);
    this.#body = value;
    this.where = where;
    this.#left = new Set(this.keys);
  }

  get keys(): readonly string[] {
    return Object.keys(this.#body).filter((key) => this.has(key));
  }

  has(key: string): boolean {
    return this.#body[key] !== undefined;
  }

  value(key: string): unknown {
    this.#left.delete(key);
    return this.#body[key];
  }

  string(key: string): string | undefined {
    const value = this.value(key);
    if (value === undefined || typeof value === 'string') return value;
    throw malformed(this.#named(key), 'a text', value);
  }

  /** A text, or a number or boolean as text. */
  text(key: string): string | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (isScalar(value)) return String(value);
    throw malformed(this.#named(key), 'a text', value);
  }

  number(key: string): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
    throw malformed(this.#named(key), 'a number', value);
  }

  /** A whole number of at least `minimum`. */
  count(key: string, minimum = 0): number | undefined {
    const number = this.number(key);
    if (number === undefined || (Number.isInteger(number) && number >= minimum)) return number;
    throw malformed(this.#named(key), `a whole number of at least ${minimum}`, number);
  }

  boolean(key: string): boolean | undefined {
    const value = this.value(key);
    if (value === undefined || typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    throw malformed(this.#named(key), 'true or false', value);
  }

  /** A text of a closed list, in any case. */
  choice<Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined {
    const text = this.string(key);
    if (text === undefined) return undefined;
    const choice = choices.find((each) => each === text.toLowerCase());
    if (choice !== undefined) return choice;
    throw unsupported(`[${key}: ${text}] in ${this.where}`, `Use ${choices.join(', ')}.`);
  }

  /** One text or a list of texts. */
  strings(key: string): string[] | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    return listOf(value).map((item) => {
      if (typeof item === 'string') return item;
      throw malformed(this.#named(key), 'a text or a list of texts', item);
    });
  }

  /** One value or a list; an absent key is an empty list. */
  list(key: string): unknown[] {
    const value = this.value(key);
    return value === undefined ? [] : listOf(value);
  }

  object(key: string): BodyReader | undefined {
    const value = this.value(key);
    return value === undefined ? undefined : new BodyReader(value, this.#named(key));
  }

  /** The only key of an object such as `{"match": …}`, with its value. */
  only(): { readonly key: string; readonly value: unknown } {
    const [key, more] = this.keys;
    if (key === undefined || more !== undefined) {
      throw new CrawlerError(
        'corrupt',
        `${sentenceCase(this.where)} must have exactly one key, not ${this.keys.length}.`,
      );
    }
    return { key, value: this.value(key) };
  }

  done(): void {
    const [key] = this.#left;
    if (key !== undefined) throw unsupported(`[${key}] in ${this.where}`);
  }

  #named(key: string): string {
    return `[${key}] in ${this.where}`;
  }
}

const MOVE_ON = 'Leave it out, or let the job use Elasticsearch or OpenSearch (engine.urls).';

export function unsupported(what: string, advice: string = MOVE_ON): CrawlerError {
  return new CrawlerError('unsupported', `The embedded index does not support ${what}. ${advice}`);
}

export function malformed(where: string, expected: string, value: unknown): CrawlerError {
  const shown = value === undefined ? 'nothing' : JSON.stringify(value);
  const short = shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
  return new CrawlerError('corrupt', `${sentenceCase(where)} must be ${expected}, not ${short}.`);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type Scalar = string | number | boolean;

export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
