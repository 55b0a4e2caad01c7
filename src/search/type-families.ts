/**
 * Kinds of documents as people name them. A media type belongs to the family with the longest prefix that it begins with, so
 * that parameters (`text/plain; charset=UTF-8`) and variants (`…wordprocessingml.template`) need no rows of their own.
 */
export const typeFamilies = [
  'pdf',
  'document',
  'spreadsheet',
  'presentation',
  'mail',
  'web',
  'text',
  'image',
  'audio',
  'video',
  'archive',
  'data',
  'other',
] as const;

export type TypeFamily = (typeof typeFamilies)[number];

type NamedFamily = Exclude<TypeFamily, 'other'>;

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';

const PREFIXES: Readonly<Record<NamedFamily, readonly string[]>> = {
  pdf: ['application/pdf'],
  document: [
    'application/msword',
    'application/vnd.ms-word',
    'application/rtf',
    'text/rtf',
    'text/richtext',
    `${OPEN_XML}wordprocessingml`,
    `${OPEN_DOCUMENT}text`,
    `${OPEN_DOCUMENT}flat.text`,
    'application/vnd.sun.xml.writer',
    'application/vnd.stardivision.writer',
    'application/vnd.apple.pages',
    'application/epub+zip',
    'application/x-ibooks+zip',
    'application/x-fictionbook+xml',
    'application/x-mobipocket-ebook',
    'application/vnd.ms-xpsdocument',
    'application/oxps',
    'model/vnd.dwfx+xps',
    'image/vnd.djvu',
    'application/postscript',
    'application/onenote',
    'application/x-mspublisher',
    'application/x-tika-ooxml-protected',
    'application/x-tika-ole-drm-encrypted',
    'application/vnd.wordperfect',
    'application/vnd.lotus-wordpro',
    'application/vnd.ms-works',
    'application/x-mswrite',
    'application/x-abiword',
    'application/hwp+zip',
    'application/x-hwp',
    'application/vnd.apple.iwork',
    'application/vnd.apple.unknown',
    'application/vnd.mif',
    'application/vnd.framemaker',
    'application/vnd.adobe.indesign-idml-package',
    'application/x-adobe-indesign',
    'application/vnd.oasis.opendocument.formula',
    'application/vnd.oasis.opendocument.tika.flat.document',
    'application/vnd.sun.xml.math',
    'application/vnd.adobe.xfdf',
    'application/vnd.fdf',
    'application/vnd.mindjet.mindmanager',
    'application/x-xmind',
    'application/bizagi-modeler',
  ],
  spreadsheet: [
    'application/vnd.ms-excel',
    `${OPEN_XML}spreadsheetml`,
    `${OPEN_DOCUMENT}spreadsheet`,
    `${OPEN_DOCUMENT}flat.spreadsheet`,
    'application/vnd.sun.xml.calc',
    'application/vnd.stardivision.calc',
    'application/vnd.apple.numbers',
    'application/vnd.lotus-1-2-3',
    'application/x-quattro-pro',
    'application/x-tika-msworks-spreadsheet',
    'text/csv',
    'text/tab-separated-values',
    'text/tsv',
    'application/vnd.ms-spreadsheetml',
  ],
  presentation: [
    'application/vnd.ms-powerpoint',
    `${OPEN_XML}presentationml`,
    `${OPEN_DOCUMENT}presentation`,
    `${OPEN_DOCUMENT}flat.presentation`,
    'application/vnd.sun.xml.impress',
    'application/vnd.stardivision.impress',
    'application/vnd.apple.keynote',
    'application/x-corelpresentations',
  ],
  mail: [
    'message/',
    'multipart/',
    'application/mbox',
    'application/vnd.ms-outlook',
    'application/vnd.ms-tnef',
    'application/ms-tnef',
    'application/x-tnef',
  ],
  web: [
    'text/html',
    'text/asp',
    'multipart/related',
    'application/xhtml+xml',
    'application/rss+xml',
    'application/atom+xml',
    'application/vnd.ms-htmlhelp',
    'application/vnd.wap.',
    'text/vnd.wap.',
    'application/x-asp',
    'application/x-httpresponse',
  ],
  text: [
    'text/',
    'application/javascript',
    'application/ecmascript',
    'application/x-bat',
    'application/x-bibtex-text-file',
    'application/x-latex',
    'application/x-sh',
    'application/x-subrip',
    'application/x-tex',
    'application/x-httpd-php',
    'application/sql',
    'application/relax-ng-compact-syntax',
    'application/x-openscad',
    'application/xquery',
    'application/x-sas',
  ],
  image: [
    'image/',
    'application/illustrator',
    'application/vnd.ms-visio',
    'application/vnd.visio',
    `${OPEN_DOCUMENT}graphics`,
    `${OPEN_DOCUMENT}flat.graphics`,
    `${OPEN_DOCUMENT}image`,
    'application/vnd.sun.xml.draw',
    'application/vnd.stardivision.draw',
    'application/vnd.oasis.opendocument.chart',
    'application/vnd.ms-graph',
  ],
  audio: ['audio/', 'application/ogg', 'application/vnd.apple.mpegurl'],
  video: [
    'video/',
    'application/mp4',
    'application/vnd.rn-realmedia',
    'application/x-shockwave-flash',
    'application/x-matroska',
    'application/x-ms-asx',
  ],
  archive: [
    'application/zip',
    'application/zstd',
    'application/gzip',
    'application/warc',
    'application/java-archive',
    'application/vnd.ms-cab-compressed',
    'application/x-7z-compressed',
    'application/x-apple-diskimage',
    'application/x-archive',
    'application/x-arj',
    'application/x-brotli',
    'application/x-bzip',
    'application/x-compress',
    'application/x-cpio',
    'application/x-debian-package',
    'application/x-gtar',
    'application/x-iso9660-image',
    'application/x-lz4',
    'application/x-lzip',
    'application/x-lzma',
    'application/x-ms-wmz',
    'application/x-rar-compressed',
    'application/x-rpm',
    'application/x-stuffit',
    'application/x-tar',
    'application/x-xz',
    'image/x-emf-compressed',
    'application/vnd.android.package-archive',
    'application/x-itunes-ipa',
    'application/x-tika-java-enterprise-archive',
    'application/x-tika-java-web-archive',
  ],
  data: [
    'application/json',
    'application/x-ndjson',
    'application/manifest+json',
    'application/geo+json',
    'application/ld+json',
    'application/xml',
    'application/rdf+xml',
    'application/xslt+xml',
    'application/mathml+xml',
    'application/vnd.google-earth',
    'application/dita+xml',
    'text/xml',
    'text/calendar',
    'text/x-vcalendar',
    'text/x-vcard',
    'text/x-yaml',
    'application/x-dbf',
    'application/x-msaccess',
    'application/x-parquet',
    'application/x-sqlite3',
    `${OPEN_DOCUMENT}base`,
    'application/x-plist',
    'application/x-java-jnlp-file',
    'application/x-tmx',
    'application/x-xliff',
    'application/x-vnd.datapackage+zip',
    'application/x-x509-cert',
    'application/pkcs7-',
    'application/x-dtbncx+xml',
    'application/smil+xml',
  ],
};

interface Row {
  readonly family: NamedFamily;
  readonly prefix: string;
}

const rows: readonly Row[] = typeFamilies.flatMap((family) =>
  family === 'other' ? [] : PREFIXES[family].map((prefix) => ({ family, prefix })),
);

/** The family of a media type, with or without parameters. */
export function familyOf(contentType: string | undefined): TypeFamily {
  const type = contentType?.toLowerCase() ?? '';
  let best: Row | undefined;
  for (const row of rows) {
    if (type.startsWith(row.prefix) && row.prefix.length > (best?.prefix.length ?? 0)) best = row;
  }
  return best?.family ?? 'other';
}

export function isFamily(text: string): text is TypeFamily {
  return typeFamilies.some((family) => family === text);
}

/** The documents of a family as a query. */
export function familyQuery(family: TypeFamily): object {
  if (family === 'other') return { bool: { must_not: rows.map(({ prefix }) => beginsWith(prefix)) } };
  const own = PREFIXES[family];
  const taken = rows.filter((row) => row.family !== family && own.some((prefix) => row.prefix.startsWith(prefix)));
  return {
    bool: {
      should: own.map(beginsWith),
      minimum_should_match: 1,
      must_not: taken
        .filter(({ prefix }) => !own.some((mine) => mine.length > prefix.length && mine.startsWith(prefix)))
        .map(({ prefix }) => beginsWith(prefix)),
    },
  };
}

function beginsWith(prefix: string): object {
  return { prefix: { 'file.content_type': prefix } };
}
