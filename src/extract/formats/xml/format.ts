import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'xml',
    mediaTypes: [
      '*+xml',
      'application/vnd.adobe.xfdf',
      'application/vnd.ms-spreadsheetml',
      'application/vnd.ms-word2006ml',
      'application/vnd.ms-wordml',
      'application/x-adobe-indesign-interchange',
      'application/x-java-jnlp-file',
      'application/x-ms-asx',
      'application/x-plist',
      'application/x-tmx',
      'application/xml',
    ],
    needs: 'stream',
    facts: {
      title: 'XML of all kinds, SVG, RSS, Word and Excel 2003 XML',
      library: 'htmlparser2',
      reads: 'the text of all elements',
      omits: 'attributes; entities that the document declares are not expanded',
    },
    load: () => import('./xml-extractor.js'),
  },
];
