import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'doc',
    mediaTypes: ['application/msword'],
    needs: 'whole',
    facts: {
      title: 'Word 6 to 2003 (doc, dot)',
      library: 'own, officecrypto-tool',
      reads:
        'headers, body, list numbers, text boxes, notes, comments, footers, pictures and embedded documents as members, properties; with a password',
      omits: 'Word 2 and 5 for DOS and Macintosh; macros',
    },
    load: () => import('./doc-extractor.js'),
  },
];
