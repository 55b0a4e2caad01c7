import type { mediaTypes } from './media-types.js';

/** What people want to know of a format before they rely on it. docs/formats.md is made of this. */
export interface FormatFacts {
  readonly title: string;
  /** What reads it: `own` code, or packages. */
  readonly library: string;
  readonly reads: string;
  /** What there may be in such a file that nobody will find. */
  readonly omits: string;
}

const ARCHIVE = 'name and contents of every entry, to any depth that the limits allow';
const PICTURES = 'text in pictures without recognition';

export const formatFacts: Readonly<Record<keyof typeof mediaTypes, FormatFacts>> = {
  text: {
    title: 'Plain text, source code, configuration',
    library: 'own, jschardet, iconv-lite',
    reads: 'all of it, in any of some ninety character sets: by byte order mark, as UTF-8, or as the statistics say',
    omits: 'EBCDIC is not told apart',
  },
  csv: {
    title: 'Tables as text (CSV, TSV)',
    library: 'own, jschardet, iconv-lite',
    reads: 'all cells; the delimiter is found out',
    omits: '',
  },
  json: { title: 'JSON', library: 'own', reads: 'all of it, as it is written', omits: '' },
  html: {
    title: 'Web pages (HTML, XHTML)',
    library: 'htmlparser2',
    reads: 'the text of the body; title and `<meta>` as metadata',
    omits: 'scripts, styles, comments; what scripts would add',
  },
  xml: {
    title: 'XML of all kinds, SVG, RSS, Word and Excel 2003 XML',
    library: 'htmlparser2',
    reads: 'the text of all elements',
    omits: 'attributes; entities that the document declares are not expanded',
  },
  fb2: {
    title: 'FictionBook',
    library: 'htmlparser2',
    reads: 'text, title, authors, dates, pictures as members',
    omits: PICTURES,
  },
  zip: {
    title: 'Zip, and formats that are nothing but a zip (jar, war, apk, kmz, idml, xmind)',
    library: 'own, node:zlib, fflate',
    reads: `${ARCHIVE}; archives that are cut off as far as they go; entries with a password (ZipCrypto, AES)`,
    omits: 'other compression than deflate; entries spread over several files',
  },
  tar: { title: 'Tar', library: 'own', reads: ARCHIVE, omits: 'links, devices' },
  cpio: { title: 'Cpio', library: 'own', reads: ARCHIVE, omits: 'links, devices' },
  ar: {
    title: 'Ar archives, Debian packages',
    library: 'own',
    reads: ARCHIVE,
    omits: 'indices of compilers; packages whose files are compressed with zstd',
  },
  gzip: { title: 'Gzip', library: 'node:zlib', reads: 'the one file inside, also a tar', omits: '' },
  bzip2: { title: 'Bzip2', library: 'seek-bzip', reads: 'the one file inside, also a tar', omits: '' },
  xz: {
    title: 'Xz',
    library: 'own',
    reads: 'the one file inside, also a tar',
    omits: 'filters for other processors than x86',
  },
  lzma: { title: 'LZMA', library: 'own', reads: 'the one file inside, also a tar', omits: '' },
  compress: {
    title: 'Unix compress',
    library: 'own',
    reads: 'the one file inside, also a tar',
    omits: 'a file that is cut off does not say so',
  },
  'seven-zip': {
    title: '7z',
    library: 'own, seek-bzip, node:zlib, node:crypto',
    reads: `${ARCHIVE}; LZMA, LZMA2, bzip2, deflate, stored, with x86 and delta filters; entries and lists with a password`,
    omits: 'PPMd, deflate64, BCJ2 and filters for other processors; archives in several volumes or that are cut off',
  },
  pdf: {
    title: 'PDF',
    library: '@embedpdf/pdfium and own',
    reads:
      'text of the pages, annotations, links, form fields, XFA forms, attached files, document properties and XMP; with a password; recognised text of pages that are pictures',
    omits: 'bookmarks; text drawn with fonts that do not say which letters they show',
  },
  docx: {
    title: 'Word (docx, docm, templates)',
    library: 'own',
    reads:
      'headers, body, list numbers, tables, text boxes, footnotes, endnotes, comments, SmartArt, charts, link targets, footers, embedded documents, properties',
    omits: 'deleted text of tracked changes; macros',
  },
  xlsx: {
    title: 'Excel (xlsx, xlsm, templates)',
    library: 'own',
    reads:
      'cells as they are shown, headers and footers, comments, text boxes, charts, link targets, embedded documents, properties',
    omits: 'formulas (their results are read); macros',
  },
  xlsb: {
    title: 'Excel binary workbooks (xlsb)',
    library: 'own',
    reads:
      'cells as they are shown, headers and footers, comments, text boxes, charts, link targets, embedded documents, properties',
    omits: 'macros',
  },
  pptx: {
    title: 'PowerPoint (pptx, pptm, shows, templates)',
    library: 'own',
    reads: 'slides, tables, SmartArt, charts, notes, comments, master texts, embedded documents, properties',
    omits: 'macros',
  },
  odf: {
    title: 'OpenDocument, flat OpenDocument, StarOffice XML',
    library: 'own',
    reads:
      'text, tables, notes, comments, headers and footers, embedded objects, pictures as members, properties; with a password',
    omits: 'macros',
  },
  epub: {
    title: 'EPUB',
    library: 'htmlparser2 and own',
    reads: 'chapters in reading order, other files as members, metadata',
    omits: 'table of contents; books with copy protection',
  },
  rtf: {
    title: 'Rich text (RTF)',
    library: 'own, iconv-lite',
    reads: 'text in any code page, headers, footers, notes, embedded files and pictures as members, properties',
    omits: 'hidden helper destinations',
  },
  iwork: {
    title: "Keynote, Pages, Numbers ('09, and 2013 on)",
    library: 'own',
    reads: 'text, tables, notes, comments',
    omits: 'texts of templates; documents with a password',
  },
  vsdx: {
    title: 'Visio (vsdx, stencils, templates)',
    library: 'own',
    reads: 'texts of the shapes, page by page; properties',
    omits: 'data of shapes; the binary vsd needs a Tika server',
  },
  xps: { title: 'XPS, OpenXPS', library: 'own', reads: 'text, link targets, pictures as members', omits: PICTURES },
  doc: {
    title: 'Word 6 to 2003 (doc, dot)',
    library: 'own, officecrypto-tool',
    reads:
      'headers, body, list numbers, text boxes, notes, comments, footers, pictures and embedded documents as members, properties; with a password',
    omits: 'Word 2 and 5 for DOS and Macintosh; macros',
  },
  xls: {
    title: 'Excel 2 to 2003, Works spreadsheets, Microsoft Graph (xls, xlt, xlr)',
    library: 'own, officecrypto-tool',
    reads:
      'cells as they are shown, headers and footers, text boxes, comments, charts, links, pictures and embedded documents as members, properties; with a password',
    omits: 'macros',
  },
  ppt: {
    title: 'PowerPoint 97 to 2003 (ppt, pps, pot)',
    library: 'own, officecrypto-tool',
    reads:
      'slides, master texts, headers and footers, comments, notes, pictures and embedded documents as members, properties; with a password',
    omits: 'PowerPoint 95 and older; macros',
  },
  msg: {
    title: 'Outlook messages (msg, oft)',
    library: 'own, postal-mime, iconv-lite',
    reads: 'subject, sender, recipients, the body once, attachments as members',
    omits: '',
  },
  'protected-office': {
    title: 'Office files behind a password',
    library: 'officecrypto-tool',
    reads: 'the document inside, with a password',
    omits: 'files behind rights management',
  },
  mail: {
    title: 'Mail and saved web pages (eml, mht, emlx)',
    library: 'postal-mime and own',
    reads: 'headers as metadata, the body once, attachments as members',
    omits: 'bodies that are encrypted (S/MIME, PGP)',
  },
  mbox: {
    title: 'Mailboxes (mbox)',
    library: 'own',
    reads: 'every message as a member',
    omits: '',
  },
  tnef: {
    title: 'winmail.dat (TNEF)',
    library: 'own, iconv-lite',
    reads: 'subject, body, attachments as members',
    omits: '',
  },
  emf: {
    title: 'Windows metafiles (EMF, WMF)',
    library: 'own, iconv-lite',
    reads: 'words that are drawn, files inside',
    omits: 'letters that are drawn as curves',
  },
  image: {
    title: 'Pictures',
    library: 'own, saxes; tesseract where it is installed',
    reads: 'size, EXIF, IPTC, XMP, place, comments; recognised text',
    omits: PICTURES,
  },
  media: {
    title: 'Sound and video',
    library: 'music-metadata and own',
    reads: 'title, artist, album, comments, lyrics, length and kind of the recording',
    omits: 'what is said; subtitles inside of the file',
  },
};
