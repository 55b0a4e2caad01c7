import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { beginsWithTexts } from '../../../src/app/begins-with-texts.js';
import { tempDir } from '../../support/temp-dir.js';
import { JobFolder } from '../settings/job-folder.js';

const job = new JobFolder();
afterAll(() => job.remove());

function begins(names: readonly string[], more = ''): Promise<boolean> {
  const root = tempDir();
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), 'text');
  }
  return beginsWithTexts(job.loadYaml(`fs:\n  url: '${root}'\n${more}`).settings);
}

test.each([
  ['texts in the root', ['a.txt', 'b.md'], true],
  ['a document beside them', ['a.txt', 'b.pdf'], false],
  ['folders of texts', ['a/1.txt', 'b/2.txt'], true],
  ['texts in the fourth folder', ['a/b/c/1.txt'], true],
  ['a document in the first folder', ['a.txt', 'b/1.pdf'], false],
  ['a document in a folder within the first', ['a/b/1.docx'], false],
  ['a document beside the first folder', ['a/1.txt', 'b.docx'], false],
  ['nothing', [], true],
])('a tree may begin with texts alone: %s', async (_, names, expected) => {
  expect(await begins(names)).toBe(expected);
});

test('a process is needed when settings want more than the text, or there is no tree', async () => {
  expect(await begins(['a.txt'], '  lang_detect: true\n')).toBe(false);
  expect(await beginsWithTexts(job.loadYaml(`fs:\n  url: '${job.path('away')}'\n`).settings)).toBe(false);
});
