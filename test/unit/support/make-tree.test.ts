import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeTree, tokenOf } from '../../support/make-tree.js';
import { tempDir, withTempDir } from '../../support/temp-dir.js';

const options = { files: 60, folders: 25, size: [300, 500], seed: 7 } as const;

function contents(root: string, files: readonly string[]): string[] {
  return files.map((file) => readFileSync(join(root, file), 'utf8'));
}

describe('makeTree', () => {
  const root = tempDir();
  const tree = makeTree(root, options);

  test('writes as many files and folders as asked for, of the sizes asked for', () => {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile())).toHaveLength(60);
    expect(entries.filter((entry) => entry.isDirectory())).toHaveLength(25);
    const sizes = contents(root, tree.files).map((text) => text.length);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(300);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(tree.bytes);
  });

  test('gives every file a word of its own', () => {
    const texts = contents(root, tree.files);
    expect(texts.every((text, i) => text.startsWith(`${tokenOf(i)}\n`))).toBe(true);
    expect(texts.filter((text) => text.includes(tokenOf(3)))).toHaveLength(1);
  });

  test('gives the same tree for the same seed, another for another', async () => {
    await withTempDir((other) => {
      expect(contents(other, makeTree(other, options).files)).toEqual(contents(root, tree.files));
    });
    await withTempDir((other) => {
      expect(contents(other, makeTree(other, { ...options, seed: 8 }).files)).not.toEqual(contents(root, tree.files));
    });
  });

  test('without folders puts everything into the root', async () => {
    await withTempDir((folder) => {
      expect(makeTree(folder, { files: 3, folders: 0 }).files.every((file) => !file.includes('/'))).toBe(true);
    });
  });
});

test('withTempDir removes its folder, also after a failure', async () => {
  let folder = '';
  const failing = withTempDir((path) => {
    folder = path;
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(folder).not.toBe('');
  expect(existsSync(folder)).toBe(false);
});
