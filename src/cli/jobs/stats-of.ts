import { statSync, type Stats } from 'node:fs';
import { CrawlerError, messageOf, systemCode } from '../../base/errors.js';

/**
 * What is at a path that somebody has typed; undefined for nothing.
 * @throws CrawlerError `denied` where the system does not say
 */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CrawlerError('denied', `[${path}] cannot be inspected: ${messageOf(error)}.`, {
      cause: error,
      subject: path,
    });
  }
}
