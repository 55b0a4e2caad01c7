import { LONGEST_METADATA_VALUE, MOST_FORMAT_KEYS, MOST_METADATA_VALUES } from './limits.js';
import type { Metadata } from './extraction.js';

/** Metadata while they are collected. Values are texts; empty ones are dropped. */
export class MetadataBuilder {
  readonly #values = new Map<string, string[]>();

  add(key: string, value: string | number | boolean | Date | undefined): void {
    const text = textOf(value);
    if (text === '') return;
    const values = this.#values.get(key);
    if (values === undefined) {
      if (this.#values.size < MOST_FORMAT_KEYS) this.#values.set(key, [text]);
    } else if (values.length < MOST_METADATA_VALUES) values.push(text);
  }

  set(key: string, value: string): void {
    if (value === '') this.#values.delete(key);
    else this.#values.set(key, [textOf(value)]);
  }

  first(key: string): string | undefined {
    return this.#values.get(key)?.[0];
  }

  build(): Metadata {
    return Object.fromEntries(this.#values);
  }
}

function textOf(value: string | number | boolean | Date | undefined): string {
  if (value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString().replace(/\.\d+Z$/, 'Z');
  return String(value).slice(0, LONGEST_METADATA_VALUE);
}
