import { CrawlerError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';

/**
 * Refuses options that do not exist: in JavaScript a misspelt one would go unnoticed.
 * @param what the call that they are for: `crawl`, `extract`
 * @throws CrawlerError `usage`
 */
export function checkOptions(what: string, options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const meant = nearest(name, known);
    const advice = meant === undefined ? `It takes: ${known.join(', ')}.` : `Did you mean [${meant}]?`;
    throw new CrawlerError('usage', `[${name}] is not an option of ${what}. ${advice}`, { subject: name });
  }
}
