import type { FormatExtractor } from './format.js';
import { mediaTypes } from './media-types.js';

/**
 * All formats, by explicit entries. A module is loaded when the first document of its format arrives, so that a process
 * starts quickly and holds only the libraries that it needs. Each format lists its media types itself; they are repeated
 * in `media-types.ts` so that a document can be sent to it without loading it (a test compares the two).
 */
export interface FormatEntry {
  readonly name: string;
  readonly mediaTypes: readonly string[];
  readonly needs: Needs;
  load(): Promise<FormatExtractor>;
}

/**
 * How much of a large file a format can use:
 * `whole`  all bytes or none;
 * `text`   only as many as the wanted characters can take (and it is quick);
 * `stream` whatever is there, from the front;
 * `head`   the front is enough.
 */
export type Needs = 'whole' | 'text' | 'stream' | 'head';

export const formats: readonly FormatEntry[] = [
  {
    name: 'text',
    mediaTypes: mediaTypes.text,
    needs: 'text',
    load: async () => (await import('./formats/text/text-extractor.js')).textExtractor,
  },
  {
    name: 'csv',
    mediaTypes: mediaTypes.csv,
    needs: 'text',
    load: async () => (await import('./formats/text/csv-extractor.js')).csvExtractor,
  },
  {
    name: 'json',
    mediaTypes: mediaTypes.json,
    needs: 'text',
    load: async () => (await import('./formats/text/json-extractor.js')).jsonExtractor,
  },
  {
    name: 'html',
    mediaTypes: mediaTypes.html,
    needs: 'stream',
    load: async () => (await import('./formats/html/html-extractor.js')).htmlExtractor,
  },
  {
    name: 'xml',
    mediaTypes: mediaTypes.xml,
    needs: 'stream',
    load: async () => (await import('./formats/xml/xml-extractor.js')).xmlExtractor,
  },
  {
    name: 'fb2',
    mediaTypes: mediaTypes.fb2,
    needs: 'stream',
    load: async () => (await import('./formats/fb2/fb2-extractor.js')).fb2Extractor,
  },
  {
    name: 'zip',
    mediaTypes: mediaTypes.zip,
    needs: 'whole',
    load: async () => (await import('./formats/archive/zip-extractor.js')).zipExtractor,
  },
  {
    name: 'tar',
    mediaTypes: mediaTypes.tar,
    needs: 'stream',
    load: async () => (await import('./formats/archive/tar-extractor.js')).tarExtractor,
  },
  {
    name: 'gzip',
    mediaTypes: mediaTypes.gzip,
    needs: 'stream',
    load: async () => (await import('./formats/compressed/gzip-extractor.js')).gzipExtractor,
  },
  {
    name: 'bzip2',
    mediaTypes: mediaTypes.bzip2,
    needs: 'stream',
    load: async () => (await import('./formats/compressed/bzip2-extractor.js')).bzip2Extractor,
  },
  {
    name: 'cpio',
    mediaTypes: mediaTypes.cpio,
    needs: 'stream',
    load: async () => (await import('./formats/archive/cpio-extractor.js')).cpioExtractor,
  },
  {
    name: 'ar',
    mediaTypes: mediaTypes.ar,
    needs: 'stream',
    load: async () => (await import('./formats/archive/ar-extractor.js')).arExtractor,
  },
  {
    name: 'xz',
    mediaTypes: mediaTypes.xz,
    needs: 'stream',
    load: async () => (await import('./formats/compressed/xz/xz-extractor.js')).xzExtractor,
  },
  {
    name: 'lzma',
    mediaTypes: mediaTypes.lzma,
    needs: 'stream',
    load: async () => (await import('./formats/compressed/lzma-extractor.js')).lzmaExtractor,
  },
  {
    name: 'compress',
    mediaTypes: mediaTypes.compress,
    needs: 'stream',
    load: async () => (await import('./formats/compressed/compress-extractor.js')).compressExtractor,
  },
  {
    name: 'seven-zip',
    mediaTypes: mediaTypes['seven-zip'],
    needs: 'whole',
    load: async () => (await import('./formats/seven-zip/seven-zip-extractor.js')).sevenZipExtractor,
  },
  {
    name: 'pdf',
    mediaTypes: mediaTypes.pdf,
    needs: 'whole',
    load: async () => (await import('./formats/pdf/pdf-extractor.js')).pdfExtractor,
  },
  {
    name: 'docx',
    mediaTypes: mediaTypes.docx,
    needs: 'whole',
    load: async () => (await import('./formats/docx/docx-extractor.js')).docxExtractor,
  },
  {
    name: 'xlsx',
    mediaTypes: mediaTypes.xlsx,
    needs: 'whole',
    load: async () => (await import('./formats/xlsx/xlsx-extractor.js')).xlsxExtractor,
  },
  {
    name: 'xlsb',
    mediaTypes: mediaTypes.xlsb,
    needs: 'whole',
    load: async () => (await import('./formats/xlsb/xlsb-extractor.js')).xlsbExtractor,
  },
  {
    name: 'pptx',
    mediaTypes: mediaTypes.pptx,
    needs: 'whole',
    load: async () => (await import('./formats/pptx/pptx-extractor.js')).pptxExtractor,
  },
  {
    name: 'odf',
    mediaTypes: mediaTypes.odf,
    needs: 'whole',
    load: async () => (await import('./formats/odf/odf-extractor.js')).odfExtractor,
  },
  {
    name: 'epub',
    mediaTypes: mediaTypes.epub,
    needs: 'whole',
    load: async () => (await import('./formats/epub/epub-extractor.js')).epubExtractor,
  },
  {
    name: 'rtf',
    mediaTypes: mediaTypes.rtf,
    needs: 'whole',
    load: async () => (await import('./formats/rtf/rtf-extractor.js')).rtfExtractor,
  },
  {
    name: 'iwork',
    mediaTypes: mediaTypes.iwork,
    needs: 'whole',
    load: async () => (await import('./formats/iwork/iwork-extractor.js')).iworkExtractor,
  },
  {
    name: 'vsdx',
    mediaTypes: mediaTypes.vsdx,
    needs: 'whole',
    load: async () => (await import('./formats/vsdx/vsdx-extractor.js')).vsdxExtractor,
  },
  {
    name: 'xps',
    mediaTypes: mediaTypes.xps,
    needs: 'whole',
    load: async () => (await import('./formats/xps/xps-extractor.js')).xpsExtractor,
  },
  {
    name: 'doc',
    mediaTypes: mediaTypes.doc,
    needs: 'whole',
    load: async () => (await import('./formats/doc/doc-extractor.js')).docExtractor,
  },
  {
    name: 'xls',
    mediaTypes: mediaTypes.xls,
    needs: 'whole',
    load: async () => (await import('./formats/xls/xls-extractor.js')).xlsExtractor,
  },
  {
    name: 'ppt',
    mediaTypes: mediaTypes.ppt,
    needs: 'whole',
    load: async () => (await import('./formats/ppt/ppt-extractor.js')).pptExtractor,
  },
  {
    name: 'msg',
    mediaTypes: mediaTypes.msg,
    needs: 'whole',
    load: async () => (await import('./formats/msg/msg-extractor.js')).msgExtractor,
  },
  {
    name: 'protected-office',
    mediaTypes: mediaTypes['protected-office'],
    needs: 'whole',
    load: async () =>
      (await import('./formats/protected-office/protected-office-extractor.js')).protectedOfficeExtractor,
  },
  {
    name: 'mail',
    mediaTypes: mediaTypes.mail,
    needs: 'whole',
    load: async () => (await import('./formats/mail/mail-extractor.js')).mailExtractor,
  },
  {
    name: 'mbox',
    mediaTypes: mediaTypes.mbox,
    needs: 'stream',
    load: async () => (await import('./formats/mail/mbox-extractor.js')).mboxExtractor,
  },
  {
    name: 'tnef',
    mediaTypes: mediaTypes.tnef,
    needs: 'whole',
    load: async () => (await import('./formats/tnef/tnef-extractor.js')).tnefExtractor,
  },
  {
    name: 'emf',
    mediaTypes: mediaTypes.emf,
    needs: 'whole',
    load: async () => (await import('./formats/emf/emf-extractor.js')).emfExtractor,
  },
  {
    name: 'image',
    mediaTypes: mediaTypes.image,
    needs: 'whole',
    load: async () => (await import('./formats/image/image-extractor.js')).imageExtractor,
  },
  {
    name: 'media',
    mediaTypes: mediaTypes.media,
    needs: 'head',
    load: async () => (await import('./formats/media/media-extractor.js')).mediaExtractor,
  },
];

const byType = new Map(formats.flatMap((format) => format.mediaTypes.map((type) => [type, format] as const)));

/**
 * Raised whenever the same bytes may give another text or other metadata than before: known documents are then extracted
 * again.
 */
const extractionVersion = 1;

/** `ExtractorService.version` of the extractors of this program. */
export const embeddedVersion = `embedded-${extractionVersion}`;

/** The format for a detected type: by the whole type, without its parameters, by its ending, by its beginning. */
export function findFormat(mediaType: string): FormatEntry | undefined {
  const exact = byType.get(mediaType);
  if (exact !== undefined) return exact;
  const semicolon = mediaType.indexOf(';');
  if (semicolon !== -1) return findFormat(mediaType.slice(0, semicolon));
  if (mediaType.endsWith('+xml')) return byType.get('*+xml');
  return mediaType.startsWith('text/') ? byType.get('text/*') : undefined;
}
