import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'xps',
    mediaTypes: ['application/vnd.ms-xpsdocument', 'application/oxps', 'model/vnd.dwfx+xps'],
    needs: 'whole',
    facts: {
      title: 'XPS, OpenXPS',
      library: 'own',
      reads: 'text, link targets, pictures as members',
      omits: 'text in pictures without recognition',
    },
    load: () => import('./xps-extractor.js'),
  },
];
