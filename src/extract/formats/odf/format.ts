import type { Format } from '../../format.js';

const ODF = 'application/vnd.oasis.opendocument';
const STAR_OFFICE = 'application/vnd.sun.xml';

export const formats: readonly Format[] = [
  {
    name: 'odf',
    mediaTypes: [
      `${ODF}.text`,
      `${ODF}.text-template`,
      `${ODF}.spreadsheet`,
      `${ODF}.spreadsheet-template`,
      `${ODF}.presentation`,
      `${ODF}.presentation-template`,
      `${ODF}.graphics`,
      `${ODF}.graphics-template`,
      `${ODF}.chart`,
      `${ODF}.chart-template`,
      `${ODF}.image`,
      `${ODF}.image-template`,
      `${ODF}.formula`,
      `${ODF}.formula-template`,
      `${ODF}.text-master`,
      `${ODF}.text-web`,
      `${ODF}.base`,
      `${ODF}.tika.flat.document`,
      `${ODF}.flat.text`,
      `${ODF}.flat.spreadsheet`,
      `${ODF}.flat.presentation`,
      `${ODF}.flat.graphics`,
      `${STAR_OFFICE}.writer`,
      `${STAR_OFFICE}.writer.template`,
      `${STAR_OFFICE}.writer.global`,
      `${STAR_OFFICE}.calc`,
      `${STAR_OFFICE}.calc.template`,
      `${STAR_OFFICE}.impress`,
      `${STAR_OFFICE}.impress.template`,
      `${STAR_OFFICE}.draw`,
      `${STAR_OFFICE}.draw.template`,
      `${STAR_OFFICE}.math`,
    ],
    needs: 'whole',
    facts: {
      title: 'OpenDocument, flat OpenDocument, StarOffice XML',
      library: 'own',
      reads:
        'text, tables, notes, comments, headers and footers, embedded objects, pictures as members, properties; with a password',
      omits: 'macros',
    },
    load: () => import('./odf-extractor.js'),
  },
];
