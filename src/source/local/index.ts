import { localDeclaration } from '../../settings/declarations/sources/local.js';
import type { JobSettings } from '../../settings/job-settings.js';
import type { SourceDescription } from '../source-description.js';

export const local: SourceDescription = {
  type: localDeclaration.type,
  openTree: async ({ fs }) => {
    const { LocalSource } = await import('./local-source.js');
    return new LocalSource({ followSymlinks: fs.followSymlinks });
  },
  fetch: {
    parameters: {
      url: { type: 'string', required: true, about: 'A file below `fs.url`, absolute or relative to it.' },
    },
    load: async ({ settings }) => new (await import('./local-fetch.js')).LocalFetch(rootOf(settings)),
  },
  loadWatcher: async () => (await import('./watch/local-watch.js')).localWatcher,
};

function rootOf({ fs }: JobSettings): string | undefined {
  return fs.provider === localDeclaration.type && fs.url !== '' ? fs.url : undefined;
}
