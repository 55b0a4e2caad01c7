import { expect, test } from '@jest/globals';
import { compilePattern } from '../../../src/base/glob.js';

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
  ['regex:.*/[0-9]+\\.txt', '/sub/123.txt', false, true],
  ['regex:.*/[0-9]+\\.txt', '/sub/12a.txt', false, false],
])('%s on %s (folder: %s): %s', (pattern, path, isFolder, expected) => {
  expect(compilePattern(pattern).matches(path, isFolder)).toBe(expected);
});
