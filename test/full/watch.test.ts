import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { searchDocuments, startCrawler, type RunningCrawler } from '../support/crawler-process.js';
import { describeWith, freePort } from '../support/program.js';

/** The real binary with `--watch` on a real tree. The regular scans are an hour apart: what is found, the watch has found. */
let directory: string;
let docs: string;
let config: string;
let running: RunningCrawler | undefined;
let url: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-watch-'));
  docs = join(directory, 'docs');
  config = join(directory, 'config');
  mkdirSync(docs);
  url = `http://127.0.0.1:${await freePort()}`;
});
afterEach(async () => {
  running?.child.kill('SIGTERM');
  await running?.finished;
  running = undefined;
  rmSync(directory, { recursive: true, force: true });
});

async function start(...args: string[]): Promise<RunningCrawler> {
  const settings = ['--set', 'fs.update_rate=1h', '--set', `rest.url=${url}`];
  running = startCrawler([docs, '--config_dir', config, '--watch', '--rest', ...settings, ...args], {
    env: { DOC_LEVEL: 'debug' },
  });
  await running.printed('Will restart at');
  return running;
}

async function stop(): Promise<void> {
  running?.child.kill('SIGTERM');
  await running?.finished;
  running = undefined;
}

function file(name: string, content: string): string {
  const path = join(docs, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

interface Found {
  readonly total: number;
  readonly hits: readonly { readonly doc: { readonly path: { readonly real: string } } }[];
}

async function find(word: string): Promise<{ total: number; paths: string[] }> {
  const answer = await fetch(`${url}/_search?size=10&q=${encodeURIComponent(word)}`);
  const { total, hits } = (await answer.json()) as Found;
  return { total, paths: hits.map(({ doc }) => doc.path.real.slice(docs.length + 1)).sort() };
}

async function expectEventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
  let seen = await read();
  for (let attempt = 0; attempt < 300 && JSON.stringify(seen) !== JSON.stringify(expected); attempt += 1) {
    await delay(100);
    seen = await read();
  }
  expect(seen).toEqual(expected);
}

function expectFound(word: string, ...paths: string[]): Promise<void> {
  return expectEventually(async () => (await find(word)).paths, paths);
}

async function stateOfCrawl(): Promise<string> {
  return ((await (await fetch(`${url}/_crawler/status`)).json()) as { readonly state: string }).state;
}

/** How often a file was extracted. */
function extractions(name: string): number {
  const log = readFileSync(join(config, 'logs', 'documents.log'), 'utf8');
  return log.split('\n').filter((line) => line.includes(`[/${name}]`) && line.endsWith('] Indexed')).length;
}

describe('a change is found', () => {
  test('when a file is made, changed, renamed into place, moved and removed', async () => {
    file('old.txt', 'lighthouse');
    await start();
    file('made.txt', 'harbour');
    await expectFound('harbour', 'made.txt');
    file('old.txt', 'cannery');
    await expectFound('cannery', 'old.txt');
    await expectFound('lighthouse');
    const aside = join(directory, 'aside.txt');
    writeFileSync(aside, 'dredger');
    renameSync(aside, join(docs, 'placed.txt'));
    await expectFound('dredger', 'placed.txt');
    mkdirSync(join(docs, 'sub'));
    renameSync(join(docs, 'made.txt'), join(docs, 'sub/moved.txt'));
    await expectFound('harbour', 'sub/moved.txt');
    rmSync(join(docs, 'placed.txt'));
    await expectFound('dredger');
    expect(extractions('sub/moved.txt')).toBe(0);
    await expect((await fetch(`${url}/_crawler/status`)).json()).resolves.toMatchObject({
      state: 'PAUSED',
      paused_by: 'schedule',
      files_processed: 1,
      watch: { folders: expect.any(Number), swept: [] },
    });
  });

  test('when a folder comes, is renamed and goes; renamed, none of its files is read again', async () => {
    await start();
    for (let at = 0; at < 30; at += 1) file(`new/one/two/${at}.txt`, 'schooner');
    await expectEventually(async () => (await find('schooner')).total, 30);
    // Found, but not yet noted in the catalog, a file would rightly be read again under its new name.
    await expectEventually(stateOfCrawl, 'PAUSED');
    renameSync(join(docs, 'new'), join(docs, 'renamed'));
    await expectEventually(
      async () => (await find('schooner')).paths.filter((path) => path.startsWith('renamed/')).length,
      10,
    );
    await expectEventually(async () => (await find('schooner')).total, 30);
    expect(extractions('renamed/one/two/7.txt')).toBe(0);
    file('renamed/one/two/later.txt', 'brigantine');
    await expectFound('brigantine', 'renamed/one/two/later.txt');
    rmSync(join(docs, 'renamed'), { recursive: true });
    await expectEventually(async () => (await find('schooner')).total, 0);
  });

  test('in ten thousand files that are made at once', async () => {
    await start();
    for (let at = 0; at < 10_000; at += 1) file(`f${at % 40}/${at}.txt`, 'fisheries');
    await expectEventually(async () => (await find('fisheries')).total, 10_000);
  });

  test('that was made while the program was not running', async () => {
    file('before.txt', 'lantern');
    await start();
    await stop();
    file('meanwhile.txt', 'anchor');
    rmSync(join(docs, 'before.txt'));
    await start();
    await expectFound('anchor', 'meanwhile.txt');
    await expectFound('lantern');
    file('afterwards.txt', 'mooring');
    await expectFound('mooring', 'afterwards.txt');
  });
});

describe('a file that is being written', () => {
  test('slowly, is indexed once, complete', async () => {
    await start();
    const writer = openSync(join(docs, 'slow.txt'), 'w');
    for (let at = 0; at < 12; at += 1) {
      writeSync(writer, `part${at} `);
      await delay(400);
      expect((await find('part0')).total).toBe(0);
    }
    writeSync(writer, 'finis');
    closeSync(writer);
    await expectFound('finis', 'slow.txt');
    expect(extractions('slow.txt')).toBe(1);
  });

  test('and stays open, is read when it has not changed for fs.stability', async () => {
    await start('--set', 'fs.stability=1s');
    const writer = openSync(join(docs, 'log.txt'), 'w');
    writeSync(writer, 'logbook');
    await expectFound('logbook', 'log.txt');
    closeSync(writer);
  });

  test('does not hold up what is finished beside it', async () => {
    await start('--set', 'fs.stability=1h');
    const writer = openSync(join(docs, 'endless.txt'), 'w');
    writeSync(writer, 'endless');
    file('finished.txt', 'crane');
    await expectFound('crane', 'finished.txt');
    expect((await find('endless')).total).toBe(0);
    closeSync(writer);
    await expectFound('endless', 'endless.txt');
  });

  test('again and again by programs that close it, ends with all of its text', async () => {
    await start('--set', 'fs.stability=500ms');
    for (let at = 0; at < 8; at += 1) {
      appendFileSync(join(docs, 'appended.txt'), `entry${at} `);
      await delay(150);
    }
    await expectFound('entry7', 'appended.txt');
    expect(extractions('appended.txt')).toBeLessThanOrEqual(3);
  });
});

describe('a person', () => {
  test('who pauses stops the partial scans as well; resumed, everything is found', async () => {
    file('a.txt', 'tide');
    await start();
    await fetch(`${url}/_crawler/pause`, { method: 'POST' });
    file('b.txt', 'beacon');
    await delay(1500);
    expect((await find('beacon')).total).toBe(0);
    await fetch(`${url}/_crawler/resume`, { method: 'POST' });
    await expectFound('beacon', 'b.txt');
    file('c.txt', 'pilot');
    await expectFound('pilot', 'c.txt');
  });

  test('whose config folder lies in the tree does not set off an endless series of partial scans', async () => {
    config = join(docs, 'config');
    file('a.txt', 'granite');
    await start();
    file('b.txt', 'masonry');
    await expectFound('masonry', 'b.txt');
    const partialScans = async (): Promise<number> => {
      const status = (await (await fetch(`${url}/_crawler/status`)).json()) as { watch: { looks: number } };
      return status.watch.looks;
    };
    await delay(1500);
    const before = await partialScans();
    await delay(1500);
    expect(await partialScans()).toBe(before);
  });
});

describeWith(['unshare'], 'a user who may watch few folders', () => {
  /** A user namespace of its own has a limit of its own. */
  const limited = (watches: number): string[] => [
    'unshare',
    '--user',
    '--map-root-user',
    'sh',
    '-c',
    `echo ${watches} > /proc/sys/user/max_inotify_watches && exec "$@"`,
    'sh',
  ];

  function startLimited(watches: number): RunningCrawler {
    const settings = ['--set', 'fs.update_rate=1h'];
    running = startCrawler([docs, '--config_dir', config, '--watch', ...settings], {}, limited(watches));
    return running;
  }

  test('is reported at the start that the tree is left to the scans', async () => {
    for (let at = 0; at < 60; at += 1) file(`f${at}/a.txt`, 'a');
    const started = startLimited(40);
    await started.printed('Will restart at');
    await started.printed(`[${docs}] cannot be watched: it has more folders than can be watched (`);
    await stop();
    expect((await searchDocuments([docs, '--all', '--config_dir', config])).length).toBe(60);
  });

  test('is reported once when the watches run out later, and the scans go on', async () => {
    file('f/a.txt', 'a');
    const started = startLimited(40);
    await started.printed('Will restart at');
    for (let at = 0; at < 120; at += 1) file(`f${at}/a.txt`, 'a');
    await started.printed('is no longer watched. Now it has more folders than can be watched');
    await delay(500);
    started.child.kill('SIGTERM');
    const { stderr, code } = await started.finished;
    expect(stderr.match(/no longer watched/g)).toHaveLength(1);
    expect(code).toBe(0);
  });
});

test('a root that goes and comes back is watched again, and loses no document meanwhile', async () => {
  file('a.txt', 'tower');
  await start();
  renameSync(docs, `${docs}.away`);
  await delay(1000);
  expect((await find('tower')).total).toBe(1);
  cpSync(`${docs}.away`, docs, { recursive: true });
  await fetch(`${url}/_crawler/resume`, { method: 'POST' });
  await expectEventually(async () => {
    const status = (await (await fetch(`${url}/_crawler/status`)).json()) as { state: string; paused_by: string };
    return status.paused_by;
  }, 'schedule');
  file('b.txt', 'staircase');
  await expectFound('staircase', 'b.txt');
  await stop();
  expect((await searchDocuments([docs, '--all', '--config_dir', config])).length).toBe(2);
});
