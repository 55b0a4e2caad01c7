import { openZip, type ZipArchive } from '../containers/zip/zip.js';
import { ooxmlType } from './ooxml-types.js';
import { ZIP } from './type-names.js';
import { xmlRootOf } from './xml-root.js';

/**
 * Formats whose files are zip archives. Each rule looks for the entry that gives a format away; the first that answers
 * decides. Only tiny entries are unpacked, and never more than this.
 */
const LOOK_INSIDE_BYTES = 4 * 1024 * 1024;
const MIMETYPE_BYTES = 1024;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

type ZipRule = (archive: ZipArchive, name: string) => string | undefined;

const RULES: readonly ZipRule[] = [byMimetypeEntry, ooxmlType, iworkType, javaType, byEntries];

/** What is inside a zip archive; `application/zip` when nothing special is. */
export function typeOfZip(bytes: Uint8Array, name: string): string {
  try {
    let budget = LOOK_INSIDE_BYTES;
    const archive = openZip(bytes, {
      countBytes: (count) => {
        budget -= count;
        if (budget < 0) throw new RangeError('The entries that tell the type are implausibly large.');
      },
    });
    for (const rule of RULES) {
      const type = rule(archive, name);
      if (type !== undefined) return type;
    }
  } catch {
    // Too damaged to look inside: the extractor that opens it as an archive says what is wrong.
  }
  return ZIP;
}

/** OpenDocument, StarOffice, EPUB and others carry their type in an entry of this name. */
function byMimetypeEntry(archive: ZipArchive): string | undefined {
  const entry = archive.find('mimetype');
  if (entry === undefined || entry.size > MIMETYPE_BYTES || entry.encrypted) return undefined;
  const type = Buffer.from(archive.read(entry)).toString('latin1').trim();
  return MEDIA_TYPE.test(type) ? type : undefined;
}

/** iWork since 2018 keeps the folder of the bundle inside the archive; since 2013 it stands at the top. */
const IWORK_HISTORY = 'Metadata/BuildVersionHistory.plist';
/** Other programs leave the history out. */
const IWORK_DOCUMENT = 'Index/Document.iwa';
const IWORK_BUNDLE = /\.(key|numbers|pages)\/Metadata\/BuildVersionHistory\.plist$/;
const IWORK_NAMES: Readonly<Record<string, string>> = { key: 'keynote', numbers: 'numbers', pages: 'pages' };

const IWORK_ROOTS: Readonly<Record<string, string>> = {
  'http://developer.apple.com/namespaces/keynote2': 'application/vnd.apple.keynote',
  'http://developer.apple.com/namespaces/ls': 'application/vnd.apple.numbers',
  'http://developer.apple.com/namespaces/sl': 'application/vnd.apple.pages',
};
const IWORK_INDEX_START = 4096;

function iworkType(archive: ZipArchive, name: string): string | undefined {
  if (archive.find('.iwph') !== undefined) return 'application/x-tika-iworks-protected';
  for (const entry of archive.entries) {
    const bundle = IWORK_BUNDLE.exec(entry.name)?.[1];
    if (bundle !== undefined) return `application/vnd.apple.${IWORK_NAMES[bundle] ?? bundle}.18`;
  }
  if (archive.find(IWORK_HISTORY) !== undefined || archive.find(IWORK_DOCUMENT) !== undefined)
    return iwork13Type(archive, name);
  return archive.find('buildVersionHistory.plist') === undefined ? undefined : iwork09Type(archive);
}

/** Slides are Keynote's; anything else is only known from the name. */
function iwork13Type(archive: ZipArchive, name: string): string {
  const hasSlides = archive.entries.some((entry) => /^Index\/(?:Master)?Slide[-\d]*\.iwa$/.test(entry.name));
  const program = hasSlides ? 'keynote' : IWORK_NAMES[/\.(\w+)$/.exec(name.toLowerCase())?.[1] ?? ''];
  return `application/vnd.apple.${program ?? 'unknown'}.13`;
}

function iwork09Type(archive: ZipArchive): string {
  for (const name of ['index.apxl', 'index.xml', 'presentation.apxl']) {
    const entry = archive.find(name);
    if (entry === undefined || entry.encrypted || entry.size > LOOK_INSIDE_BYTES) continue;
    const root = xmlRootOf(Buffer.from(archive.read(entry)).toString('utf8', 0, IWORK_INDEX_START));
    const type = IWORK_ROOTS[root?.namespace ?? ''];
    if (type !== undefined) return type;
  }
  return 'application/vnd.apple.iwork';
}

function javaType(archive: ZipArchive): string | undefined {
  if (archive.find('AndroidManifest.xml') !== undefined) return 'application/vnd.android.package-archive';
  if (archive.find('META-INF/MANIFEST.MF') === undefined) return undefined;
  if (archive.find('WEB-INF/') !== undefined) return 'application/x-tika-java-web-archive';
  if (archive.find('META-INF/application.xml') !== undefined) return 'application/x-tika-java-enterprise-archive';
  return 'application/java-archive';
}

/** Formats that are known by one of their entries only. */
function byEntries(archive: ZipArchive): string | undefined {
  const names = archive.entries.map((entry) => entry.name);
  if (names.filter((name) => /^[^/\\]+\.kml$/i.test(name)).length === 1) return 'application/vnd.google-earth.kmz';
  if (names.some((name) => /^Payload\/[^/]+\.app\/Info\.plist$/.test(name))) return 'application/x-itunes-ipa';
  if (archive.find('datapackage.json') !== undefined) return 'application/x-vnd.datapackage+zip';
  return undefined;
}
