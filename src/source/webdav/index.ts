import { webdavDeclaration } from '../../settings/declarations/sources/webdav.js';
import type { SourceDescription } from '../source-description.js';

export const webdav: SourceDescription = {
  type: webdavDeclaration.type,
  openTree: async (settings) => (await import('./open-webdav.js')).openWebdav(settings),
  fetch: {
    about: 'What is left out is taken from `fs.webdav.*` of the job; its login goes to its own server only.',
    parameters: {
      path: { type: 'string', required: true, about: 'Of the file, below the endpoint.' },
      endpoint: { type: 'string', format: 'uri', about: 'Address of the share.' },
      username: { type: 'string' },
      password: { type: 'string' },
    },
    load: async (context) => new (await import('./webdav-fetch.js')).WebdavFetch(context),
  },
};
