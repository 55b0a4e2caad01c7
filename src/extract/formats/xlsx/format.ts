import type { Format } from '../../format.js';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const MACROS = 'macroenabled.12';

export const formats: readonly Format[] = [
  {
    name: 'xlsx',
    mediaTypes: [
      `${OOXML}.spreadsheetml.sheet`,
      `${OOXML}.spreadsheetml.template`,
      `application/vnd.ms-excel.sheet.${MACROS}`,
      `application/vnd.ms-excel.template.${MACROS}`,
      `application/vnd.ms-excel.addin.${MACROS}`,
    ],
    needs: 'whole',
    facts: {
      title: 'Excel (xlsx, xlsm, templates)',
      library: 'own',
      reads:
        'cells as they are shown, headers and footers, comments, text boxes, charts, link targets, embedded documents, properties',
      omits: 'formulas (their results are read); macros',
    },
    load: () => import('./xlsx-extractor.js'),
  },
];
