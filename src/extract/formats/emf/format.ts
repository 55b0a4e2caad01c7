import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'emf',
    mediaTypes: ['image/emf', 'image/wmf'],
    needs: 'whole',
    facts: {
      title: 'Windows metafiles (EMF, WMF)',
      library: 'own, iconv-lite',
      reads: 'words that are drawn, files inside',
      omits: 'letters that are drawn as curves',
    },
    load: () => import('./emf-extractor.js'),
  },
];
