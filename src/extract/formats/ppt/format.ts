import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'ppt',
    mediaTypes: ['application/vnd.ms-powerpoint'],
    needs: 'whole',
    facts: {
      title: 'PowerPoint 97 to 2003 (ppt, pps, pot)',
      library: 'own, officecrypto-tool',
      reads:
        'slides, master texts, headers and footers, comments, notes, pictures and embedded documents as members, properties; with a password',
      omits: 'PowerPoint 95 and older; macros',
    },
    load: () => import('./ppt-extractor.js'),
  },
];
