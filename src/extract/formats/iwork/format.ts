import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'iwork',
    mediaTypes: [
      'application/vnd.apple.iwork',
      'application/vnd.apple.keynote',
      'application/vnd.apple.keynote.13',
      'application/vnd.apple.keynote.18',
      'application/vnd.apple.pages',
      'application/vnd.apple.pages.13',
      'application/vnd.apple.pages.18',
      'application/vnd.apple.numbers',
      'application/vnd.apple.numbers.13',
      'application/vnd.apple.numbers.18',
      'application/vnd.apple.unknown.13',
    ],
    needs: 'whole',
    facts: {
      title: "Keynote, Pages, Numbers ('09, and 2013 on)",
      library: 'own',
      reads: 'text, tables, notes, comments',
      omits: 'texts of templates; documents with a password',
    },
    load: () => import('./iwork-extractor.js'),
  },
];
