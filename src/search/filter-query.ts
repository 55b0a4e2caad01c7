import { CrawlerError } from '../base/errors.js';
import { reasons } from '../model/reason.js';
import { filterNames, type FilterName, type Filters } from './find-request.js';
import { folderQuery, instantOf, typeQuery } from './query/short-names.js';

const DAY_MS = 86_400_000;

/**
 * The filters as queries: one value of each is enough, and all filters hold.
 *
 * Throws `corrupt` with a sentence that names the filter.
 */
export function filterQueries(filters: Filters): readonly object[] {
  return filterNames.flatMap((name) => {
    const values = filters[name] ?? [];
    const queries = values.map((value) => queryOf(name, value));
    if (queries.length < 2) return queries;
    return [{ bool: { should: queries, minimum_should_match: 1 } }];
  });
}

function queryOf(name: FilterName, value: string): object {
  switch (name) {
    case 'folder':
      return folderQuery(value);
    case 'type':
      return typeQuery(value);
    case 'ext':
      return { term: { 'file.extension': value.replace(/^\./, '').toLowerCase() } };
    case 'language':
      return { term: { 'meta.language': value } };
    case 'author':
      return { match_phrase: { 'meta.author': value } };
    case 'problem':
      return { term: { 'file.problem.keyword': reasonOf(value) } };
    case 'tag':
      return tagQuery(value);
    case 'modified_from':
      return { range: { 'file.last_modified': { gte: instantOf(name, value) } } };
    case 'modified_to':
      return { range: { 'file.last_modified': lastInstant(name, value) } };
    case 'size_from':
      return { range: { 'file.filesize': { gte: bytesOf(name, value) } } };
    case 'size_to':
      return { range: { 'file.filesize': { lte: bytesOf(name, value) } } };
  }
}

function reasonOf(value: string): string {
  if (Object.hasOwn(reasons, value)) return value;
  throw new CrawlerError(
    'corrupt',
    `There is no problem [${value}]. The problems are ${Object.keys(reasons).join(', ')}.`,
  );
}

/** A day counts to its end. */
function lastInstant(name: string, value: string): object {
  const instant = instantOf(name, value);
  if (value.includes('T')) return { lte: instant };
  const start = new Date(instant);
  const [, month, day] = value.split('-');
  if (day !== undefined) start.setTime(start.getTime() + DAY_MS);
  else if (month !== undefined) start.setUTCMonth(start.getUTCMonth() + 1);
  else start.setUTCFullYear(start.getUTCFullYear() + 1);
  return { lt: start.toISOString() };
}

function bytesOf(name: string, value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new CrawlerError('corrupt', `[${value}] is no number of bytes for [${name}].`);
}

/** `external.team:a`: what a document was tagged with. */
function tagQuery(value: string): object {
  const [, field, text] = /^(external\.[^:]+):(.+)$/su.exec(value) ?? [];
  if (field !== undefined && text !== undefined) return { term: { [`${field}.keyword`]: text } };
  throw new CrawlerError('corrupt', `[${value}] is no tag. Write it as external.team:value.`);
}
