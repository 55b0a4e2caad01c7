import { CrawlerError } from '../base/errors.js';
import type { CrawlDocument } from './document.js';

/**
 * Merging of user-supplied metadata (static file, `.meta.yml`, REST tags) over a document: objects are merged, scalars
 * and arrays replaced (the objects of two arrays are merged element by element), null removes. Only known members
 * survive; free data belongs under `external`.
 */
type Json = Readonly<Record<string, unknown>>;

type FieldType = 'text' | 'number' | 'date' | 'texts' | 'any' | 'textMap';

const FILE_FIELDS: Readonly<Record<string, FieldType>> = {
  checksum: 'text',
  content_type: 'text',
  created: 'date',
  extension: 'text',
  filename: 'text',
  filesize: 'number',
  indexed_chars: 'number',
  indexing_date: 'date',
  last_accessed: 'date',
  last_modified: 'date',
  url: 'text',
};

const META_TEXTS = [
  'author title format identifier contributor coverage modifier creator_tool language publisher relation rights',
  'source type description latitude longitude altitude comments',
]
  .join(' ')
  .split(' ');

const META_FIELDS: Readonly<Record<string, FieldType>> = {
  ...Object.fromEntries(META_TEXTS.map((field) => [field, 'text' as const])),
  date: 'date',
  created: 'date',
  print_date: 'date',
  metadata_date: 'date',
  keywords: 'texts',
  rating: 'number',
  raw: 'textMap',
};

const SECTIONS: Readonly<Record<string, Readonly<Record<string, FieldType>>>> = {
  file: FILE_FIELDS,
  meta: META_FIELDS,
  path: { real: 'text', root: 'text', virtual: 'text' },
  attributes: { owner: 'text', group: 'text', permissions: 'number', acl: 'any' },
};

/** Returns the document with the tags over it. Throws `invalid_metadata` when a value does not fit. */
export function mergeTags(document: CrawlDocument, tags: unknown): CrawlDocument {
  if (!isObject(tags)) return document;
  const merged: Record<string, unknown> = { ...document };
  for (const [key, value] of Object.entries(tags)) mergeMember(merged, key, value);
  return merged;
}

function mergeMember(merged: Record<string, unknown>, key: string, value: unknown): void {
  const section = SECTIONS[key];
  if (section === undefined && !['content', 'attachment', 'object', 'external'].includes(key)) return;
  if (value === null) {
    Reflect.deleteProperty(merged, key);
    return;
  }
  if (key === 'content' || key === 'attachment') {
    merged[key] = toField('text', value, key);
    return;
  }
  if (key === 'object') {
    merged[key] = pruned(deepMerge(merged[key], value));
    return;
  }
  if (!isObject(value)) throw badTag(key, 'an object', value);
  const checked = section === undefined ? value : checkSection(key, section, value);
  const result = pruned(deepMerge(merged[key], checked));
  if (isObject(result) && Object.keys(result).length === 0 && key === 'external') Reflect.deleteProperty(merged, key);
  else merged[key] = result;
}

function checkSection(name: string, fields: Readonly<Record<string, FieldType>>, value: Json): Json {
  const checked: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) {
    const type = fields[key];
    if (type !== undefined) checked[key] = each === null ? null : toField(type, each, `${name}.${key}`);
  }
  return checked;
}

function toField(type: FieldType, value: unknown, name: string): unknown {
  switch (type) {
    case 'any':
      return value;
    case 'text':
      return toText(value, name);
    case 'number':
      return toNumber(value, name);
    case 'date':
      return toDate(value, name);
    case 'texts':
      return (Array.isArray(value) ? value : [value]).map((each: unknown) => toText(each, name));
    case 'textMap':
      if (!isObject(value)) throw badTag(name, 'an object', value);
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, each === null ? null : toText(each, `${name}.${key}`)]),
      );
  }
}

function toText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  throw badTag(name, 'a text', value);
}

function toNumber(value: unknown, name: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw badTag(name, 'a number', value);
  return number;
}

function toDate(value: unknown, name: string): string {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return value;
  throw badTag(name, 'a date', value);
}

function badTag(name: string, wanted: string, value: unknown): CrawlerError {
  const shown = JSON.stringify(value);
  return new CrawlerError(
    'invalid_metadata',
    `Error parsing tags: [${name}] must be ${wanted}, not ${shown.length > 80 ? `${shown.slice(0, 80)}…` : shown}.`,
  );
}

/** The tag wins; null stays, to be pruned. */
function deepMerge(base: unknown, tag: unknown): unknown {
  if (isObject(base) && isObject(tag)) {
    const merged: Record<string, unknown> = { ...base };
    for (const [key, value] of Object.entries(tag)) define(merged, key, deepMerge(base[key], value));
    return merged;
  }
  if (Array.isArray(base) && Array.isArray(tag)) {
    return tag.map((each: unknown, at) => (isObject(each) ? deepMerge(base[at], each) : each));
  }
  return tag;
}

/** Without nulls and, below the top, without what the nulls left empty. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  if (!isObject(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) {
    const inner = pruned(each);
    if (inner !== null && !(isObject(inner) && Object.keys(inner).length === 0)) define(kept, key, inner);
  }
  return kept;
}

/** Assignment that also stores a key called `__proto__` as an ordinary member. Defining all of them would be slow. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
