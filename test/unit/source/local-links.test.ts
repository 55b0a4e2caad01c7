import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { LocalSource } from '../../../src/source/local/local-source.js';
import { listed } from '../../contract/source-contract.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'local-links-'));
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'file'), 'x');
  for (const [target, name] of [
    ['file', 'to file'],
    ['folder', 'to folder'],
    ['..', 'folder/up'],
    ['nowhere', 'to nothing'],
    ['file/below', 'through a file'],
    ['to itself', 'to itself'],
    ['there', 'back'],
    ['back', 'there'],
  ]) {
    symlinkSync(target!, join(folder, name!));
  }
});

afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  [true, ['folder', 'file'], 'dangling', 'circular'],
  [false, ['symlink', 'symlink'], 'symlink', 'symlink'],
])('links, followed: %s', async (followSymlinks, [toFolder, toFile], dangling, circular) => {
  const source = new LocalSource({ followSymlinks });
  const entries = await listed(source, folder);
  expect(Object.fromEntries(entries.map(({ name, kind }) => [name, kind]))).toEqual({
    folder: 'folder',
    file: 'file',
    'to folder': toFolder,
    'to file': toFile,
    'to nothing': dangling,
    'through a file': followSymlinks ? 'dangling' : 'symlink',
    'to itself': circular,
    back: circular,
    there: circular,
  });
});
