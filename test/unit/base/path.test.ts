import { describe, expect, test } from '@jest/globals';
import {
  baseName,
  extensionOf,
  idSource,
  isWithin,
  joinPath,
  normaliseRoot,
  parentPath,
  virtualPath,
} from '../../../src/base/path.js';

describe('virtual path', () => {
  test.each([
    ['/tmp/es', '/tmp/es', '/'],
    ['/tmp/es', '/tmp/es/a/b.txt', '/a/b.txt'],
    ['/', '/a/b.txt', '/a/b.txt'],
    ['C:\\tmp', 'C:\\tmp\\dir\\file.txt', '\\dir\\file.txt'],
    ['\\\\HOST\\share', '\\\\HOST\\share\\dir', '\\dir'],
    ['/tmp/es', '/tmp/escape/x', '/'],
  ])('of %s: %s is %s', (root, path, virtual) => {
    expect(virtualPath(root, path)).toBe(virtual);
  });
});

test.each([
  ['/tmp/es/', '/tmp/es'],
  ['/tmp/es///', '/tmp/es'],
  ['/', '/'],
  ['C:\\', 'C:\\'],
  ['C:\\tmp\\', 'C:\\tmp'],
])('root %s is %s', (root, normalised) => {
  expect(normaliseRoot(root)).toBe(normalised);
});

test.each([
  ['/a/b', '/a'],
  ['/a', '/'],
  ['/', undefined],
  ['a', undefined],
  ['C:\\x\\y', 'C:\\x'],
])('the folder above %s is %s', (path, parent) => {
  expect(parentPath(path)).toBe(parent);
});

test.each([
  ['/a', 'b', '/a/b'],
  ['/', 'b', '/b'],
  ['C:\\x', 'y', 'C:\\x\\y'],
])('%s joined with %s is %s', (folder, name, path) => {
  expect(joinPath(folder, name)).toBe(path);
  expect(baseName(path)).toBe(name);
});

test.each([
  ['/a', '/a', true],
  ['/a', '/a/b/c', true],
  ['/a', '/ab', false],
  ['/', '/x', true],
])('%s holds %s: %s', (folder, path, expected) => {
  expect(isWithin(folder, path)).toBe(expected);
});

test.each([
  ['a.PDF', 'pdf'],
  ['archive.tar.gz', 'gz'],
  ['none', undefined],
  ['dot.', undefined],
  ['.bashrc', 'bashrc'],
])('extension of %s is %s', (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});

test.each([
  ['/tmp/es', 'test.txt', '/tmp/es/test.txt'],
  ['/tmp/es/', 'a/b\\c', '/tmp/es/abc'],
  ['C:\\docs', 'x', 'C:/docs/x'],
])('what is hashed for %s and %s is %s', (folder, name, source) => {
  expect(idSource(folder, name)).toBe(source);
});
