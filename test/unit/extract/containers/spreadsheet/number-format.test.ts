import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { builtinFormat, formatNumber } from '../../../../../src/extract/containers/spreadsheet/number-format.js';

describe('General', () => {
  test.each([
    [0, '0'],
    [-1.5, '-1.5'],
    [1234567890123, '1234567890123'],
    [0.1 + 0.2, '0.3'],
    [1 / 3, '0.3333333333'],
    [100000.123456789, '100000.123456789'],
    [1e20, '1E+20'],
    [123456789012345680, '1.23456789012346E+17'],
    [0.000012345, '0.000012345'],
    [1.5e-11, '0'],
    [1.5e-16, '1.5E-16'],
    [999999999999999, '999999999999999'],
    [1e15, '1000000000000000'],
    [1234567890123456, '1.23456789012346E+15'],
    [10210210.2, '10210210.2'],
    [0.687255249357, '0.6872552494'],
    [-1e-12, '0'],
  ])('%p is shown as %s', (value, shown) => {
    expect(formatNumber(value, 'General', false)).toBe(shown);
  });
});

describe('numbers', () => {
  test.each([
    ['0', 1234.5678, '1235'],
    ['0.00', 1.005, '1.01'],
    ['0.00', -1.005, '-1.01'],
    ['0.00', -0.001, '0.00'],
    ['#,##0', 1234567, '1,234,567'],
    ['#,##0.00', 0.5, '0.50'],
    ['0%', 0.255, '26%'],
    ['0.00%', 1.5, '150.00%'],
    ['0.00E+00', 12345, '1.23E+04'],
    ['##0.0E+0', 12345, '12.3E+3'],
    ['0.00E+00', 0.00012, '1.20E-04'],
    ['00000', 42, '00042'],
    ['000-00-0000', 123456789, '123-45-6789'],
    ['(000) 000-0000', 5551234567, '(555) 123-4567'],
    ['#.##', 0.1, '0.1'],
    ['#', 0, '0'],
    ['.00', 0.5, '.50'],
    ['0.0,,"M"', 1234567, '1.2M'],
    ['#,##0,', 1234567, '1,235'],
    ['$#,##0.00_);[Red]($#,##0.00)', -1234.5, '($1,234.50)'],
    ['$#,##0.00_);[Red]($#,##0.00)', 1234.5, '$1,234.50'],
    ['#,##0.00 [$€-407]', 1234.5, '1,234.50 €'],
    ['"x"0\\y', 7, 'x7y'],
    ['0;-0;"zero"', 0, 'zero'],
    ['0 "kg";;', -5, '-5 kg'],
    ['[<100]"low "0;[>1000]"high "0;"mid "0', 500, 'mid 500'],
    ['[<100]"low "0;[>1000]"high "0;"mid "0', 5000, 'high 5000'],
    ['# ?/?', 1.5, '1 1/2'],
    ['# ??/??', 1234.5678, '1234 46/81'],
    ['?/8', 0.5, '4/8'],
    ['@', 42, '42'],
    ['"n/a"', 42, 'n/a'],
    ['General" units"', 2.5, '2.5 units'],
  ])('%s shows %p as %s', (code, value, shown) => {
    expect(formatNumber(value, code, false)).toBe(shown);
  });
});

describe('dates and times', () => {
  const noon = 45000.5;

  test.each([
    ['yyyy-mm-dd', noon, '2023-03-15'],
    ['m/d/yy h:mm', noon, '3/15/23 12:00'],
    ['d-mmm-yy', noon, '15-Mar-23'],
    ['dddd, mmmm dd, yyyy', noon, 'Wednesday, March 15, 2023'],
    ['[$-409]mmmm d, yyyy;@', noon, 'March 15, 2023'],
    ['yyyy"年"m"月"d"日"', noon, '2023年3月15日'],
    ['h:mm AM/PM', 0.75, '6:00 PM'],
    ['h:mm:ss', 0.000694444444444444, '0:01:00'],
    ['mm:ss.0', 0.000012345, '00:01.1'],
    ['[h]:mm:ss', 1.5, '36:00:00'],
    ['[mm]:ss', 0.5, '720:00'],
    ['mmmmm', 1, 'J'],
    ['yyyy-mm-dd', 0, '1899-12-31'],
    ['yyyy-mm-dd', 1, '1900-01-01'],
    ['yyyy-mm-dd', 61, '1900-03-01'],
    ['yyyy-mm-dd', -1, '-1'],
    ['yyyy-mm-dd', 1e9, '1000000000'],
  ])('%s shows %p as %s', (code, value, shown) => {
    expect(formatNumber(value, code, false)).toBe(shown);
  });

  test('the other system of dates begins in 1904', () => {
    expect(formatNumber(0, 'yyyy-mm-dd', true)).toBe('1904-01-01');
    expect(formatNumber(1, 'yyyy-mm-dd', true)).toBe('1904-01-02');
    expect(formatNumber(43538.5, 'yyyy-mm-dd hh:mm', true)).toBe(formatNumber(noon, 'yyyy-mm-dd hh:mm', false));
  });
});

test.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])('%d is shown as it is', (value) => {
  expect(formatNumber(value, '0.00', false)).toBe(String(value));
});

describe('any format', () => {
  test('codes that files refer to by number are known', () => {
    expect([1, 14, 22, 49].map(builtinFormat)).toEqual(['0', 'm/d/yy', 'm/d/yy h:mm', '@']);
    expect(builtinFormat(163)).toBe('General');
  });

  test('thousands and decimals hold the number that was put in', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999, max: 999_999_999 }), (cents) => {
        const shown = formatNumber(cents / 100, '#,##0.00', false);
        expect(shown).toMatch(/^-?\d{1,3}(,\d{3})*\.\d{2}$/);
        expect(Math.round(Number(shown.replaceAll(',', '')) * 100)).toBe(cents === 0 ? 0 : cents);
      }),
    );
  });

  test('a date of this century comes out as the calendar has it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 36_526, max: 73_050 }), (serial) => {
        const date = new Date(Date.UTC(1899, 11, 30) + serial * 86_400_000);
        expect(formatNumber(serial, 'yyyy-mm-dd', false)).toBe(date.toISOString().slice(0, 10));
      }),
    );
  });

  test('no code and no number make it fail or run long', () => {
    const piece = fc.constantFrom(
      ...'0#?.,%/E+-@ymdhs[]"\\_*;$ <>=1aAM/PM'.split(''),
      'General',
      'AM/PM',
      '[h]',
      '[>1]',
      '"text"',
      '[$€-1]',
    );
    const code = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(code, fc.double(), fc.boolean(), (formatCode, value, date1904) => {
        const shown = formatNumber(value, formatCode, date1904);
        expect(shown.length).toBeLessThan(2000);
      }),
      { numRuns: 2000 },
    );
  });
});
