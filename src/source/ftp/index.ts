import { ftpDeclaration } from '../../settings/declarations/sources/ftp.js';
import type { SourceDescription } from '../source-description.js';

export const ftp: SourceDescription = {
  type: ftpDeclaration.type,
  openTree: async (settings) => (await import('./open-ftp.js')).openFtp(settings),
  fetch: {
    about: 'What is left out is taken from `server.*` of the job.',
    parameters: {
      path: { type: 'string', required: true },
      hostname: { type: 'string' },
      port: { type: 'integer' },
      username: { type: 'string' },
      password: { type: 'string' },
    },
    load: async (context) => new (await import('./ftp-fetch.js')).FtpFetch(context),
  },
};
