import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { readPackage } from '../../../../../src/extract/containers/ole/ole-object.js';
import { uint16, uint32 } from '../../../../support/biff-builder.js';

const ZERO = Buffer.from([0]);
const DATA = Buffer.from('the file');

/** What the packager writes: names in a code page, the data and, where given, path, label and file name in UTF-16. */
function packaged(label: Buffer, unicode: readonly string[] = []): Buffer {
  const names = unicode.map((name) => Buffer.concat([uint32(name.length), Buffer.from(name, 'utf16le')]));
  const path = Buffer.from('C:\\temp\\x');
  return Buffer.concat([
    ...[uint16(2), label, ZERO, label, ZERO, uint16(0, 3), uint32(path.length + 1), path, ZERO],
    ...[uint32(DATA.length), DATA, ...names],
  ]);
}

describe('a packaged file', () => {
  test.each([
    ['ASCII', packaged(Buffer.from('plan.txt')), 'plan.txt'],
    ['Windows', packaged(iconv.encode('Größe – 1 €.txt', 'windows-1252')), 'Größe – 1 €.txt'],
    ['UTF-8', packaged(Buffer.from('測試.msg')), '測試.msg'],
    [
      'UTF-16 behind the data',
      packaged(Buffer.from('??.msg'), ['C:\\測試.msg', '測試.msg', 'C:\\測試.msg']),
      '測試.msg',
    ],
    ['UTF-16 that is cut', packaged(Buffer.from('a.msg'), ['C:\\測試.msg']), 'a.msg'],
    ['UTF-16 without a label', packaged(Buffer.from('a.msg'), ['C:\\a.msg', '', '']), 'a.msg'],
  ])('has its name in %s', (_, bytes, name) => {
    const object = readPackage(bytes);
    expect(object.name).toBe(name);
    expect(Buffer.from(object.bytes).toString()).toBe('the file');
  });

  test.each([0, 1, 10, 30])('that is cut after %p bytes is handed over as it is', (length) => {
    const bytes = packaged(Buffer.from('plan.txt')).subarray(0, length);
    expect(readPackage(bytes)).toEqual({ name: '', bytes });
  });
});
