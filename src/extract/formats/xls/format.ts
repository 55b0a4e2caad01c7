import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'xls',
    mediaTypes: [
      'application/vnd.ms-excel',
      'application/vnd.ms-excel.sheet.2',
      'application/vnd.ms-excel.sheet.3',
      'application/vnd.ms-excel.sheet.4',
      'application/vnd.ms-excel.workspace.3',
      'application/vnd.ms-excel.workspace.4',
      'application/vnd.ms-graph',
      'application/x-tika-msworks-spreadsheet',
    ],
    needs: 'whole',
    facts: {
      title: 'Excel 2 to 2003, Works spreadsheets, Microsoft Graph (xls, xlt, xlr)',
      library: 'own, officecrypto-tool',
      reads:
        'cells as they are shown, headers and footers, text boxes, comments, charts, links, pictures and embedded documents as members, properties; with a password',
      omits: 'macros',
    },
    load: () => import('./xls-extractor.js'),
  },
];
