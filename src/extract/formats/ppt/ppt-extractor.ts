import { CrawlerError } from '../../../base/errors.js';
import { openOle, type OleContainer } from '../../containers/ole/ole.js';
import type { EmbeddedPart, FormatContext, FormatInput } from '../../format.js';
import { blipsIn } from '../../containers/ole/blips.js';
import type { OfficeRecord } from '../../containers/ole/office-records.js';
import { decryptOffice } from '../../containers/ole/office-decryption.js';
import { readPropertySets } from '../../containers/ole/property-sets.js';
import { EmbeddedStorages } from './embedded-storages.js';
import { headerFooterOf, type HeaderFooter } from './headers-footers.js';
import { Presentation, type Slide } from './presentation.js';
import { slideComments } from './slide-comments.js';
import { groupedTexts, shapesOf } from './slide-text.js';

/** A file that PowerPoint 95 can also read holds the newer version in a storage. */
const DUAL_STORAGE = 'PP97_DUALSTORAGE/';
const ENCRYPTED_TOKEN = 0xf3d1c4df;

/**
 * Binary PowerPoint presentations. Slide by slide as in Tika: header, texts of the master that are no placeholders, the
 * slide's own texts, footer, comments, notes, embedded objects; then pictures and the remaining objects.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const container = openOle(input.bytes);
  const prefix = container.read(`${DUAL_STORAGE}PowerPoint Document`) === undefined ? '' : DUAL_STORAGE;
  const stream = container.read(`${prefix}PowerPoint Document`);
  if (stream === undefined) {
    throw new CrawlerError('corrupt', 'The presentation is damaged: it has no presentation stream.');
  }
  const user = currentUser(container, prefix);
  if (user.encrypted) return decryptAndContinue(input.bytes, context);
  readPropertySets(container, context, prefix);
  const presentation = new Presentation(stream, user.lastEdit);
  const objects = new EmbeddedStorages(presentation);
  const notesHeaderFooter = headerFooterOfNotes(presentation);
  for (const slide of presentation.slides) {
    if (context.full) return;
    writeSlide(presentation, slide, notesHeaderFooter, context);
    for (const page of [slide.notes, slide.page]) {
      if (page !== undefined) await handOver(objectsOn(page, objects), context);
    }
  }
  await handOver(pictures(container.read(`${prefix}Pictures`)), context);
  await handOver(objects.others(), context);
}

/** What the stream of the last user says: a token at 12, the offset of the newest edit at 16. */
function currentUser(
  container: OleContainer,
  prefix: string,
): { readonly encrypted: boolean; readonly lastEdit: number } {
  const user = container.read(`${prefix}Current User`);
  if (user === undefined || user.length < 20) return { encrypted: false, lastEdit: -1 };
  const view = new DataView(user.buffer, user.byteOffset, user.byteLength);
  return { encrypted: view.getUint32(12, true) === ENCRYPTED_TOKEN, lastEdit: view.getUint32(16, true) };
}

async function decryptAndContinue(bytes: Uint8Array, context: FormatContext): Promise<void> {
  const plain = await decryptOffice(bytes, context);
  const container = openOle(plain);
  if (container.read('PowerPoint Document') === undefined || currentUser(container, '').encrypted) {
    throw new CrawlerError('corrupt', 'The presentation is damaged: it does not decrypt to a presentation.');
  }
  await context.continueAs(plain, 'application/vnd.ms-powerpoint');
}

/** Notes take header and footer from the first page of notes. */
function headerFooterOfNotes(presentation: Presentation): HeaderFooter {
  const page = presentation.firstNotes ?? presentation.firstMaster;
  return page === undefined ? { header: undefined, footer: undefined } : headerFooterOf(presentation, page, 'notes');
}

function writeSlide(
  presentation: Presentation,
  slide: Slide,
  notesHeaderFooter: HeaderFooter,
  context: FormatContext,
): void {
  const { header, footer } = headerFooterOf(presentation, slide.page, 'slides');
  const notes =
    slide.notes === undefined ? [] : [notesHeaderFooter.header, ...textsOn(slide.notes), notesHeaderFooter.footer];
  const lines = [
    header,
    ...masterTexts(slide.master),
    ...slide.outline,
    ...textsOn(slide.page),
    footer,
    ...slideComments(slide.page),
    ...notes,
  ];
  for (const line of lines) if (line !== undefined && line !== '') context.write(`${line}\n`);
  context.write('\n');
}

function textsOn(page: OfficeRecord): string[] {
  return [...shapesOf(page).flatMap((shape) => shape.text ?? []), ...groupedTexts(page)];
}

/** What a master shows on every slide; its placeholders only say where text goes. */
function masterTexts(master: OfficeRecord | undefined): string[] {
  if (master === undefined) return [];
  return shapesOf(master).flatMap((shape) => (shape.placeholder === undefined ? (shape.text ?? []) : []));
}

function* objectsOn(page: OfficeRecord, objects: EmbeddedStorages): Generator<EmbeddedPart> {
  for (const { objectId } of shapesOf(page)) {
    const part = objectId === undefined ? undefined : objects.ofShape(objectId);
    if (part !== undefined) yield part;
  }
}

function* pictures(stream: Uint8Array | undefined): Generator<EmbeddedPart> {
  for (const { bytes, mediaType } of blipsIn(stream ?? new Uint8Array(0))) {
    yield { name: '', bytes, mediaType, printName: false };
  }
}

async function handOver(parts: Iterable<EmbeddedPart>, context: FormatContext): Promise<void> {
  for (const part of parts) {
    if (context.full) return;
    context.countBytes(part.bytes.length);
    await context.embedded(part);
  }
}
