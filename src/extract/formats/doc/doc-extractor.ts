import { CrawlerError } from '../../../base/errors.js';
import { openOle, type OleContainer } from '../../containers/ole/ole.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { embeddedObject } from '../../containers/ole/embedded-objects.js';
import { decryptOffice } from '../../containers/ole/office-decryption.js';
import { readPropertySets } from '../../containers/ole/property-sets.js';
import { readFib, type Fib } from './fib.js';
import { oldWordText } from './old-word-text.js';
import { cleanText, visibleText } from './paragraph-text.js';
import { wordStories } from './word-stories.js';
import { PARAGRAPH, WordText, type Story } from './word-text.js';
import { wordPictures } from './word-pictures.js';

/**
 * Binary Word documents, from Word 6 on. Order as in Tika: headers, body, text boxes, footnotes, comments, endnotes,
 * footers, then pictures and embedded objects.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const container = openOle(input.bytes);
  const word = container.read('WordDocument');
  if (word === undefined) throw new CrawlerError('corrupt', 'The Word document is damaged: it has no text stream.');
  const fib = readFib(word);
  if (fib.encrypted) return decryptAndContinue(input.bytes, context);
  readPropertySets(container, context);
  if (fib.old) writeOldDocument(word, fib, context);
  else await writeDocument(container, word, fib, context);
  await writeObjects(container, context);
}

async function decryptAndContinue(bytes: Uint8Array, context: FormatContext): Promise<void> {
  const plain = await decryptOffice(bytes, context);
  const word = openOle(plain).read('WordDocument');
  if (word === undefined || readFib(word).encrypted) {
    throw new CrawlerError('corrupt', 'The Word document is damaged: it does not decrypt to a Word document.');
  }
  await context.continueAs(plain, 'application/msword');
}

function writeOldDocument(word: Uint8Array, fib: Fib, context: FormatContext): void {
  for (const [paragraph] of oldWordText(word, fib).matchAll(PARAGRAPH)) {
    if (context.full) return;
    context.write(`${cleanText(paragraph)}\n`);
  }
}

async function writeDocument(
  container: OleContainer,
  word: Uint8Array,
  fib: Fib,
  context: FormatContext,
): Promise<void> {
  const text = new WordText(container, word, fib);
  context.countBytes(text.text.length);
  const stories = wordStories(word, fib, text);
  for (const header of stories.headers) writeStory(text, header, context);
  writeStory(text, stories.main, context);
  for (const story of stories.appended) writePlainStory(text, story, context);
  for (const footer of stories.footers) writeStory(text, footer, context);
  for (const picture of wordPictures(container, word, fib, text)) {
    if (context.full) return;
    context.countBytes(picture.bytes.length);
    await context.embedded(picture);
  }
}

function writeStory(text: WordText, story: Story, context: FormatContext): void {
  for (const paragraph of text.paragraphs(story)) {
    if (context.full) return;
    if (paragraph.endsRow) context.write('\n');
    else if (paragraph.text.trim() !== '') {
      context.write(paragraph.number + visibleText(paragraph.text) + (paragraph.endsCell ? '\t' : '\n'));
    }
  }
}

function writePlainStory(text: WordText, story: Story, context: FormatContext): void {
  for (const paragraph of text.plainParagraphs(story)) {
    if (context.full) return;
    context.write(`${cleanText(paragraph)}\n`);
  }
}

/** Embedded documents are storages of the object pool, named by a number behind an underscore. */
async function writeObjects(container: OleContainer, context: FormatContext): Promise<void> {
  for (const storage of container.storages.keys()) {
    if (context.full) return;
    if (!/^ObjectPool\/_[^/]*$/i.test(storage)) continue;
    const part = embeddedObject(container, storage);
    if (part === undefined) continue;
    context.countBytes(part.bytes.length);
    await context.embedded(part);
  }
}
