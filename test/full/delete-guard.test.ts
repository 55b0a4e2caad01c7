import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { indexedPaths, runCrawler, startCrawler, type RunningCrawler } from '../support/crawler-process.js';
import { freePort } from '../support/program.js';

let directory: string;
let docs: string;
let config: string;
let running: RunningCrawler | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-guard-'));
  docs = join(directory, 'docs');
  config = join(directory, 'config');
  mkdirSync(docs);
});
afterEach(async () => {
  running?.child.kill('SIGTERM');
  await running?.finished;
  running = undefined;
  rmSync(directory, { recursive: true, force: true });
});

function fill(folder: string, count: number): void {
  mkdirSync(join(docs, folder), { recursive: true });
  for (let at = 0; at < count; at += 1) writeFileSync(join(docs, folder, `${at}.txt`), `${folder} ${at}`);
}

const options = (): string[] => ['--config_dir', config, '--set', 'fs.index_content=false'];
const runOnce = (): ReturnType<typeof runCrawler> => runCrawler([docs, '--loop', '1', ...options()]);
const approve = (): ReturnType<typeof runCrawler> => runCrawler(['approve', docs, '--config_dir', config]);
const indexed = async (): Promise<number> => (await indexedPaths(docs, config)).length;

describe('a folder that is emptied, as by a disk that is not mounted', () => {
  beforeEach(async () => {
    fill('.', 1200);
    expect((await runOnce()).code).toBe(0);
    renameSync(docs, `${docs}.away`);
    mkdirSync(docs);
  });

  test('costs no document: the run says what is held, until the files are there again', async () => {
    const { code, stdout, stderr } = await runOnce();
    expect(code).toBe(0);
    expect(stdout).toContain('deleted [0]');
    expect(stderr).toMatch(/1200 documents of job \[docs\] are gone.*\[crawler approve docs\]/);
    expect(await indexed()).toBe(1200);
    rmSync(docs, { recursive: true });
    renameSync(`${docs}.away`, docs);
    expect((await runOnce()).stdout).toContain('indexed [0], deleted [0]');
    expect((await approve()).stdout).toContain('No deletions are held');
  });

  test('is emptied in the index as well by the run after an approval', async () => {
    await runOnce();
    const { code, stdout } = await approve();
    expect(code).toBe(0);
    expect(stdout).toContain('The removal of 1,200 documents is approved. The next run removes them');
    expect((await runOnce()).stdout).toContain('deleted [1200]');
    expect(await indexed()).toBe(0);
  });
});

describe('with a crawler running', () => {
  let url: string;

  const status = async (): Promise<{
    held_deletions: { documents: number } | null;
    state: string;
    paused_by: string;
  }> => (await (await fetch(`${url}/_crawler/status`)).json()) as Awaited<ReturnType<typeof status>>;

  async function until(reached: (now: Awaited<ReturnType<typeof status>>) => boolean): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      if (reached(await status())) return;
      await delay(100);
    }
    throw new Error(`The status stays ${JSON.stringify(await status())}`);
  }

  async function count(): Promise<number> {
    return ((await (await fetch(`${url}/_search?size=0`)).json()) as { total: number }).total;
  }

  beforeEach(async () => {
    fill('kept', 5);
    fill('lost', 20);
    url = `http://127.0.0.1:${await freePort()}`;
    const settings = ['fs.update_rate=1h', 'fs.delete_guard=10', `rest.url=${url}`].flatMap((each) => ['--set', each]);
    running = startCrawler([docs, '--rest', ...options(), ...settings]);
    await running.printed('Will restart at');
    rmSync(join(docs, 'lost'), { recursive: true });
    await fetch(`${url}/_crawler/resume`, { method: 'POST' });
    await until(({ held_deletions: held }) => held !== null);
  });

  test('the status shows what is held; approved over REST, it is removed at once', async () => {
    expect((await status()).held_deletions).toMatchObject({ documents: 20, folders: 1 });
    expect(await count()).toBe(25);
    const answer = await fetch(`${url}/_crawler/approve`, { method: 'POST' });
    await expect(answer.json()).resolves.toMatchObject({ ok: true });
    await until(({ state, held_deletions: held }) => state === 'PAUSED' && held === null);
    expect(await count()).toBe(5);
  });

  test('approved on the command line, it is removed within seconds by the running crawler', async () => {
    await until(({ paused_by: pausedBy }) => pausedBy === 'schedule');
    expect((await approve()).stdout).toContain('The crawler begins a run within five seconds');
    for (let attempt = 0; attempt < 300 && (await count()) !== 5; attempt += 1) await delay(100);
    expect(await count()).toBe(5);
    await until(({ held_deletions: held }) => held === null);
  });
});

test.each([
  ['a job that does not exist', ['approve', 'nowhere'], 1, /There is no job \[nowhere\]/],
  ['too many arguments', ['approve', 'a', 'b'], 2, /too many arguments/],
])('%s gets a sentence', async (_, args, code, message) => {
  const ended = await runCrawler([...args, '--config_dir', config]);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toMatch(message);
});
