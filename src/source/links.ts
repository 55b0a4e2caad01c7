import { CrawlerError } from '../base/errors.js';
import { isWithin, parentPath } from '../base/path.js';
import type { EntryKind } from '../model/entry.js';

/**
 * The guard against symbolic links that lead in a circle: true when the target of the link at `path` is one of the folders
 * on the way to it, by real path. `realPath` is asked once for each folder above; wrap it in `remembered` for a listing.
 */
export async function leadsBack(
  path: string,
  target: string,
  realPath: (folder: string) => Promise<string>,
): Promise<boolean> {
  const home = parentPath(path);
  for (let folder = home; folder !== undefined; folder = parentPath(folder)) {
    const real = await realPath(folder);
    if (real === target || (folder === home && isWithin(target, real))) return true;
  }
  return false;
}

/**
 * What a link is whose target cannot be looked at; undefined when it is the connection that failed. Servers do not tell a
 * link that leads in a circle from one whose target is missing.
 */
export function brokenLink(error: unknown): EntryKind | undefined {
  if (!(error instanceof CrawlerError)) return undefined;
  if (error.code === 'not_found') return 'dangling';
  return error.code === 'denied' ? 'unreachable' : undefined;
}

/** Asks once for each path. */
export function remembered(ask: (path: string) => Promise<string>): (path: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  return (path) => {
    const answer = known.get(path) ?? ask(path);
    known.set(path, answer);
    return answer;
  };
}
