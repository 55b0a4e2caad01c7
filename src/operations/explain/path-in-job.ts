import { posix, resolve } from 'node:path';
import { isWithin, normaliseRoot } from '../../base/path.js';
import type { JobSettings } from '../../settings/job-settings.js';

/** A path as the source of the job knows it, from one that is absolute or from the root. It may lie outside of the job. */
export function pathInJob({ fs }: Pick<JobSettings, 'fs'>, path: string): string {
  const root = normaliseRoot(fs.url);
  const isLocal = fs.provider === 'local';
  const absolute = normaliseRoot(isLocal ? resolve(root, path) : posix.resolve('/', path));
  if (isWithin(root, absolute)) return absolute;
  const below = path.replace(/^[/\\]+/, '');
  const fromRoot = normaliseRoot(isLocal ? resolve(root, below) : posix.join(root, below));
  // A path from the root may begin with a slash; one that climbs out of it stays outside.
  return isWithin(root, fromRoot) ? fromRoot : absolute;
}
