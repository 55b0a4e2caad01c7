const NUMERALS: readonly (readonly [value: number, digits: string])[] = [
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

/** In lower case. Below 1 and above `largest`, which differs between the programs, the number comes out in decimal. */
export function romanNumeral(number: number, largest: number): string {
  if (number < 1 || number > largest) return String(number);
  let rest = number;
  let text = '';
  for (const [value, digits] of NUMERALS) {
    text += digits.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return text;
}
