import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { runCrawler, searchDocuments } from '../../support/crawler-process.js';
import { EngineJobs, stop } from '../../support/engine-jobs.js';
import { tempDir } from '../../support/temp-dir.js';

const jobs = new EngineJobs();
afterAll(() => jobs.end());

test.each<[string, string[]]>([
  ['as they are', []],
  ['as inner objects', ['fs.add_as_inner_object=true']],
])('the fields of JSON documents that are kept %s are searched', async (_how, settings) => {
  const folder = tempDir();
  const root = join(folder, 'notes');
  mkdirSync(root);
  const documents = {
    post: { title: 'hello', tags: ['greeting', 'short'], author: { name: 'Grace' }, likes: 7 },
    page: { subject: 'farewell', body: { text: 'hello once more, and goodbye' } },
  };
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(join(root, `${name}.json`), JSON.stringify(document));
  }
  const set = ['fs.json_support=true', ...settings].flatMap((each) => ['--set', each]);
  const config = ['--config_dir', join(folder, 'config'), ...set];
  expect((await runCrawler([root, '--loop', '1', '--silent', ...config])).code).toBe(0);

  expect(await searchDocuments([root, 'hello', ...config])).toHaveLength(2);
  expect(await searchDocuments([root, 'grace', ...config])).toHaveLength(1);
  expect(await searchDocuments([root, 'hello farewell', ...config])).toHaveLength(1);
  expect(await searchDocuments([root, 'nowhere', ...config])).toHaveLength(0);

  const service = await jobs.startService([root, '--loop', '0', ...config]);
  for (const [query, total] of [
    ['hello', 2],
    ['greeting', 1],
    ['goodbye hello', 1],
    ['nowhere', 0],
  ]) {
    const answer = await fetch(`${service.url}/_search?q=${encodeURIComponent(String(query))}`);
    expect(await answer.json()).toMatchObject({ ok: true, total });
  }
  await stop(service);
});
