import { CrawlerError } from '../../../base/errors.js';
import { openOle, type OleContainer } from '../../containers/ole/ole.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { blipsIn } from '../../containers/ole/blips.js';
import { embeddedObject } from '../../containers/ole/embedded-objects.js';
import { decryptOffice } from '../../containers/ole/office-decryption.js';
import { readPropertySets } from '../../containers/ole/property-sets.js';
import { biffRecords, RECORD } from './biff-records.js';
import { WorkbookReader, type WorkbookTraits } from './workbook-reader.js';

/**
 * Binary Excel workbooks: Excel 5 and later in an OLE container, Excel 2 to 4 as a bare record stream. Cells come sheet by
 * sheet, each sheet followed by its headers, text boxes, comments and chart labels; then pictures and embedded objects.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  if (isBareStream(input.bytes)) {
    new WorkbookReader(context).read(input.bytes);
    return;
  }
  const container = openOle(input.bytes);
  const stream = workbookStream(container);
  if (stream === undefined) throw new CrawlerError('corrupt', 'The workbook is damaged: it has no workbook stream.');
  if (isEncrypted(stream)) return decryptAndContinue(input.bytes, context);
  readPropertySets(container, context);
  const workbook = new WorkbookReader(context);
  workbook.read(stream);
  writeTraits(workbook, context);
  await writePictures(workbook, context);
  await writeObjects(container, context);
}

/** The first record of a bare stream is a BOF of version 2, 3 or 4. */
function isBareStream(bytes: Uint8Array): boolean {
  return bytes[0] === 9 && (bytes[1] === 0 || bytes[1] === 2 || bytes[1] === 4);
}

function workbookStream(container: OleContainer): Uint8Array | undefined {
  return container.read('Workbook') ?? container.read('Book') ?? container.read('WksSSWorkBook');
}

function isEncrypted(stream: Uint8Array): boolean {
  let count = 0;
  for (const { type } of biffRecords(stream)) {
    if (type === RECORD.filePass) return true;
    if (++count > 8) break;
  }
  return false;
}

async function decryptAndContinue(bytes: Uint8Array, context: FormatContext): Promise<void> {
  const plain = await decryptOffice(bytes, context);
  const stream = workbookStream(openOle(plain));
  if (stream === undefined || isEncrypted(stream)) {
    throw new CrawlerError('corrupt', 'The workbook is damaged: it does not decrypt to a workbook.');
  }
  await context.continueAs(plain, 'application/vnd.ms-excel');
}

function writeTraits(workbook: WorkbookTraits, context: FormatContext): void {
  if (workbook.hasProtectedSheet) context.setMeta('msoffice:excel:protected-worksheet', 'true');
  if (workbook.hasHiddenRows) context.setMeta('msoffice:excel:has-hidden-rows', 'true');
  if (workbook.hasHiddenColumns) context.setMeta('msoffice:excel:has-hidden-cols', 'true');
  if (workbook.hiddenSheets.length > 0) context.setMeta('msoffice:excel:has-hidden-sheets', 'true');
  for (const name of workbook.hiddenSheets) context.meta('msoffice:excel:hidden-sheet-names', name);
  if (workbook.veryHiddenSheets.length > 0) context.setMeta('msoffice:excel:has-very-hidden-sheets', 'true');
  for (const name of workbook.veryHiddenSheets) context.meta('msoffice:excel:very-hidden-sheet-names', name);
  if (workbook.commentAuthors.size > 0) context.setMeta('msoffice:has-comments', 'true');
  for (const author of workbook.commentAuthors) context.meta('msoffice:comment-person-display-name', author);
}

async function writePictures(workbook: WorkbookTraits, context: FormatContext): Promise<void> {
  for (const blip of blipsIn(Buffer.concat(workbook.drawings))) {
    if (context.full) return;
    context.countBytes(blip.bytes.length);
    await context.embedded({ name: '', bytes: blip.bytes, mediaType: blip.mediaType, printName: false });
  }
}

/** Embedded documents are storages whose names begin with MBD. */
async function writeObjects(container: OleContainer, context: FormatContext): Promise<void> {
  for (const storage of container.storages.keys()) {
    if (context.full) return;
    if (!/^MBD[^/]*$/i.test(storage)) continue;
    const part = embeddedObject(container, storage);
    if (part === undefined) continue;
    context.countBytes(part.bytes.length);
    await context.embedded(part);
  }
}
