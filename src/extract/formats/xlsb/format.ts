import type { Format } from '../../format.js';

const MACROS = 'macroenabled.12';

export const formats: readonly Format[] = [
  {
    name: 'xlsb',
    mediaTypes: [`application/vnd.ms-excel.sheet.binary.${MACROS}`],
    needs: 'whole',
    facts: {
      title: 'Excel binary workbooks (xlsb)',
      library: 'own',
      reads:
        'cells as they are shown, headers and footers, comments, text boxes, charts, link targets, embedded documents, properties',
      omits: 'macros',
    },
    load: () => import('./xlsb-extractor.js'),
  },
];
