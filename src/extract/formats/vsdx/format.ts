import type { Format } from '../../format.js';

const MACROS = 'macroenabled.12';

export const formats: readonly Format[] = [
  {
    name: 'vsdx',
    mediaTypes: [
      'application/vnd.ms-visio.drawing',
      `application/vnd.ms-visio.drawing.${MACROS}`,
      'application/vnd.ms-visio.stencil',
      `application/vnd.ms-visio.stencil.${MACROS}`,
      'application/vnd.ms-visio.template',
      `application/vnd.ms-visio.template.${MACROS}`,
    ],
    needs: 'whole',
    facts: {
      title: 'Visio (vsdx, stencils, templates)',
      library: 'own',
      reads: 'texts of the shapes, page by page; properties',
      omits: 'data of shapes; the binary vsd needs a Tika server',
    },
    load: () => import('./vsdx-extractor.js'),
  },
];
