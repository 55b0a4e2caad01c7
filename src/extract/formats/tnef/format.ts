import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'tnef',
    mediaTypes: ['application/vnd.ms-tnef', 'application/ms-tnef', 'application/x-tnef'],
    needs: 'whole',
    facts: {
      title: 'winmail.dat (TNEF)',
      library: 'own, iconv-lite',
      reads: 'subject, body, attachments as members',
      omits: '',
    },
    load: () => import('./tnef-extractor.js'),
  },
];
