import { CrawlerError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { familyQuery, isFamily, typeFamilies } from '../type-families.js';
import type { FieldNode } from './query-node.js';

/** Names that a person types before a colon, and the query that each stands for. None of them counts for relevance. */
export const shortNames = ['type', 'in', 'author', 'after', 'before', 'name', 'ext', 'lang'] as const;

type ShortName = (typeof shortNames)[number];

/** What an engine understands of file names: words of them, or parts in any case of letters. */
export type EngineType = 'embedded' | 'elastic';

export function isShortName(name: string): name is ShortName {
  return shortNames.some((each) => each === name);
}

/** Throws `corrupt` with a sentence for a value that makes no sense. */
export function shortNameQuery(name: ShortName, node: FieldNode, engine: EngineType): object {
  const { value } = node;
  if (value.kind === 'range') throw new CrawlerError('corrupt', `The field [${name}:] takes words, no range.`);
  switch (name) {
    case 'type':
      return typeQuery(value.text);
    case 'in':
      return folderQuery(value.text);
    case 'author':
      return { match_phrase: { 'meta.author': value.text } };
    case 'after':
      return { range: { 'file.last_modified': { gte: instantOf('after:', value.text) } } };
    case 'before':
      return { range: { 'file.last_modified': { lt: instantOf('before:', value.text) } } };
    case 'name':
      return nameQuery(value.text, engine);
    case 'ext':
      return { term: { 'file.extension': value.text.replace(/^\./, '').toLowerCase() } };
    case 'lang':
      return languageQuery(value.text);
  }
}

/** A family such as `pdf`, or a media type such as `text/plain` and `image/*`. */
export function typeQuery(text: string): object {
  const type = text.toLowerCase();
  if (type.includes('/')) return { prefix: { 'file.content_type': type.replace(/\*$/, '') } };
  if (isFamily(type)) return familyQuery(type);
  const meant = nearest(type, typeFamilies);
  const advice = meant === undefined ? `The types are ${typeFamilies.join(', ')}.` : `Did you mean [${meant}]?`;
  throw new CrawlerError('corrupt', `There is no type [${text}]. ${advice}`);
}

/** `en` is `en-GB` as well. */
function languageQuery(text: string): object {
  const [language = '', region] = text.split('-');
  const lower = language.toLowerCase();
  if (region !== undefined) return { term: { 'meta.language': `${lower}-${region.toUpperCase()}` } };
  const same = [{ term: { 'meta.language': lower } }, { prefix: { 'meta.language': `${lower}-` } }];
  return { bool: { should: same, minimum_should_match: 1 } };
}

/** A folder below the root of the job, with everything in it. */
export function folderQuery(text: string): object {
  const path = `/${text.replaceAll('\\', '/').replace(/^\/+|\/+$/g, '')}`;
  return path === '/' ? { match_all: {} } : { term: { 'path.virtual.tree': path } };
}

/**
 * The beginning of a year, month or day in UTC, or an instant as it is given.
 *
 * @param name of the parameter or field, for the sentence
 */
export function instantOf(name: string, text: string): string {
  const [, year, month = '01', day = '01', time] = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(T.+)?)?)?$/i.exec(text) ?? [];
  const instant = time === undefined ? `${year}-${month}-${day}T00:00:00.000Z` : text;
  const date = new Date(instant);
  if (year !== undefined && !Number.isNaN(date.getTime()) && (time !== undefined || date.toISOString() === instant)) {
    return date.toISOString();
  }
  const forms = '2024, 2024-03, 2024-03-31 or 2024-03-31T12:00:00Z';
  throw new CrawlerError('corrupt', `[${text}] is no date for [${name}]. Write it as ${forms}.`);
}

/** A cluster keeps file names whole; there a part of the name is looked for. */
function nameQuery(text: string, engine: EngineType): object {
  if (engine === 'elastic') {
    const pattern = text.includes('*') ? text : `*${text.replace(/[\\?]/g, '\\$&')}*`;
    return { wildcard: { 'file.filename': { value: pattern, case_insensitive: true } } };
  }
  if (/\*./.test(text)) return { wildcard: { 'file.filename': { value: text } } };
  const words = text.replace(/["\\+|()~-]/g, '\\$&');
  return { simple_query_string: { query: words, fields: ['file.filename'], default_operator: 'and' } };
}
