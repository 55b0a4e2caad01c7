import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runCrawler, searchDocuments } from '../../support/crawler-process.js';

let directory: string;
let docs: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-shared-ids-'));
  docs = join(directory, 'docs');
  for (const folder of ['a', 'b']) mkdirSync(join(docs, folder), { recursive: true });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** One run; returns what the index holds then, as `path: text`. */
async function crawl(...settings: readonly string[]): Promise<string[]> {
  const set = ['fs.filename_as_id=true', ...settings].flatMap((each) => ['--set', each]);
  const { code, stderr } = await runCrawler([docs, '--config_dir', join(directory, 'config'), '--loop', '1', ...set]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const found = await searchDocuments(['docs', '--all', '--config_dir', join(directory, 'config')]);
  return found
    .map(({ source }) => `${source.path?.real?.slice(docs.length) ?? '?'}: ${source.content?.trim() ?? ''}`)
    .sort();
}

test.each([
  ['removed', () => rmSync(join(docs, 'b/x.txt')), []],
  ['renamed', () => renameSync(join(docs, 'b/x.txt'), join(docs, 'b/y.txt')), ['/b/y.txt: of b']],
  ['excluded', () => undefined, []],
])('the document that two files share stays when one of them is %s', async (how, change, others) => {
  writeFileSync(join(docs, 'a/x.txt'), 'of a');
  expect(await crawl()).toEqual(['/a/x.txt: of a']);
  writeFileSync(join(docs, 'b/x.txt'), 'of b');
  expect(await crawl()).toEqual(['/b/x.txt: of b']);
  change();
  const settings = how === 'excluded' ? ['fs.excludes=*/b/x.txt'] : [];
  expect(await crawl(...settings)).toHaveLength(1 + others.length);
  // It told of the other file: the one that is left is indexed again.
  expect(await crawl(...settings)).toEqual(['/a/x.txt: of a', ...others]);
  rmSync(join(docs, 'a/x.txt'));
  expect(await crawl(...settings)).toEqual(others);
});
