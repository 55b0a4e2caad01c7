import { CrawlerError, messageOf } from '../../../base/errors.js';
import type { EmbeddedPart, FormatContext, FormatInput } from '../../format.js';
import { readAnnotations } from './annotations.js';
import { PdfAttachments } from './attachments.js';
import { formFieldLines } from './form-fields.js';
import { PdfObjects } from './objects/pdf-objects.js';
import { PdfDocument } from './pdf-document.js';
import { isIllustratorFile, writeFileMetadata, writePdfMetadata } from './pdf-metadata.js';
import { discardPdfium } from './pdfium.js';
import { readPages } from './read-pages.js';
import { readXfa } from './xfa.js';

/**
 * PDF: the text of each page (as it is written, as it is recognised in pictures, or both: `read-pages.ts`) with its
 * annotations, then attachments, then form fields.
 *
 * Two readers share the work. PDFium opens the file, takes passwords, repairs what is broken and gives the text of pages.
 * The objects behind it (metadata, annotations, forms, attachments) are read by `objects/`, from the file itself or, when
 * it is encrypted, from the copy without encryption that PDFium writes.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  try {
    const document = await openOrRecover(input.bytes, context);
    try {
      writeFileMetadata(document, context);
      if (document.encrypted) await writeEncrypted(document, context);
      else await writeDocument(document, readObjects(input.bytes, context), context);
    } finally {
      document.close();
    }
  } catch (error) {
    if (!isCrash(error)) throw error;
    discardPdfium();
    throw new CrawlerError('corrupt', `The PDF is damaged: reading it failed (${messageOf(error)}).`, { cause: error });
  }
}

async function writeEncrypted(document: PdfDocument, context: FormatContext): Promise<void> {
  const bytes = document.decryptedBytes();
  if (bytes === undefined) {
    context.warn('The encrypted PDF cannot be copied, so only the text of its pages is read.');
    return writeDocument(document, undefined, context);
  }
  context.countBytes(bytes.length);
  const copy = await PdfDocument.open(bytes, []);
  try {
    await writeDocument(copy, readObjects(bytes, context), context);
  } finally {
    copy.close();
  }
}

/** A file without readable pages may still say who wrote it and when. */
async function openOrRecover(bytes: Uint8Array, context: FormatContext): Promise<PdfDocument> {
  try {
    return await PdfDocument.open(bytes, context.passwords);
  } catch (error) {
    const code = error instanceof CrawlerError ? error.code : undefined;
    if (code === 'encrypted') context.setMeta('pdf:encrypted', 'true');
    if (code === 'corrupt') readObjects(bytes, context);
    throw error;
  }
}

function readObjects(bytes: Uint8Array, context: FormatContext): PdfObjects | undefined {
  try {
    const objects = new PdfObjects(bytes, { countBytes: (count) => context.countBytes(count) });
    if (!objects.encrypted) writePdfMetadata(objects, context);
    return objects.encrypted ? undefined : objects;
  } catch (error) {
    if (error instanceof CrawlerError) throw error;
    context.warn(`Metadata, annotations and form fields of the PDF cannot be read (${messageOf(error)}).`);
    return undefined;
  }
}

async function writeDocument(
  document: PdfDocument,
  objects: PdfObjects | undefined,
  context: FormatContext,
): Promise<void> {
  if (objects === undefined) {
    for await (const text of readPages(document, context)) {
      context.page();
      context.write(text);
    }
    return;
  }
  const attachments = new PdfAttachments(objects);
  if (isIllustratorFile(objects, document.pageObjectNumber(0))) context.contentType('application/illustrator');
  let index = 0;
  for await (const text of readPages(document, context)) {
    context.page();
    context.write(text);
    const annotations = readAnnotations(objects, document.pageObjectNumber(index++));
    for (const line of annotations.lines) context.write(`${line}\n`);
    for (const file of annotations.files) await handOver(attachments.ofSpecification(file), context);
  }
  await handOver(attachments.ofDocument(), context);
  if (!context.full) writeForm(objects, context);
}

async function handOver(parts: Iterable<EmbeddedPart>, context: FormatContext): Promise<void> {
  for (const part of parts) {
    if (context.full) return;
    await context.embedded(part);
  }
}

/** An XFA form replaces the plain form, which then only repeats it. */
function writeForm(objects: PdfObjects, context: FormatContext): void {
  const xfa = readXfa(objects);
  for (const paragraph of xfa?.paragraphs ?? []) context.write(`${paragraph}\n\n`);
  for (const line of xfa?.fields ?? formFieldLines(objects)) context.write(`\t${line}\n`);
}

/** A trap of WebAssembly: the memory behind it can no longer be trusted. */
function isCrash(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError';
}
