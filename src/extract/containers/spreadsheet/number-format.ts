import { formatDate, lastSerial } from './format-date.js';
import { formatDecimal } from './format-decimal.js';
import { formatFraction } from './format-fraction.js';
import { formatGeneral } from './format-general.js';
import { parseSection, splitSections, type FormatSection } from './format-section.js';

/**
 * Shows a number the way a spreadsheet does, in the conventions of US English.
 *
 * A format code has up to four sections, separated by semicolons: for positive numbers, negative ones, zero, and text.
 * Sections may have conditions of their own (`[<100]`). Empty sections at the end, which hide values on the screen, are
 * passed over: hidden values are still content.
 */
export function formatNumber(value: number, formatCode: string, date1904: boolean): string {
  if (!Number.isFinite(value)) return String(value);
  if (formatCode === '' || formatCode === 'General' || formatCode.length > MAX_CODE) return formatGeneral(value);
  const sections = sectionsOf(formatCode);
  const index = chooseSection(sections, value);
  const section = sections[index];
  if (section === undefined) return formatGeneral(value);
  const signNeeded = value < 0 && !coversOnlyNegatives(section, index);
  return formatBySection(section, value, signNeeded, date1904);
}

/** The codes that files refer to by number only; others are General. */
export function builtinFormat(id: number): string {
  return builtin[id] ?? 'General';
}

const builtin: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '$#,##0_);($#,##0)',
  6: '$#,##0_);[Red]($#,##0)',
  7: '$#,##0.00_);($#,##0.00)',
  8: '$#,##0.00_);[Red]($#,##0.00)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'm/d/yy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);[Red](#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);[Red](#,##0.00)',
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '_($* #,##0_);_($* (#,##0);_($* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};

const parsed = new Map<string, readonly FormatSection[]>();
/** Files have few formats; a file with very many must not fill the memory. */
const MAX_PARSED = 2000;
/** Programs write 255 characters at most; a longer code would cost that length for every cell. */
const MAX_CODE = 1024;

function sectionsOf(formatCode: string): readonly FormatSection[] {
  const known = parsed.get(formatCode);
  if (known !== undefined) return known;
  const sections = splitSections(formatCode).map(parseSection);
  while (sections.length > 1 && isForText(sections.at(-1))) sections.pop();
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(formatCode, sections);
  return sections;
}

/** A last section with a place for text is not for numbers, wherever it stands. */
function isForText(section: FormatSection | undefined): boolean {
  return (
    section?.tokens.every((each) => each.kind === 'literal' && each.text === '') === true || section?.kind === 'general'
  );
}

function chooseSection(sections: readonly FormatSection[], value: number): number {
  const numeric = sections.slice(0, 3);
  if (numeric.some((each) => each.condition !== undefined)) {
    const first = numeric.findIndex((each) => each.condition?.(value) ?? true);
    return first < 0 ? numeric.length - 1 : first;
  }
  if (value < 0 && numeric.length > 1) return 1;
  return value === 0 && numeric.length > 2 ? 2 : 0;
}

function coversOnlyNegatives(section: FormatSection, index: number): boolean {
  return section.condition === undefined ? index === 1 : !section.condition(0) && !section.condition(1e15);
}

function formatBySection(section: FormatSection, value: number, signNeeded: boolean, date1904: boolean): string {
  const size = Math.abs(value);
  const sign = signNeeded ? '-' : '';
  switch (section.kind) {
    case 'date':
      return value < 0 || value > lastSerial ? formatGeneral(value) : formatDate(section.tokens, value, date1904);
    case 'general':
      return sign + section.tokens.map((each) => (each.kind === 'literal' ? each.text : formatGeneral(size))).join('');
    case 'fraction':
      return sign + formatFraction(section.tokens, size);
    case 'decimal':
      return formatDecimal(section.tokens, size, signNeeded);
    case 'literal':
      return sign + section.tokens.map((each) => each.text).join('');
  }
}
