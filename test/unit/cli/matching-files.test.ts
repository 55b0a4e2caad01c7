import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { matchingFiles } from '../../../src/cli/matching-files.js';
import { tempDir } from '../../support/temp-dir.js';

const folder = tempDir();
mkdirSync(join(folder, 'below'));
for (const name of ['a.txt', 'b.txt', 'c.pdf', '[1].txt', 'below/d.txt']) writeFileSync(join(folder, name), '');

test.each([
  ['a name', ['c.pdf'], ['c.pdf']],
  ['a pattern', ['[ab].txt'], ['a.txt', 'b.txt']],
  ['a pattern of any depth', ['**/?.txt'], ['a.txt', 'b.txt', 'below/d.txt']],
  ['a file whose name is a pattern', ['[1].txt'], ['[1].txt']],
  ['a name that is not there, which is for who opens it', ['missing.txt'], ['missing.txt']],
  ['several', ['c.pdf', '?.txt'], ['c.pdf', 'a.txt', 'b.txt']],
])('%s', async (_what, names, files) => {
  const found = await matchingFiles(names.map((name) => join(folder, name)));
  expect(found).toEqual(files.map((file) => join(folder, file)));
});

test('a pattern that no file matches is an error', async () => {
  await expect(matchingFiles([join(folder, '*.doc')])).rejects.toMatchObject({
    code: 'not_found',
    message: `No file matches [${folder}/*.doc].`,
  });
});
