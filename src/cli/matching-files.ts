import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { CrawlerError } from '../base/errors.js';

/**
 * The files that a person has named. A name that is no file but a pattern stands for the files that match it: some shells
 * (on Windows all of them), and quotes, leave patterns as they are.
 *
 * @throws CrawlerError `not_found` for a pattern that no file matches
 */
export async function matchingFiles(names: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const name of names) files.push(...(existsSync(name) ? [name] : await matchesOf(name)));
  return files;
}

async function matchesOf(name: string): Promise<readonly string[]> {
  const { default: glob } = await import('fast-glob');
  const pattern = sep === '/' ? name : name.replaceAll(sep, '/');
  // A plain name: that it is missing is reported where it is opened.
  if (!glob.isDynamicPattern(pattern)) return [name];
  const found = await glob(pattern, { suppressErrors: true });
  if (found.length === 0) throw new CrawlerError('not_found', `No file matches [${name}].`, { subject: name });
  return found.sort();
}
