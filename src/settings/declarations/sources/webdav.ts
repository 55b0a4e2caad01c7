import { text, url, verbatim } from '../../setting-types.js';
import { section, setting } from '../../setting.js';
import { declareSource } from './source-declaration.js';

export const webdavDeclaration = declareSource({
  type: 'webdav',
  section: section('A WebDAV server to crawl, with `fs.provider: webdav`; `fs.url` is the folder below its address.', {
    endpoint: setting(url, {
      example: 'https://cloud.example.com/remote.php/dav/files/anna',
      meaning: 'Address of the share.',
    }),
    username: setting(text, { example: 'crawler', meaning: 'Login name. Not set: no login.' }),
    password: setting(verbatim, { secret: true, example: 'your-password', meaning: 'Login password.' }),
  }),
  rules: [
    {
      about: 'fs.webdav.endpoint',
      check: ({ endpoint }) =>
        endpoint === undefined ? 'Provider [webdav] requires fs.webdav.endpoint to be set' : undefined,
    },
  ],
});
