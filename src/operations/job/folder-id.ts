import { sign } from '../../base/digest.js';
import { joinPath, normaliseRoot, separatorOf } from '../../base/path.js';
import type { JobSettings } from '../../settings/job-settings.js';

/** Id in the index of a folder, whose path is from the root with `/` (`/`, `/a/b`). */
export function folderId({ fs }: Pick<JobSettings, 'fs'>, folder: string): string {
  const root = normaliseRoot(fs.url);
  const below = folder.replace(/^\/+|\/+$/g, '').replaceAll('/', separatorOf(root));
  return sign(fs.hashAlgorithm, below === '' ? root : joinPath(root, below));
}
