import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'html',
    mediaTypes: [
      'text/html',
      'application/xhtml+xml',
      'application/vnd.wap.xhtml+xml',
      'application/x-asp',
      'text/asp',
    ],
    needs: 'stream',
    facts: {
      title: 'Web pages (HTML, XHTML)',
      library: 'htmlparser2',
      reads: 'the text of the body; title and `<meta>` as metadata',
      omits: 'scripts, styles, comments; what scripts would add',
    },
    load: () => import('./html-extractor.js'),
  },
];
