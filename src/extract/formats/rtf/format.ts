import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'rtf',
    mediaTypes: ['application/rtf', 'text/rtf'],
    needs: 'whole',
    facts: {
      title: 'Rich text (RTF)',
      library: 'own, iconv-lite',
      reads: 'text in any code page, headers, footers, notes, embedded files and pictures as members, properties',
      omits: 'hidden helper destinations',
    },
    load: () => import('./rtf-extractor.js'),
  },
];
