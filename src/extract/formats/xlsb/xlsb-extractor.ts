import type { FormatContext, FormatInput } from '../../format.js';
import { writeEmbeddedParts } from '../../containers/ooxml/embedded-parts.js';
import { OoxmlPackage } from '../../containers/ooxml/package.js';
import { writeProperties } from '../../containers/ooxml/properties.js';
import { writeDrawings } from '../xlsx/drawing.js';
import { headerFooterText } from '../xlsx/header-footer.js';
import { readBinaryComments } from './binary-comments.js';
import { BinarySheet } from './binary-sheet.js';
import { readBinaryWorkbook, type BinaryWorkbook } from './binary-workbook.js';

/** Binary workbooks in an OOXML package: cells, strings and styles are records, everything else is as in xlsx. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const pack = new OoxmlPackage(input.bytes, context);
  writeProperties(pack, context);
  const part = pack.mainPart(['officeDocument'], /sheet\.binary\.macroEnabled\.main$/i, '/xl/workbook.bin');
  const workbook = readBinaryWorkbook(pack, part);
  context.setMeta('protected', 'false');
  const hidden = workbook.sheets.filter((sheet) => sheet.hidden);
  if (hidden.length > 0) context.setMeta('msoffice:excel:has-hidden-sheets', 'true');
  for (const sheet of hidden) context.meta('msoffice:excel:hidden-sheet-names', sheet.name);
  for (const sheet of workbook.sheets) {
    if (context.full) break;
    writeSheet(pack, sheet, workbook, context);
  }
  const sources = workbook.sheets.flatMap((sheet) => [sheet.part, ...pack.related(sheet.part, 'drawing')]);
  await writeEmbeddedParts(pack, [...sources, part], context);
}

/** Name, rows, comments, headers and footers, what is drawn on it, then where its links lead. */
function writeSheet(
  pack: OoxmlPackage,
  sheet: { readonly name: string; readonly part: string },
  workbook: BinaryWorkbook,
  context: FormatContext,
): void {
  context.write(`${sheet.name}\n`);
  const cells = new BinarySheet(workbook, context);
  cells.write(pack, sheet.part);
  const comments = readBinaryComments(pack, sheet.part);
  if (comments.length > 0) context.setMeta('msoffice:has-comments', 'true');
  for (const comment of comments) context.write(`\n${comment}\n`);
  for (const text of cells.headersAndFooters) context.write(`\n${headerFooterText(text)}\n`);
  writeDrawings(pack, sheet.part, context);
  for (const link of pack.relationships(sheet.part)) {
    if (link.kind === 'hyperlink') context.write(`${link.target}\n`);
  }
  context.write('\n');
}
