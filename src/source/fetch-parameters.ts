import { CrawlerError } from '../base/errors.js';
import type { FetchParameters } from './fetch.js';

/**
 * Reading the members of a fetch request. The sentences for a missing member are those that scripts know: an absent one
 * names its JSON path, an empty one is called missing.
 */
export function requiredText(type: string, parameters: FetchParameters, name: string, missing: string): string {
  const value = parameters[name];
  if (value === undefined) throw new CrawlerError('usage', `No results for path: $['${type}']['${name}']`);
  if (value === null || value === '') throw new CrawlerError('usage', missing);
  if (typeof value !== 'string') throw new CrawlerError('usage', `[${type}.${name}] must be a string`);
  return value;
}
