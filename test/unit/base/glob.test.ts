import { beforeAll, describe, expect, test } from '@jest/globals';
import { compilePattern } from '../../../src/base/glob.js';
import { loadLinearEngine } from '../../../src/base/pattern/linear-engine.js';

beforeAll(loadLinearEngine);

test.each([
  ['*/*.doc', '/test.doc', false, true],
  ['*/*.doc', '/my.doc.xls', false, false],
  ['*/my.d?c*.xls', '/my.doc.xls', false, true],
  ['*/my.d?c*.xls', '/my.douc.xls', false, false],
  ['*/my.d?c*.xls', '/my.dc.xls', false, true],
  ['*/*.DOC', '/test.doc', false, true],
  ['*/.snapshots', '/.snapshots', false, true],
  ['*/~*', '/filter test/~x.docx', false, true],
  ['/folderB/subfolder*', '/folderB/subfolderA', true, true],
  ['/folderB/subfolderB/*', '/folderB/subfolderB', true, true],
  ['/folderB/subfolderB/*', '/folderB', true, false],
  ['*/arbets/*', '\\foo\\arbets', true, true],
  ['.ignore', '/deep/.ignore', false, true],
  ['resume.doc', '/resume.doc', false, true],
  ['type1*.json', '/x/type1x.json', false, true],
  ['*.jpg', '/ajpg', false, false],
  ['a(1)+[x].txt', '/a(1)+[x].txt', false, true],
  ['node_modules', '/p/node_modules', true, true],
  ['node_modules', '/p/node_modules/x.js', false, false],
  ['*/line*end', '/line\nend', false, true],
  ['?', '/a', false, true],
  ['????', '/abc', false, true],
  ['*ΟΔΟΣ.txt', '/οδος.txt', false, true],
  ['*/*_include\\.txt', '/a/some_include.txt', false, true],
  ['*/*_include\\.txt', '/a/some_includeXtxt', false, false],
  ['*/\\.ignore/', '/a/.ignore', true, true],
  ['*/\\.ignore/', '/a/b.ignore', true, false],
  ['\\.ignore', '/a/.ignore', false, true],
  ['*/what\\?.txt', '/what?.txt', false, true],
  ['*/what\\?.txt', '/what.txt', false, false],
  ['*/2\\*3.txt', '/2*3.txt', false, true],
  ['*/2\\*3.txt', '/2x3.txt', false, false],
  ['*\\\\arbets\\\\*', '\\foo\\arbets', true, true],
  ['*\\\\arbets\\\\*', '/foo/arbets/x', false, true],
  ['regex:.*/[0-9]+\\.txt', '/sub/123.txt', false, true],
  ['regex:.*/[0-9]+\\.txt', '/sub/12a.txt', false, false],
])('%s on %s (folder: %s): %s', (pattern, path, isFolder, expected) => {
  expect(compilePattern(pattern).matches(path, isFolder)).toBe(expected);
});

test('a backslash at the end takes nothing as it is', () => {
  expect(() => compilePattern('*/tmp\\')).toThrow(SyntaxError);
  expect(compilePattern('*/tmp\\\\').matches('/tmp', true)).toBe(true);
});

describe('a path made for it', () => {
  const path = `/${'a'.repeat(4000)}`;

  test.each([
    `${'*a'.repeat(200)}*b`,
    `${'?*'.repeat(200)}b`,
    `${'?'.repeat(300)}b`,
    'regex:(.*a)+b',
    'regex:(?:/?(a|aa)+)+b',
  ])('is no work without end for %s', (text) => {
    expect(compilePattern(text).matches(path, false)).toBe(false);
  });

  test('ends what only a backtracking engine knows within its time limit', () => {
    expect(() => compilePattern('regex:(?=/)(/?a+)+b').matches(path, false)).toThrow(
      'The pattern [(?=/)(/?a+)+b] was not decided within 250ms.',
    );
    expect(compilePattern('regex:(?!.*/keep/).*').matches('/a/keep/b', false)).toBe(false);
    expect(compilePattern('regex:(?!.*/keep/).*').matches('/a/drop/b', false)).toBe(true);
  });
});
