import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runCrawler, searchDocuments, startCrawler, type Finished } from '../support/crawler-process.js';
import { ask, describeRealEngines } from '../support/real-engines.js';

/** A server that was told which mapping it has refuses what does not fit; the others are not affected. */
const STRICT = { mappings: { properties: { external: { properties: { number: { type: 'integer' } } } } } };

let directory: string;
let config: string;
let job: string;
let jobs = 0;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-push-'));
  config = join(directory, 'config');
  job = `push${Date.now()}${(jobs += 1)}`;
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function crawlEmbedded(files: number, words = 20): Promise<string> {
  const root = join(directory, job);
  for (let at = 0; at < files; at += 1) {
    const folder = join(root, `folder-${at % 3}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.txt`), `Number ${at} ${'word '.repeat(words)}`);
  }
  expect((await runCrawler([root, '--config_dir', config, '--loop', '1'])).code).toBe(0);
  return root;
}

function push(url: string, ...more: string[]): Promise<Finished> {
  return runCrawler(['push', job, '--to', url, '--config_dir', config, ...more]);
}

/** Everything that the engine behind `settings` holds, by id. */
async function contents(index: string, ...settings: string[]): Promise<Record<string, unknown>> {
  const documents = await searchDocuments([job, '--all', '--index', index, '--config_dir', config, ...settings]);
  return Object.fromEntries(documents.map(({ id, source }) => [id, source]));
}

test('without an embedded index there is nothing to copy, and the sentence says so', async () => {
  mkdirSync(join(config, job), { recursive: true });
  writeFileSync(join(config, job, '_settings.yaml'), `fs:\n  url: ${directory}\n`);
  const { code, stderr } = await push('http://127.0.0.1:9');
  expect(code).toBe(1);
  expect(stderr).toContain(`Job [${job}] has no embedded index`);
});

test('without --to the command line is wrong', async () => {
  expect((await runCrawler(['push', 'job'])).code).toBe(2);
});

describeRealEngines('crawler push', (url) => {
  test('copies documents and folders under their ids; the next crawl into the engine reads nothing again', async () => {
    const root = await crawlEmbedded(40);
    const { code, stdout, stderr } = await push(url());
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain(`44 documents copied to [${url()}], 0 rejected.`);
    expect(existsSync(join(config, job, '_push.json'))).toBe(false);
    const engine = ['--set', `engine.urls=${url()}`];
    await ask(url(), 'POST', `/${job}_docs,${job}_folder/_refresh`);
    expect(await contents(`${job}_docs`, ...engine)).toEqual(await contents(`${job}_docs`));
    expect(await contents(`${job}_folder`, ...engine)).toEqual(await contents(`${job}_folder`));
    const next = await runCrawler([root, '--config_dir', config, '--loop', '1', ...engine]);
    expect(next.stdout).toContain('indexed [0], deleted [0]');
  });

  test('tells how many documents were refused and why, with exit code 1; the others are there', async () => {
    const root = await crawlEmbedded(5);
    writeFileSync(join(root, 'folder-0', '.meta.yml'), 'external:\n  number: "not a number"\n');
    expect((await runCrawler([root, '--config_dir', config, '--loop', '1'])).code).toBe(0);
    await ask(url(), 'PUT', `/${job}_docs`, STRICT);
    const { code, stdout, stderr } = await push(url());
    expect(code).toBe(1);
    expect(stdout).toContain('7 documents copied');
    expect(stdout).toContain('2 rejected.');
    expect(stderr).toMatch(/Rejected.*external\.number/s);
  });

  test('resumes where it was stopped, and starts over when the index has changed since', async () => {
    const root = await crawlEmbedded(3000, 400);
    const running = startCrawler(['push', job, '--to', url(), '--config_dir', config, '--set', 'engine.bulk_size=20']);
    const path = join(config, job, '_push.json');
    while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 5));
    running.child.kill('SIGKILL');
    await running.finished;
    const kept = readFileSync(path, 'utf8');
    const second = await push(url());
    expect(second.stdout).toMatch(
      /3004 documents copied .* \(\d+ of them by an earlier, interrupted run\), 0 rejected\./,
    );
    writeFileSync(path, kept);
    writeFileSync(join(root, 'folder-0', 'new.txt'), 'new');
    await runCrawler([root, '--config_dir', config, '--loop', '1']);
    expect((await push(url())).stdout).toContain(`3005 documents copied to [${url()}], 0 rejected.`);
    await ask(url(), 'POST', `/${job}_docs/_refresh`);
    expect(await ask(url(), 'GET', `/${job}_docs/_count`)).toMatchObject({ count: 3001 });
  });
});
