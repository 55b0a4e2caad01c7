import { CrawlerError } from '../../../base/errors.js';
import { readOrRecover } from '../../containers/zip/read-or-recover.js';
import { openZip } from '../../containers/zip/zip.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { encryptedEntries, readBook, type EpubItem } from './epub-book.js';
import { writeEpubMetadata } from './epub-metadata.js';

/** Manifest items that hold no content of their own: styles, scripts, drawings inside of chapters, tables of contents. */
const passedOver = /css|svg|javascript|ecmascript|\/xml$|x-ibooks|x-dtbncx\+xml/i;

/** EPUB books: chapters in reading order, then the other files. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const zip = openZip(input.bytes, {
    countBytes: (count) => context.countBytes(count),
    passwords: context.passwords,
  });
  const read = (name: string): Uint8Array | undefined =>
    readOrRecover(zip, zip.find(name), (message) => context.warn(message));
  const book = readBook(zip, read);
  if (book.packageDocument !== undefined) writeEpubMetadata(book.packageDocument, context);
  const encrypted = encryptedEntries(read);
  await writeChapters(book.chapters, encrypted, read, context);
  for (const item of book.resources) {
    if (passedOver.test(item.mediaType) || encrypted.has(item.path)) continue;
    const bytes = read(item.path);
    const printName = !item.mediaType.includes('font') && !/(^|\/)fonts\//.test(item.path);
    if (bytes !== undefined) await context.embedded({ name: item.path, bytes, printName });
  }
}

async function writeChapters(
  chapters: readonly EpubItem[],
  encrypted: ReadonlySet<string>,
  read: (name: string) => Uint8Array | undefined,
  context: FormatContext,
): Promise<void> {
  const { extract: extractHtml } = await import('../html/html-extractor.js');
  const quiet = textOnly(context);
  for (const chapter of chapters) {
    if (context.full) return;
    if (encrypted.has(chapter.path)) {
      throw new CrawlerError('encrypted', `The book is protected: its chapter [${chapter.path}] is encrypted.`);
    }
    const bytes = read(chapter.path);
    if (bytes === undefined) continue;
    await extractHtml({ name: chapter.path, mediaType: 'application/xhtml+xml', bytes }, quiet);
    context.write('\n');
  }
}

/** A chapter's title and encoding are not the book's. */
function textOnly(context: FormatContext): FormatContext {
  const nothing = (): void => undefined;
  return {
    write: (text) => context.write(text),
    page: nothing,
    get full() {
      return context.full;
    },
    meta: nothing,
    setMeta: nothing,
    contentType: nothing,
    embedded: (part) => context.embedded(part),
    continueAs: (bytes, mediaType) => context.continueAs(bytes, mediaType),
    passwords: context.passwords,
    warn: (message) => context.warn(message),
    countBytes: (bytes) => context.countBytes(bytes),
    options: context.options,
    ocr: context.ocr,
  };
}
