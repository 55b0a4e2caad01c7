import type { Format } from '../../format.js';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const MACROS = 'macroenabled.12';

export const formats: readonly Format[] = [
  {
    name: 'docx',
    mediaTypes: [
      `${OOXML}.wordprocessingml.document`,
      `${OOXML}.wordprocessingml.template`,
      `application/vnd.ms-word.document.${MACROS}`,
      `application/vnd.ms-word.template.${MACROS}`,
    ],
    needs: 'whole',
    facts: {
      title: 'Word (docx, docm, templates)',
      library: 'own',
      reads:
        'headers, body, list numbers, tables, text boxes, footnotes, endnotes, comments, SmartArt, charts, link targets, footers, embedded documents, properties',
      omits: 'deleted text of tracked changes; macros',
    },
    load: () => import('./docx-extractor.js'),
  },
];
