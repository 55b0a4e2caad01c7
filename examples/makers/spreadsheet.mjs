import {
  appProperties,
  contentTypes,
  coreProperties,
  PROPERTY_TYPES,
  RELATIONSHIPS,
  relationships,
  rootRelationships,
} from './office-package.mjs';
import { escapeXml, XML_HEAD, zipOf } from './package.mjs';

/** Excel: shared strings, numbers with a format, formulas with their values. */
const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** `sheets`: `{ name, rows }`; a cell is a text, a number, or `{ formula, value }`. */
export function makeXlsx({ properties, sheets }) {
  const strings = [];
  const shared = (text) => {
    if (!strings.includes(text)) strings.push(text);
    return strings.indexOf(text);
  };
  const cell = (value, reference) => {
    if (typeof value === 'string') return `<c r="${reference}" t="s"><v>${shared(value)}</v></c>`;
    if (typeof value === 'number') return `<c r="${reference}" s="1"><v>${value}</v></c>`;
    return `<c r="${reference}" s="1"><f>${escapeXml(value.formula)}</f><v>${value.value}</v></c>`;
  };
  const row = (values, i) =>
    `<row r="${i + 1}">${values.map((value, column) => cell(value, `${String.fromCharCode(65 + column)}${i + 1}`)).join('')}</row>`;
  const parts = sheets.map(
    (sheet) =>
      `${XML_HEAD}<worksheet xmlns="${SPREADSHEET}"><sheetData>${sheet.rows.map(row).join('')}</sheetData></worksheet>`,
  );
  const names = sheets.map(
    (sheet, i) => `<sheet name="${escapeXml(sheet.name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`,
  );
  const types = sheets.map((_, i) => [`/xl/worksheets/sheet${i + 1}.xml`, 'officedocument.spreadsheetml.worksheet']);
  return zipOf({
    '[Content_Types].xml': contentTypes({
      '/xl/workbook.xml': 'officedocument.spreadsheetml.sheet.main',
      ...Object.fromEntries(types),
      '/xl/styles.xml': 'officedocument.spreadsheetml.styles',
      '/xl/sharedStrings.xml': 'officedocument.spreadsheetml.sharedStrings',
      ...PROPERTY_TYPES,
    }),
    '_rels/.rels': rootRelationships('xl/workbook.xml'),
    'xl/workbook.xml': `${XML_HEAD}<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONSHIPS}"><sheets>${names.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`]),
      ['styles', 'styles.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ]),
    ...Object.fromEntries(parts.map((part, i) => [`xl/worksheets/sheet${i + 1}.xml`, part])),
    'xl/styles.xml': `${XML_HEAD}<styleSheet xmlns="${SPREADSHEET}">${SHEET_STYLES}</styleSheet>`,
    'xl/sharedStrings.xml': `${XML_HEAD}<sst xmlns="${SPREADSHEET}" uniqueCount="${strings.length}">${strings
      .map((text) => `<si><t>${escapeXml(text)}</t></si>`)
      .join('')}</sst>`,
    'docProps/core.xml': coreProperties(properties),
    'docProps/app.xml': appProperties('make-documents'),
  });
}

const SHEET_STYLES =
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>';
