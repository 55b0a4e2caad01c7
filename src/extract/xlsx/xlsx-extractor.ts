import type { FormatContext, FormatExtractor, FormatInput } from '../format.js';
import { writeEmbeddedParts } from '../ooxml/embedded-parts.js';
import { OoxmlPackage } from '../ooxml/package.js';
import { writeProperties } from '../ooxml/properties.js';
import { readComments } from './comments.js';
import { writeDrawings } from './drawing.js';
import { headerFooterText } from './header-footer.js';
import { readSharedStrings } from './shared-strings.js';
import { SheetRows, type CellContext } from './sheet-rows.js';
import { readCellFormats } from './styles.js';
import { readWorkbook, type Sheet, type Workbook } from './workbook.js';

const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const MACRO = 'macroenabled.12';

/** Excel workbooks and templates (xlsx, xlsm, xltx, xltm, xlam). */
export const xlsxExtractor: FormatExtractor = {
  name: 'xlsx',
  mediaTypes: [
    `${SHEET}.sheet`,
    `${SHEET}.template`,
    `application/vnd.ms-excel.sheet.${MACRO}`,
    `application/vnd.ms-excel.template.${MACRO}`,
    `application/vnd.ms-excel.addin.${MACRO}`,
  ],

  async extract(input: FormatInput, context: FormatContext): Promise<void> {
    const pack = new OoxmlPackage(input.bytes, context);
    writeProperties(pack, context);
    const part = pack.mainPart(
      ['officeDocument'],
      /(sheet|template|addin)\.(main|macroEnabled\.main)\+xml$/i,
      '/xl/workbook.xml',
    );
    const workbook = readWorkbook(pack, part);
    writeTraits(workbook, context);
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
  },
};

/** Name, rows, headers and footers, what is drawn on it, then where its links lead. */
function writeSheet(pack: OoxmlPackage, sheet: Sheet, cells: CellContext, context: FormatContext): void {
  context.write(`${sheet.name}\n`);
  const comments = readComments(pack, sheet.part);
  if (comments.size > 0) context.setMeta('msoffice:has-comments', 'true');
  const rows = new SheetRows(cells, comments, context);
  pack.walk(sheet.part, rows);
  for (const comment of comments.values()) context.write(`\t\n${comment}\n`);
  if (rows.isProtected) context.setMeta('protected', 'true');
  for (const each of rows.headersAndFooters) context.write(`\n${headerFooterText(each)}\n`);
  writeDrawings(pack, sheet.part, context);
  for (const link of pack.relationships(sheet.part)) {
    if (link.kind === 'hyperlink') context.write(`${link.target}\n`);
  }
  context.write('\n');
}

function writeTraits(workbook: Workbook, context: FormatContext): void {
  context.setMeta('protected', 'false');
  context.meta('msoffice:excel:workbook-codename', workbook.codeName);
  const hidden = workbook.sheets.filter((each) => each.hidden);
  if (hidden.length > 0) context.setMeta('msoffice:excel:has-hidden-sheets', 'true');
  for (const sheet of hidden) context.meta('msoffice:excel:hidden-sheet-names', sheet.name);
}

function partsOf(pack: OoxmlPackage, sheet: Sheet): string[] {
  return [sheet.part, ...pack.related(sheet.part, 'drawing'), ...pack.related(sheet.part, 'vmlDrawing')];
}
