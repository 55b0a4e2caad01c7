import { romanNumeral } from '../../containers/numerals/roman-numeral.js';

const MAX_ROMAN = 32_767;

/** Writes a count as a list shows it. Formats that are not known come out in decimal. */
export function formatListNumber(count: number, format: string): string {
  return formats[format]?.(count) ?? String(count);
}

const formats: Readonly<Record<string, (count: number) => string>> = {
  none: () => '',
  bullet: () => '',
  decimalZero: (count) => String(count).padStart(2, '0'),
  ordinal: (count) => `${count}${ordinalSuffix(count)}`,
  lowerLetter: letters,
  upperLetter: (count) => letters(count).toUpperCase(),
  lowerRoman: (count) => romanNumeral(count, MAX_ROMAN),
  upperRoman: (count) => romanNumeral(count, MAX_ROMAN).toUpperCase(),
};

/** a … z, then aa … zz, then aaa …, as word processors count. */
function letters(count: number): string {
  if (count < 1 || count > 780) return String(count);
  const letter = String.fromCharCode(97 + ((count - 1) % 26));
  return letter.repeat(Math.ceil(count / 26));
}

function ordinalSuffix(count: number): string {
  if (count % 100 >= 11 && count % 100 <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][count % 10] ?? 'th';
}
