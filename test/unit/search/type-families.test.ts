import { describe, expect, test } from '@jest/globals';
import { namedTypes } from '../../../src/extract/detect/name-types.js';
import { formats } from '../../../src/extract/registry.js';
import { familyOf, familyQuery, typeFamilies } from '../../../src/search/type-families.js';

/** Without patterns such as `*+xml`. */
const mediaTypes = formats.flatMap((format) => format.mediaTypes).filter((type) => !type.includes('*'));

test.each([...new Set(mediaTypes)])('%s, which is read, has a family', (type) => {
  expect(familyOf(type)).not.toBe('other');
});

test.each([
  ['application/pdf', 'pdf'],
  ['text/plain; charset=UTF-8', 'text'],
  ['text/html; charset=UTF-8', 'web'],
  ['text/csv; charset=windows-1252; delimiter=semicolon', 'spreadsheet'],
  ['application/vnd.openxmlformats-officedocument.presentationml.slideshow', 'presentation'],
  ['application/vnd.ms-excel.sheet.macroenabled.12', 'spreadsheet'],
  ['multipart/related', 'web'],
  ['image/vnd.djvu', 'document'],
  ['IMAGE/PNG', 'image'],
  ['application/octet-stream', 'other'],
  ['', 'other'],
  [undefined, 'other'],
])('%s is of the family %s', (type, family) => {
  expect(familyOf(type)).toBe(family);
});

describe('the query of a family finds its types and no other', () => {
  const types = [...new Set([...mediaTypes, ...namedTypes().map(([type]) => type), 'application/octet-stream'])];

  test.each(typeFamilies)('%s', (family) => {
    const query = familyQuery(family);
    expect(types.filter((type) => matches(query, type))).toEqual(types.filter((type) => familyOf(type) === family));
  });
});

interface Query {
  readonly bool?: { readonly should?: readonly Query[]; readonly must_not?: readonly Query[] };
  readonly prefix?: Readonly<Record<string, string>>;
}

/** What an engine does with such a query. */
function matches({ bool, prefix }: Query, type: string): boolean {
  if (prefix !== undefined) return type.startsWith(prefix['file.content_type'] ?? '-');
  if (bool?.must_not?.some((query) => matches(query, type))) return false;
  return bool?.should?.some((query) => matches(query, type)) ?? true;
}
