import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'fb2',
    mediaTypes: ['application/x-fictionbook+xml'],
    needs: 'stream',
    facts: {
      title: 'FictionBook',
      library: 'htmlparser2',
      reads: 'text, title, authors, dates, pictures as members',
      omits: 'text in pictures without recognition',
    },
    load: () => import('./fb2-extractor.js'),
  },
];
