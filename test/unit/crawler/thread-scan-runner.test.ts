import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ThreadScanRunner } from '../../../src/crawler/scan-thread/thread-scan-runner.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { MemoryScanPort } from '../../support/memory-scan-port.js';

/** Requests that reach the thread together with the one that begins a scan, or even before it. */
const REQUEST = { resume: false, afterRestart: false, scanId: 'scan-1', startedMs: Date.now() };
const FILES = ['a.txt', 'b.txt', 'c.txt'];

let directory: string;
let port: MemoryScanPort;
let runner: ThreadScanRunner;
let indexIsReady: () => void;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-runner-'));
  const root = join(directory, 'tree');
  mkdirSync(root);
  for (const name of FILES) writeFileSync(join(root, name), name);
  const { settings } = loadSettings({
    configDir: directory,
    job: 'job',
    env: {},
    overrides: [`fs.url=${root}`],
    fsJavaOpts: undefined,
  });
  port = new MemoryScanPort((path) => path);
  const identity = new Promise<string>((resolve) => (indexIsReady = () => resolve('index-1')));
  runner = new ThreadScanRunner({
    host: Object.assign(port, { changesDue: () => undefined, watchEnded: () => undefined }),
    indexIdentity: () => identity,
    data: {
      settings,
      jobDirectory: directory,
      extractorVersion: '1',
      staticMetadata: undefined,
      maxUnderWay: 8,
      inBackground: false,
    },
  });
});

afterEach(async () => {
  await runner.close();
  rmSync(directory, { recursive: true, force: true });
});

test.each(['while it waits for the index', 'while the thread prepares it'])(
  'a scan that is held %s takes no file until it continues',
  async (when) => {
    if (!when.includes('index')) indexIsReady();
    // The thread is up.
    await runner.unfinished();
    const running = runner.run(REQUEST);
    if (!when.includes('index')) await Promise.resolve();
    const held = runner.hold();
    indexIsReady();
    await held;
    await sleep(300);
    expect(port.extracted).toEqual([]);
    runner.continue();
    expect(await running).toMatchObject({ kind: 'completed', progress: { files: FILES.length } });
  },
);

test('a scan that is stopped while the thread prepares it does not begin', async () => {
  indexIsReady();
  await runner.unfinished();
  const running = runner.run(REQUEST);
  await Promise.resolve();
  await runner.stop();
  expect([await running, port.extracted]).toEqual([expect.objectContaining({ kind: 'stopped' }), []]);
});

test('a scan that is stopped while it is held does not hold the next one', async () => {
  indexIsReady();
  const running = runner.run(REQUEST);
  await runner.hold();
  await runner.stop();
  expect(await running).toMatchObject({ kind: 'stopped' });
  expect(await runner.run({ ...REQUEST, resume: true })).toMatchObject({ kind: 'completed' });
});

test('a question that comes after the end starts no other thread, which nobody would end', async () => {
  await runner.unfinished();
  await runner.close();
  await expect(runner.totals()).rejects.toMatchObject({ code: 'cancelled' });
});
