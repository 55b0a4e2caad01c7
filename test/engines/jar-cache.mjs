import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where downloaded servers are kept: not below node_modules, which every `npm ci` empties. */
export function jarCache(name) {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'document-crawler-tests', name);
}
