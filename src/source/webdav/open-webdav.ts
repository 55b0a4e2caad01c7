import type { JobSettings } from '../../settings/job-settings.js';
import { openGuard } from '../address-guard.js';
import { defaultTimeouts } from '../deadline.js';
import type { TreeSource } from '../source.js';
import { serverAt } from './webdav-server.js';
import { WebdavSource } from './webdav-source.js';

/** The tree of a job with `fs.provider: webdav`. */
export function openWebdav({ fs }: JobSettings): TreeSource {
  const { endpoint = '', username, password } = fs.webdav;
  const server = serverAt(endpoint, { username, password });
  return new WebdavSource({ ...server, guard: openGuard, timeouts: defaultTimeouts });
}
