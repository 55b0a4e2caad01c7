import type { Format } from '../../format.js';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const MACROS = 'macroenabled.12';

export const formats: readonly Format[] = [
  {
    name: 'pptx',
    mediaTypes: [
      `${OOXML}.presentationml.presentation`,
      `${OOXML}.presentationml.slideshow`,
      `${OOXML}.presentationml.template`,
      `${OOXML}.presentationml.slide`,
      `application/vnd.ms-powerpoint.presentation.${MACROS}`,
      `application/vnd.ms-powerpoint.slideshow.${MACROS}`,
      `application/vnd.ms-powerpoint.template.${MACROS}`,
      `application/vnd.ms-powerpoint.addin.${MACROS}`,
      `application/vnd.ms-powerpoint.slide.${MACROS}`,
    ],
    needs: 'whole',
    facts: {
      title: 'PowerPoint (pptx, pptm, shows, templates)',
      library: 'own',
      reads: 'slides, tables, SmartArt, charts, notes, comments, master texts, embedded documents, properties',
      omits: 'macros',
    },
    load: () => import('./pptx-extractor.js'),
  },
];
