import { describe, expect, test } from '@jest/globals';
import { digestName, sign } from '../../../src/base/digest.js';
import { idSource } from '../../../src/base/path.js';

describe('sign', () => {
  test.each([
    [idSource('/tmp/es', 'test.txt'), '5a51086e51be43a068eccef749d0c5'],
    ['/tmp/es', '824b64ab42d4b63cda6e747e2b80e5'],
    ['/tmp/es/sub', '7ba2c97847b1da0c2cef876b3d5cd7'],
    [idSource('/tmp/es/sub', 'é.pdf'), '99545d5a28e7c7afc46b8c0601d2ffa'],
    ['test.txt', 'dd18bf3a8ea2a3e53e2661c7fb53534'],
  ])('MD5 of %s is written without zero padding, as existing indices have it', (text, id) => {
    expect(sign('md5', text)).toBe(id);
  });

  test.each([
    ['/tmp/es', 'dd19ac291f137bc81d055104c951ecfa77ac0f66587d941c89118feb052449be'],
    [idSource('/tmp/es/', 'test.txt'), 'b0f922e916b62b155a03ec62b5793fd889ed0c0d269536b5980946c42cb67d8a'],
    ['test.txt', 'a6ed0c785d4590bc95c216bcf514384eee6765b1c2b732d0b0a1ad7e14d3204a'],
  ])('SHA-256 of %s is ordinary hex', (text, id) => {
    expect(sign('SHA-256', text)).toBe(id);
  });

  test('an unknown algorithm is refused by name', () => {
    expect(() => sign('CRC32', 'x')).toThrow('[CRC32]');
  });
});

test.each([
  ['SHA', 'sha1'],
  ['sha-512/256', 'sha512-256'],
  ['SHA3-384', 'sha3-384'],
  ['nothing', undefined],
])('digest %s is %s for node:crypto', (name, expected) => {
  expect(digestName(name)).toBe(expected);
});
