import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'pdf',
    mediaTypes: ['application/pdf', 'application/illustrator'],
    needs: 'whole',
    facts: {
      title: 'PDF',
      library: '@embedpdf/pdfium and own',
      reads:
        'text of the pages, annotations, links, form fields, XFA forms, attached files, document properties and XMP; with a password; recognised text of pages that are pictures',
      omits: 'bookmarks; text drawn with fonts that do not say which letters they show',
    },
    load: () => import('./pdf-extractor.js'),
  },
];
