import type { FormatContext, FormatInput } from '../../format.js';
import { writeEmbeddedParts } from '../../containers/ooxml/embedded-parts.js';
import { OoxmlPackage } from '../../containers/ooxml/package.js';
import { writeProperties } from '../../containers/ooxml/properties.js';
import { readComments } from './comments.js';
import { writeDrawings } from './drawing.js';
import { headerFooterText } from './header-footer.js';
import { readSharedStrings } from './shared-strings.js';
import { SheetRows, type CellContext } from './sheet-rows.js';
import { readCellFormats } from './styles.js';
import { readThreadedComments } from './threaded-comments.js';
import { readWorkbook, type Sheet, type Workbook } from './workbook.js';

/** Excel workbooks and templates (xlsx, xlsm, xltx, xltm, xlam). */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const pack = new OoxmlPackage(input.bytes, context);
  writeProperties(pack, context);
  const part = pack.mainPart(
    ['officeDocument'],
    /(sheet|template|addin)\.(main|macroEnabled\.main)\+xml$/i,
    '/xl/workbook.xml',
  );
  const workbook = readWorkbook(pack, part);
  writeTraits(workbook, pack, part, context);
  const cells: CellContext = {
    strings: readSharedStrings(pack, part),
    formats: readCellFormats(pack, part),
    date1904: workbook.date1904,
  };
  for (const sheet of workbook.sheets) {
    if (context.full) break;
    writeSheet(pack, sheet, cells, context);
  }
  await writeEmbeddedParts(pack, [...workbook.sheets.flatMap((each) => partsOf(pack, each)), part], context);
}

/** Name, rows, headers and footers, what is drawn on it, then where its links lead. */
function writeSheet(pack: OoxmlPackage, sheet: Sheet, cells: CellContext, context: FormatContext): void {
  context.write(`${sheet.name}\n`);
  const comments = readComments(pack, sheet.part);
  if (comments.size > 0) context.setMeta('msoffice:has-comments', 'true');
  const rows = new SheetRows(cells, comments, context);
  pack.walk(sheet.part, rows);
  for (const comment of comments.values()) context.write(`\t\n${comment}\n`);
  for (const comment of readThreadedComments(pack, sheet.part)) context.write(`${comment}\n\n`);
  if (rows.hasHiddenRows) context.setMeta('msoffice:excel:has-hidden-rows', 'true');
  if (rows.hasHiddenColumns) context.setMeta('msoffice:excel:has-hidden-cols', 'true');
  if (rows.isProtected) context.setMeta('protected', 'true');
  for (const each of rows.headersAndFooters) context.write(`\n${headerFooterText(each)}\n`);
  writeDrawings(pack, sheet.part, context);
  for (const link of pack.relationships(sheet.part)) {
    if (link.kind === 'hyperlink') context.write(`${link.target}\n`);
  }
  context.write('\n');
}

function writeTraits(workbook: Workbook, pack: OoxmlPackage, part: string, context: FormatContext): void {
  context.setMeta('protected', 'false');
  context.meta('msoffice:excel:workbook-codename', workbook.codeName);
  for (const { name, visibility } of workbook.sheets) {
    if (visibility === 'visible') continue;
    const group = visibility === 'hidden' ? 'hidden' : 'very-hidden';
    context.setMeta(`msoffice:excel:has-${group}-sheets`, 'true');
    context.meta(`msoffice:excel:${group}-sheet-names`, name);
  }
  if (pack.related(part, 'connections').length > 0) context.setMeta('msoffice:excel:has-data-connections', 'true');
  if (pack.related(part, 'externalLink').length > 0) context.setMeta('msoffice:excel:has-external-links', 'true');
}

function partsOf(pack: OoxmlPackage, sheet: Sheet): string[] {
  return [sheet.part, ...pack.related(sheet.part, 'drawing'), ...pack.related(sheet.part, 'vmlDrawing')];
}
