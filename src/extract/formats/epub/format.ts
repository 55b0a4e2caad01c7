import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'epub',
    mediaTypes: ['application/epub+zip', 'application/x-ibooks+zip'],
    needs: 'whole',
    facts: {
      title: 'EPUB',
      library: 'htmlparser2 and own',
      reads: 'chapters in reading order, other files as members, metadata',
      omits: 'table of contents; books with copy protection',
    },
    load: () => import('./epub-extractor.js'),
  },
];
