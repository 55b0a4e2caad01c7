import { describe, expect, test } from '@jest/globals';
import { findFormat, formats } from '../../../src/extract/registry.js';

describe('registry', () => {
  test.each(formats.map((entry) => [entry.name, entry] as const))(
    '%s lists the types that its module lists',
    async (name, entry) => {
      const format = await entry.load();
      expect(format.name).toBe(name);
      expect([...format.mediaTypes].sort()).toEqual([...entry.mediaTypes].sort());
    },
  );

  test('no type is claimed by two formats', () => {
    const types = formats.flatMap(({ mediaTypes }) => mediaTypes);
    expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([]);
  });

  test.each([
    ['text/plain', 'text'],
    ['text/x-anything', 'text'],
    ['text/html', 'html'],
    ['text/html; charset=UTF-8', 'html'],
    ['application/xhtml+xml', 'html'],
    ['application/whatever+xml', 'xml'],
    ['application/dita+xml; format=map', 'xml'],
    ['application/x-x509-cert; format=pem', 'text'],
    ['application/pdf', 'pdf'],
    ['application/x-7z-compressed', 'seven-zip'],
    ['application/vnd.google-earth.kmz', 'zip'],
    ['application/x-tika-msworks-spreadsheet', 'xls'],
    ['application/octet-stream', undefined],
    ['image/unknown', undefined],
  ])('%s goes to %s', (type, name) => {
    expect(findFormat(type)?.name).toBe(name);
  });
});
