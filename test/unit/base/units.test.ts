import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  parseByteSize,
  parseDuration,
  parseShare,
  printByteSize,
  printDuration,
  printShare,
  type Share,
} from '../../../src/base/units.js';

describe('a duration', () => {
  test.each([
    ['5s', 5000],
    ['15m', 900_000],
    ['3h', 10_800_000],
    ['1d', 86_400_000],
    ['250ms', 250],
    ['0s', 0],
    [' 15M ', 900_000],
  ])('%j is %d ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  test.each([
    ['15 minutes', 'Failed to parse timevalue [15 minutes].'],
    ['15 m', 'Failed to parse timevalue [15 m].'],
    ['1.5h', 'Failed to parse timevalue [1.5h].'],
    ['-5m', 'Failed to parse timevalue [-5m].'],
    ['', 'Failed to parse timevalue [].'],
    ['15', 'Failed to parse timevalue [15]: unit is missing or unrecognized'],
    ['15x', 'Failed to parse timevalue [15x]: unit is missing or unrecognized'],
    ['999999999999d', 'Values greater than 9007199254740991 are not supported: 999999999999d'],
  ])('%j is refused', (text, message) => {
    expect(() => parseDuration(text)).toThrow(new RangeError(message));
  });

  test.each([
    [0, '0s'],
    [900_000, '15m'],
    [70_000, '1.1m'],
    [75 * 60_000, '1.2h'],
    [3_830_000, '1h'],
    [36 * 3_600_000, '1.5d'],
    [999, '999ms'],
  ])('%d ms is printed as %j', (milliseconds, text) => {
    expect(printDuration(milliseconds)).toBe(text);
  });

  test('of whole units survives being printed and read', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.constantFrom('ms', 's', 'm', 'h', 'd'), (count, unit) => {
        const milliseconds = parseDuration(`${count}${unit}`);
        const printed = printDuration(milliseconds);
        if (!printed.includes('.')) {
          expect(parseDuration(printed)).toBeLessThanOrEqual(milliseconds);
          expect(printDuration(parseDuration(printed))).toBe(printed);
        }
      }),
    );
  });

  test('of any text is a number or a sentence', () => {
    fc.assert(fc.property(fc.string(), (text) => isNumberOrRefusal(() => parseDuration(text))));
  });
});

describe('a byte size', () => {
  test.each([
    ['10mb', 10 * 1024 ** 2],
    ['10M', 10 * 1024 ** 2],
    ['1 kb', 1024],
    ['1.5kb', 1536],
    ['.5k', 512],
    ['512b', 512],
    ['3g', 3 * 1024 ** 3],
    ['2tb', 2 * 1024 ** 4],
    ['1p', 1024 ** 5],
    ['0', 0],
    ['-1', -1],
    ['-1b', -1],
  ])('%j is %d bytes', (text, bytes) => {
    expect(parseByteSize(text)).toBe(bytes);
  });

  test.each([
    ['1024', 'failed to parse value [1024] as a size in bytes: unit is missing or unrecognized'],
    ['10 megs', 'failed to parse value [10 megs] as a size in bytes: unit is missing or unrecognized'],
    ['mb', 'failed to parse value [mb] as a size in bytes: unit is missing or unrecognized'],
    ['', 'failed to parse value [] as a size in bytes: unit is missing or unrecognized'],
    ['-2b', 'Values less than -1 bytes are not supported: -2b'],
    ['-1kb', 'Values less than -1 bytes are not supported: -1kb'],
    ['1.5b', 'failed to parse value [1.5b] as a size in bytes: there is no part of a byte'],
    ['9000pb', 'Values greater than 9007199254740991 are not supported: 9000pb'],
  ])('%j is refused', (text, message) => {
    expect(() => parseByteSize(text)).toThrow(new RangeError(message));
  });

  test.each([
    [10 * 1024 ** 2, '10mb'],
    [1536, '1.5kb'],
    [512, '512b'],
    [1024 ** 5, '1pb'],
    [1, '1b'],
    [0, '0'],
    [-1, '-1'],
    [1024 + 50, '1kb'],
  ])('%d bytes are printed as %j', (bytes, text) => {
    expect(printByteSize(bytes)).toBe(text);
  });

  test('is printed as something that reads as nearly the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (bytes) => {
        const again = parseByteSize(printByteSize(bytes));
        expect(again).toBeLessThanOrEqual(bytes);
        expect(again).toBeGreaterThan(bytes * 0.9);
      }),
    );
  });

  test('of any text is a number or a sentence', () => {
    fc.assert(fc.property(fc.string(), (text) => isNumberOrRefusal(() => parseByteSize(text))));
  });
});

describe('a share', () => {
  test.each<[string, Share]>([
    ['5000', { kind: 'absolute', value: 5000 }],
    ['10000.0', { kind: 'absolute', value: 10_000 }],
    ['-1', { kind: 'absolute', value: -1 }],
    ['80%', { kind: 'percent', percent: 80 }],
    ['0.01%', { kind: 'percent', percent: 0.01 }],
    ['150%', { kind: 'percent', percent: 150 }],
    [' 1e3 ', { kind: 'absolute', value: 1000 }],
  ])('%j is %j', (text, share) => {
    expect(parseShare(text)).toEqual(share);
  });

  test.each(['all', '', '%', '5k', '1e999', '0x10', '5 5'])('%j is refused', (text) => {
    expect(() => parseShare(text)).toThrow(new RangeError(`Failed to parse percentage [${text}].`));
  });

  test.each<[Share, string]>([
    [{ kind: 'absolute', value: 10_000 }, '10000.0'],
    [{ kind: 'absolute', value: -1 }, '-1.0'],
    [{ kind: 'percent', percent: 80 }, '80.0%'],
    [{ kind: 'percent', percent: 0.01 }, '0.01%'],
  ])('%j is printed as %j', (share, text) => {
    expect(printShare(share)).toBe(text);
  });

  test('survives being printed and read', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    const shares = fc.oneof(
      number.map((value): Share => ({ kind: 'absolute', value })),
      number.map((percent): Share => ({ kind: 'percent', percent })),
    );
    fc.assert(fc.property(shares, (share) => expect(parseShare(printShare(share))).toEqual(share)));
  });
});

function isNumberOrRefusal(parse: () => number): void {
  try {
    expect(Number.isSafeInteger(parse())).toBe(true);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
  }
}
