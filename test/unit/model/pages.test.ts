import { expect, test } from '@jest/globals';
import { pageOfFragment } from '../../../src/model/pages.js';

const MARKS = { on: '<em>', off: '</em>' };
const content = 'first page, a lamp\nsecond page, an oil can\nthird page, a lens';
const pages = [0, content.indexOf('second'), content.indexOf('third')];

test.each<[string, string, number | undefined]>([
  ['a hit on the first page', 'a <em>lamp</em>', 1],
  ['a fragment that begins on one page and has its hit on the next', 'lamp\nsecond page, an <em>oil</em> can', 2],
  ['two marks: the first one counts', '<em>oil</em> can\nthird page, a <em>lens</em>', 2],
  ['a hit at the very beginning of a page', '<em>third</em> page', 3],
  ['a fragment without a mark', 'third page', 3],
  ['a fragment of something else', '<em>harbour</em>', undefined],
])('%s', (_, fragment, page) => {
  expect(pageOfFragment(content, pages, fragment, MARKS)).toBe(page);
});

test('a document without pages has none', () => {
  expect(pageOfFragment(content, [], '<em>lamp</em>', MARKS)).toBeUndefined();
});
