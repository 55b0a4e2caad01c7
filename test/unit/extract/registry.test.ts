import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { findFormat, formats } from '../../../src/extract/registry.js';

describe('registry', () => {
  test.each(formats.map((format) => [format.name, format] as const))('%s loads', async (_name, format) => {
    const extractor = await format.load();
    expect(typeof extractor.extract).toBe('function');
  });

  test('no two formats have the same name', () => {
    const names = formats.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('has every folder of formats/', () => {
    const folder = new URL('../../../src/extract/formats/', import.meta.url);
    const folders = readdirSync(folder);
    const registry = readFileSync(new URL('../registry.ts', folder), 'utf8');
    expect(folders.filter((name) => !registry.includes(`'./formats/${name}/format.js'`))).toEqual([]);
  });

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
