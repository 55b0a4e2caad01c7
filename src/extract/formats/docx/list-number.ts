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
  lowerRoman: roman,
  upperRoman: (count) => roman(count).toUpperCase(),
};

const romanDigits: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

function roman(count: number): string {
  if (count < 1 || count > 32_767) return String(count);
  let rest = count;
  let text = '';
  for (const [value, digit] of romanDigits) {
    text += digit.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return text;
}

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
