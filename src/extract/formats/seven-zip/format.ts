import type { Format } from '../../format.js';

const ALL_ENTRIES = 'name and contents of every entry, to any depth that the limits allow';

export const formats: readonly Format[] = [
  {
    name: 'seven-zip',
    mediaTypes: ['application/x-7z-compressed'],
    needs: 'whole',
    facts: {
      title: '7z',
      library: 'own, seek-bzip, node:zlib, node:crypto',
      reads: `${ALL_ENTRIES}; LZMA, LZMA2, bzip2, deflate, stored, with x86 and delta filters; entries and lists with a password`,
      omits: 'PPMd, deflate64, BCJ2 and filters for other processors; archives in several volumes or that are cut off',
    },
    load: () => import('./seven-zip-extractor.js'),
  },
];
