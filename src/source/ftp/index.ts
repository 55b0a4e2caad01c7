import { ftpDeclaration } from '../../settings/declarations/sources/ftp.js';
import { serverFetch } from '../server-parameters.js';
import type { SourceDescription } from '../source-description.js';

export const ftp: SourceDescription = {
  type: ftpDeclaration.type,
  openTree: async (settings) => (await import('./open-ftp.js')).openFtp(settings),
  fetch: {
    ...serverFetch,
    load: async (context) => new (await import('./ftp-fetch.js')).FtpFetch(context),
  },
};
