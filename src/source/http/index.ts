import type { SourceDescription } from '../source-description.js';

/** Single documents behind a link; a web server lists no folders. */
export const http: SourceDescription = {
  type: 'http',
  fetch: {
    parameters: { url: { type: 'string', required: true, format: 'uri' } },
    load: async ({ settings, guard, maxBytes }) => {
      const [{ HttpFetch }, { Spool }] = await Promise.all([import('./http-fetch.js'), import('../spool.js')]);
      return new HttpFetch({ policy: guard, spool: new Spool(settings.fs.tempDir, 'requests'), maxBytes });
    },
  },
};
