import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'gzip',
    mediaTypes: ['application/gzip', 'application/warc+gz', 'application/x-ms-wmz', 'image/x-emf-compressed'],
    needs: 'stream',
    facts: { title: 'Gzip', library: 'node:zlib', reads: 'the one file inside, also a tar', omits: '' },
    load: () => import('./gzip-extractor.js'),
  },
  {
    name: 'bzip2',
    mediaTypes: ['application/x-bzip2', 'application/x-bzip'],
    needs: 'stream',
    facts: { title: 'Bzip2', library: 'seek-bzip', reads: 'the one file inside, also a tar', omits: '' },
    load: () => import('./bzip2-extractor.js'),
  },
  {
    name: 'xz',
    mediaTypes: ['application/x-xz'],
    needs: 'stream',
    facts: {
      title: 'Xz',
      library: 'own',
      reads: 'the one file inside, also a tar',
      omits: 'filters for other processors than x86',
    },
    load: () => import('./xz/xz-extractor.js'),
  },
  {
    name: 'lzma',
    mediaTypes: ['application/x-lzma'],
    needs: 'stream',
    facts: { title: 'LZMA', library: 'own', reads: 'the one file inside, also a tar', omits: '' },
    load: () => import('./lzma-extractor.js'),
  },
  {
    name: 'compress',
    mediaTypes: ['application/x-compress'],
    needs: 'stream',
    facts: {
      title: 'Unix compress',
      library: 'own',
      reads: 'the one file inside, also a tar',
      omits: 'a file that is cut off does not say so',
    },
    load: () => import('./compress-extractor.js'),
  },
];
