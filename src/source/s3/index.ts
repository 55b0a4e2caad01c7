import { s3Declaration } from '../../settings/declarations/sources/s3.js';
import type { SourceDescription } from '../source-description.js';

export const s3: SourceDescription = {
  type: s3Declaration.type,
  openTree: async (settings) => (await import('./open-s3.js')).openS3(settings),
  fetch: {
    parameters: {
      url: { type: 'string', required: true, format: 'uri' },
      bucket: { type: 'string', required: true },
      object: { type: 'string', required: true },
      access_key: { type: 'string', required: true },
      secret_key: { type: 'string', required: true },
      session_token: { type: 'string', about: 'Of temporary keys.' },
    },
    load: async (context) => new (await import('./s3-fetch.js')).S3Fetch(context),
  },
};
