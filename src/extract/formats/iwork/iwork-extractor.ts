import { gunzipSync } from 'node:zlib';
import { CrawlerError } from '../../../base/errors.js';
import { parseXml } from '../../containers/xml/xml.js';
import { openDocumentZip } from '../../containers/zip/document-zip.js';
import { readOrRecover } from '../../containers/zip/read-or-recover.js';
import { openZip, type ZipArchive } from '../../containers/zip/zip.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { readIwa } from './iwa-archive.js';
import { textOfMessage } from './iwa-text.js';
import { Iwork09Text, type IworkProgram } from './iwork09-text.js';

const contentEntries = ['index.apxl', 'index.xml', 'presentation.apxl'];
const MAX_GUNZIPPED = 256 * 1024 * 1024;

/** Keynote, Pages and Numbers: the XML of '09 and the archives of 2013 and later. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const { zip, read } = openDocumentZip(input, context);
  const xml = readContent(read, context);
  if (xml !== undefined) write09(xml, context);
  else if (zip.find('.iwph') !== undefined) {
    throw new CrawlerError('encrypted', 'The document is protected by a password.');
  } else await write13(zip, read, context);
}

function readContent(read: (name: string) => Uint8Array | undefined, context: FormatContext): Uint8Array | undefined {
  for (const name of contentEntries) {
    const plain = read(name);
    if (plain !== undefined) return plain;
    const packed = read(`${name}.gz`);
    if (packed !== undefined) return gunzip(packed, context);
  }
  return undefined;
}

function gunzip(packed: Uint8Array, context: FormatContext): Uint8Array {
  try {
    const bytes = gunzipSync(packed, { maxOutputLength: MAX_GUNZIPPED });
    context.countBytes(bytes.length);
    return bytes;
  } catch (error) {
    if (error instanceof CrawlerError) throw error;
    throw new CrawlerError('corrupt', 'The document is damaged: its index cannot be unpacked.', { cause: error });
  }
}

function write09(xml: Uint8Array, context: FormatContext): void {
  const text = new Iwork09Text(programOf(xml), context);
  parseXml(xml, text);
  text.finish();
}

/** By the prefix of the root element, which is the same in all documents. */
function programOf(xml: Uint8Array): IworkProgram {
  const head = Buffer.from(xml.subarray(0, 2048)).toString('latin1');
  const prefix = /<(key|sl|ls):/.exec(head)?.[1];
  if (prefix === 'key') return 'keynote';
  return prefix === 'ls' ? 'numbers' : 'pages';
}

/** Slides and pages; templates are left out. Then the media with their names, and one preview. */
async function write13(
  zip: ZipArchive,
  read: (name: string) => Uint8Array | undefined,
  context: FormatContext,
): Promise<void> {
  if (!writeArchives(zip, read, context))
    throw new CrawlerError('corrupt', 'The document holds neither an index nor archives.');
  for (const entry of zip.entries) {
    if (!/(^|\/)Data\/[^/]+$|^preview\.jpg$/.test(entry.name)) continue;
    const bytes = read(entry.name);
    if (bytes !== undefined) await context.embedded({ name: entry.name, bytes });
  }
}

/** Archives lie in `Index/`, or in a zip of that folder (`Index.zip`). False when there are none. */
function writeArchives(
  zip: ZipArchive,
  read: (name: string) => Uint8Array | undefined,
  context: FormatContext,
): boolean {
  const index = read('Index.zip');
  const archive = index === undefined ? zip : openZip(index, { countBytes: (count) => context.countBytes(count) });
  const entries = archive.entries.filter((entry) => entry.name.endsWith('.iwa'));
  for (const entry of entries) {
    if (/(^|\/)(Template|Master)Slide/.test(entry.name) || context.full) continue;
    const bytes = readOrRecover(archive, entry, (message) => context.warn(message));
    if (bytes !== undefined) writeArchive(entry.name, bytes, context);
  }
  return entries.length > 0;
}

function writeArchive(name: string, bytes: Uint8Array, context: FormatContext): void {
  try {
    for (const message of readIwa(bytes, (count) => context.countBytes(count))) {
      const text = textOfMessage(message);
      if (text !== undefined) context.write(`${text}\n`);
    }
  } catch (error) {
    if (!(error instanceof CrawlerError) || error.code !== 'corrupt') throw error;
    context.warn(`The archive [${name}] in the document is damaged.`);
  }
}
