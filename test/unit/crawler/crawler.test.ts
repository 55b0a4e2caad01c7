import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Clock } from '../../../src/base/clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import { Crawler } from '../../../src/crawler/crawler.js';
import { NO_PROGRESS } from '../../../src/crawler/run-record.js';
import type { Approval, HeldDeletions } from '../../../src/crawler/scan/delete-guard.js';
import type { ScanProgress } from '../../../src/crawler/scan/scan-port.js';
import type { ScanEnd, ScanRequest, ScanRunner, UnfinishedScan } from '../../../src/crawler/scan/scan-runner.js';
import type { WatchReport } from '../../../src/source/tree-watch.js';
import type { CatalogTotals, ReasonCounts } from '../../../src/state/catalog.js';
import { CheckpointFile } from '../../../src/state/checkpoint-file.js';

/** Scans that end when the test says so. */
class ScriptedRunner implements ScanRunner {
  readonly requests: ScanRequest[] = [];
  readonly calls: string[] = [];
  open: UnfinishedScan | undefined;
  held: HeldDeletions | undefined;
  #end: ((end: ScanEnd) => void) | undefined;
  #endLook: ((end: ScanEnd) => void) | undefined;

  totals(): Promise<CatalogTotals> {
    return Promise.resolve({ files: 0, folders: 0, states: {}, reasons: {} });
  }

  reasons(): Promise<ReasonCounts> {
    return Promise.resolve({});
  }

  watch(): Promise<WatchReport> {
    this.calls.push('watch');
    return Promise.resolve({ folders: 3, unwatched: [] });
  }

  scanChanges(): Promise<ScanEnd> {
    this.calls.push('scanChanges');
    return new Promise((resolve) => {
      this.#endLook = resolve;
    });
  }

  async finishLook(end: ScanEnd): Promise<void> {
    this.#endLook?.(end);
    await settle();
  }

  heldDeletions(): Promise<HeldDeletions | undefined> {
    return Promise.resolve(this.held);
  }

  approveDeletions(expected: number | undefined): Promise<Approval> {
    const { held } = this;
    if (expected !== undefined && held?.documents !== expected) return Promise.resolve({ kind: 'changed', held });
    this.held = undefined;
    return Promise.resolve(held === undefined ? { kind: 'nothing_held' } : { kind: 'approved', held });
  }

  unfinished(): Promise<UnfinishedScan | undefined> {
    return Promise.resolve(this.open);
  }

  run(request: ScanRequest): Promise<ScanEnd> {
    this.requests.push(request);
    return new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async finish(end: Partial<ScanEnd> & { kind: ScanEnd['kind'] }, progress: Partial<ScanProgress> = {}): Promise<void> {
    this.#end?.({ progress: { ...NO_PROGRESS, ...progress }, ...end } as ScanEnd);
    await settle();
  }

  hold(): Promise<void> {
    this.calls.push('hold');
    return Promise.resolve();
  }

  continue(): void {
    this.calls.push('continue');
  }

  async stop(): Promise<void> {
    this.calls.push('stop');
    await this.finishLook({ kind: 'stopped', progress: NO_PROGRESS });
    await this.finish({ kind: 'stopped' });
  }

  async discardProgress(): Promise<void> {
    await this.stop();
    this.calls.push('discard');
    this.open = undefined;
  }

  close(): Promise<void> {
    this.calls.push('close');
    return Promise.resolve();
  }
}

/** Time that passes when the test says so. */
class ManualClock implements Clock {
  #now = Date.parse('2026-01-01T12:00:00Z');
  #sleepers: { due: number; wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#sleepers.push({ due: this.#now + delayMs, wake: resolve });
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    while (this.#now < until) {
      this.#now = Math.min(until, this.#now + 1000);
      const due = this.#sleepers.filter((sleeper) => sleeper.due <= this.#now);
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.due > this.#now);
      for (const { wake } of due) wake();
      await settle();
    }
  }
}

/** Lets file system calls and promises come to rest, however long the system takes for them. */
async function settle(): Promise<void> {
  for (let quietTurns = 0; quietTurns < 5;) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    const isBusy = process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'));
    quietTurns = isBusy ? 0 : quietTurns + 1;
  }
}

let directory: string;
let checkpoints: CheckpointFile;
let runner: ScriptedRunner;
let clock: ManualClock;

const started: Crawler[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-life-'));
  checkpoints = new CheckpointFile(directory);
  runner = new ScriptedRunner();
  clock = new ManualClock();
});
afterEach(async () => {
  // The checkpoint is written behind the scenes: nothing may be on its way when the folder goes.
  await Promise.all(started.splice(0).map((crawler) => crawler.close()));
  rmSync(directory, { recursive: true, force: true });
});

async function start(loops = -1, { staysUp = true, continueOnError = false, watches = false } = {}): Promise<Crawler> {
  const crawler = new Crawler({
    job: 'job',
    root: '/docs',
    updateRateMs: 60_000,
    updateRateText: '1m',
    rules: { loops, staysUp },
    continueOnError,
    watches,
    runner,
    checkpoints,
    clock,
    logger: silentLogger,
  });
  started.push(crawler);
  await crawler.start(staysUp);
  await settle();
  return crawler;
}

/** The checkpoint is written behind the scenes: waits until it says what it should. */
async function expectSaved(expected: Record<string, unknown>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const checkpoint: object = (await checkpoints.load()) ?? {};
    if (Object.entries(expected).every(([key, value]) => Reflect.get(checkpoint, key) === value)) break;
    await settle();
  }
  expect(saved()).toMatchObject(expected);
}

function saved(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(directory, '_checkpoint.json'), 'utf8')) as Record<string, unknown>;
}

test('a run that ends waits for update_rate and starts the next one', async () => {
  const crawler = await start();
  expect(crawler.status()).toMatchObject({ state: 'RUNNING', pausedBy: undefined, nextCheckMs: undefined });
  await runner.finish({ kind: 'completed' }, { files: 7, deleted: 2, completedFolders: 3 });
  expect(crawler.status()).toMatchObject({
    state: 'PAUSED',
    pausedBy: 'schedule',
    filesProcessed: 7,
    filesDeleted: 2,
    completedDirectories: 3,
    nextCheckMs: clock.now() + 60_000,
  });
  await expectSaved({ state: 'COMPLETED', files_processed: 7, next_check: '2026-01-01T12:01:00.000Z' });
  await clock.pass(59_000);
  expect(runner.requests).toHaveLength(1);
  await clock.pass(2000);
  expect(runner.requests).toHaveLength(2);
  expect(runner.requests[1]?.scanId).not.toBe(runner.requests[0]?.scanId);
  expect(crawler.status()).toMatchObject({ state: 'RUNNING', filesProcessed: 0 });
});

test('the last run of --loop N says when the next one would be: its end and update_rate', async () => {
  const crawler = await start(1, { staysUp: false });
  await clock.pass(5000);
  await runner.finish({ kind: 'completed' });
  await crawler.ended;
  expect(saved()).toMatchObject({
    scan_end_time: '2026-01-01T12:00:05.000Z',
    next_check: '2026-01-01T12:01:05.000Z',
  });
});

test('--loop 2 without service ends after two runs', async () => {
  const crawler = await start(2, { staysUp: false });
  await runner.finish({ kind: 'completed' });
  await clock.pass(61_000);
  await runner.finish({ kind: 'completed' });
  expect(await crawler.ended).toEqual({ failed: false });
  expect(runner.requests).toHaveLength(2);
});

test.each([
  [false, true],
  [true, false],
])('failed files and continue_on_error %s: the run failed is %s', async (continueOnError, failed) => {
  const crawler = await start(1, { staysUp: false, continueOnError });
  await runner.finish({ kind: 'completed' }, { files: 3, failed: 1 });
  expect(await crawler.ended).toEqual({ failed });
});

describe('pause and resume', () => {
  test('in a scan: held, saved, continued', async () => {
    const crawler = await start();
    expect(await crawler.pause()).toBe('paused');
    expect(runner.calls).toEqual(['hold']);
    expect(crawler.status()).toMatchObject({ state: 'PAUSED', pausedBy: 'user' });
    await expectSaved({ state: 'PAUSED', paused_by: 'user' });
    expect(await crawler.pause()).toBe('already_paused');
    expect(await crawler.resume()).toBe('resumed');
    expect(runner.calls).toEqual(['hold', 'continue']);
    expect(await crawler.resume()).toBe('not_paused');
  });

  test('between two runs the pause is sticky: no automatic run, resume starts one', async () => {
    const crawler = await start();
    await runner.finish({ kind: 'completed' });
    expect(await crawler.pause()).toBe('already_paused');
    await clock.pass(200_000);
    expect(runner.requests).toHaveLength(1);
    expect(crawler.status()).toMatchObject({ state: 'PAUSED', pausedBy: 'user' });
    expect(await crawler.resume()).toBe('resumed');
    expect(runner.requests).toHaveLength(2);
  });

  test('when the runs are done: COMPLETED, and resume makes one more', async () => {
    const crawler = await start(1);
    await runner.finish({ kind: 'completed' });
    expect(crawler.status()).toMatchObject({ state: 'COMPLETED', pausedBy: undefined });
    expect(await crawler.resume()).toBe('resumed');
    expect(runner.requests).toHaveLength(2);
  });

  test('of a closed crawler are refused', async () => {
    const crawler = await start();
    await crawler.close();
    expect(crawler.status().state).toBe('STOPPED');
    expect(await crawler.pause()).toBe('not_running');
    expect(await crawler.resume()).toBe('closed');
  });
});

describe('the checkpoint between runs', () => {
  test.each<[string, (crawler: Crawler) => unknown]>([
    [
      'an edited next_check',
      () => writeFileSync(checkpoints.path, JSON.stringify({ ...saved(), next_check: '2020-01-01T00:00:00Z' })),
    ],
    ['a removed next_check', () => writeFileSync(checkpoints.path, JSON.stringify({ ...saved(), next_check: null }))],
    ['a file deleted by hand', () => rmSync(checkpoints.path)],
    ['a cleared checkpoint', (crawler: Crawler) => crawler.clearCheckpoint()],
  ])('%s starts a run within five seconds', async (_, edit) => {
    const crawler = await start();
    await runner.finish({ kind: 'completed' });
    await clock.pass(6000);
    expect(runner.requests).toHaveLength(1);
    await edit(crawler);
    await clock.pass(6000);
    expect(runner.requests).toHaveLength(2);
  });

  test('clearing it is refused while a scan runs', async () => {
    const crawler = await start();
    expect(await crawler.clearCheckpoint()).toEqual({ kind: 'busy' });
  });

  const forget: [string, (crawler: Crawler) => unknown][] = [
    ['cleared', (crawler) => crawler.clearCheckpoint()],
    ['deleted by hand', () => rmSync(checkpoints.path)],
  ];

  test.each(forget)('that is %s in a held scan forgets its progress: resume begins a new scan', async (_, edit) => {
    const crawler = await start();
    await crawler.pause();
    await edit(crawler);
    expect(await checkpoints.load()).toBeUndefined();
    await crawler.resume();
    expect(runner.requests).toHaveLength(2);
    expect(runner.requests[1]?.resume).toBe(false);
  });

  test.each(forget)('that is %s after a pause by a person starts no run', async (_, edit) => {
    const crawler = await start();
    await runner.finish({ kind: 'completed' });
    await crawler.pause();
    await edit(crawler);
    await clock.pass(20_000);
    expect(runner.requests).toHaveLength(1);
    expect(crawler.status()).toMatchObject({ state: 'PAUSED', pausedBy: 'user' });
  });

  test('an error while clearing is reported', async () => {
    const crawler = await start();
    await runner.finish({ kind: 'completed' });
    checkpoints.clear = () => Promise.reject(new Error('read-only file system'));
    expect(await crawler.clearCheckpoint()).toEqual({ kind: 'failed', message: 'read-only file system' });
  });
});

describe('lost connections', () => {
  const lost = { kind: 'failed', code: 'unavailable', message: 'connection reset', connection: true } as const;

  test('are retried after 1, 2, 4 … seconds with the same scan', async () => {
    const crawler = await start();
    await runner.finish(lost);
    expect(crawler.status()).toMatchObject({ state: 'RUNNING', retryCount: 1, lastError: 'connection reset' });
    await expectSaved({ state: 'RUNNING', retry_count: 1, last_error: 'connection reset' });
    await clock.pass(1000);
    expect(runner.requests).toHaveLength(2);
    expect(runner.requests[1]).toMatchObject({ resume: true, scanId: runner.requests[0]?.scanId });
    await runner.finish(lost);
    await clock.pass(1000);
    expect(runner.requests).toHaveLength(2);
    await clock.pass(1000);
    expect(runner.requests).toHaveLength(3);
  });

  test('ten in a row end in ERROR, tried again after update_rate with the same scan', async () => {
    const crawler = await start();
    for (let failure = 0; failure < 10; failure += 1) {
      await runner.finish(lost);
      if (failure < 9) await clock.pass(2 ** failure * 1000);
    }
    expect(runner.requests).toHaveLength(10);
    expect(crawler.status()).toMatchObject({ state: 'ERROR', lastError: 'connection reset' });
    await clock.pass(61_000);
    expect(runner.requests).toHaveLength(11);
    expect(runner.requests[10]?.resume).toBe(true);
  });

  test('progress resets the count', async () => {
    const crawler = await start();
    await runner.finish(lost);
    await clock.pass(1000);
    crawler.onProgress({ ...NO_PROGRESS, completedFolders: 1 });
    expect(crawler.status().retryCount).toBe(0);
  });
});

describe('a start after an interruption', () => {
  const open = { id: 'scan-9', startedMs: 5, pendingFolders: 3 };
  const interrupted = {
    state: 'RUNNING',
    scan_id: 'scan-9',
    files_processed: 40,
    files_deleted: 1,
    retry_count: 0,
  } as const;

  test('that finds no engine keeps what is known, and still checks again what was done', async () => {
    runner.open = open;
    await checkpoints.save(interrupted);
    const crawler = await start();
    await runner.finish({
      kind: 'failed',
      code: 'unavailable',
      message: 'The engine is away.',
      connection: true,
      progress: undefined,
    });
    expect(crawler.status()).toMatchObject({ filesProcessed: 40, lastError: 'The engine is away.', retryCount: 1 });
    await clock.pass(1000);
    expect(runner.requests[1]).toMatchObject({ resume: true, afterRestart: true, scanId: 'scan-9' });
  });

  test('continues the scan of the checkpoint, and checks again what was done', async () => {
    runner.open = open;
    await checkpoints.save(interrupted);
    const crawler = await start();
    expect(runner.requests).toEqual([{ resume: true, afterRestart: true, scanId: 'scan-9', startedMs: 5 }]);
    expect(crawler.status()).toMatchObject({ scanId: 'scan-9', filesProcessed: 40 });
  });

  test('begins anew when the checkpoint was deleted, or speaks of another scan', async () => {
    runner.open = open;
    await checkpoints.save({
      state: 'RUNNING',
      scan_id: 'other',
      files_processed: 0,
      files_deleted: 0,
      retry_count: 0,
    });
    await start();
    expect(runner.requests[0]).toMatchObject({ resume: false });
  });

  test('stays paused when a person paused it and the service can resume it; without service it continues', async () => {
    runner.open = open;
    const paused = {
      state: 'PAUSED',
      scan_id: 'scan-9',
      files_processed: 4,
      files_deleted: 0,
      retry_count: 0,
      paused_by: 'user',
    } as const;
    await checkpoints.save(paused);
    const crawler = await start();
    expect(runner.requests).toEqual([]);
    expect(crawler.status()).toMatchObject({ state: 'PAUSED', pausedBy: 'user' });
    await crawler.resume();
    expect(runner.requests).toMatchObject([{ resume: true, scanId: 'scan-9' }]);
    await checkpoints.save(paused);
    await start(-1, { staysUp: false });
    expect(runner.requests).toHaveLength(2);
  });

  test('a scan that completes in the moment of the stop is saved as COMPLETED', async () => {
    const crawler = await start();
    runner.stop = () => runner.finish({ kind: 'completed' }, { files: 12 });
    await crawler.close();
    expect(saved()).toMatchObject({
      state: 'COMPLETED',
      files_processed: 12,
      scan_end_time: '2026-01-01T12:00:00.000Z',
    });
    expect(crawler.runSummary()).toMatchObject({ isUnfinished: false });
  });

  test('a closed scan is saved as STOPPED, with where it stands', async () => {
    const crawler = await start();
    crawler.onProgress({ ...NO_PROGRESS, files: 12, currentPath: '/docs/sub' });
    await crawler.close();
    expect(runner.calls).toEqual(['stop', 'close']);
    await expectSaved({ state: 'STOPPED', scan_id: runner.requests[0]?.scanId });
  });
});

describe('a watched tree', () => {
  const partialScans = (): number => runner.calls.filter((call) => call === 'scanChanges').length;
  const finished = (files: number): ScanEnd => ({ kind: 'completed', progress: { ...NO_PROGRESS, files } });

  test('is watched before the first scan begins', async () => {
    await start(-1, { watches: true });
    expect(runner.calls).toEqual(['watch']);
    expect(runner.requests).toHaveLength(1);
  });

  test('changes are scanned between runs, without touching state, progress or the number of runs', async () => {
    const crawler = await start(2, { watches: true });
    await runner.finish({ kind: 'completed' }, { files: 7 });
    crawler.onChangesDue();
    await settle();
    expect(partialScans()).toBe(1);
    expect(crawler.status()).toMatchObject({ state: 'PAUSED', pausedBy: 'schedule', filesProcessed: 7 });
    await runner.finishLook(finished(3));
    expect(crawler.status()).toMatchObject({
      filesProcessed: 7,
      watch: { folders: 3, unwatched: [], partialScans: 1, files: 3, deleted: 0 },
    });
    await clock.pass(60_000);
    await runner.finish({ kind: 'completed' });
    expect(crawler.status().state).toBe('COMPLETED');
    crawler.onChangesDue();
    await settle();
    expect(partialScans()).toBe(2);
  });

  test('changes wait while a scan is running, and are scanned when it has ended', async () => {
    const crawler = await start(-1, { watches: true });
    crawler.onChangesDue();
    await settle();
    expect(partialScans()).toBe(0);
    await runner.finish({ kind: 'completed' });
    expect(partialScans()).toBe(1);
  });

  test('changes wait while a scan is unfinished', async () => {
    const crawler = await start(-1, { watches: true });
    await runner.finish({ kind: 'failed', code: 'denied', message: 'no', connection: false });
    crawler.onChangesDue();
    await settle();
    expect(partialScans()).toBe(0);
  });

  test('a person who pauses ends the partial scan; its changes wait for the run after resume', async () => {
    const crawler = await start(-1, { watches: true });
    await runner.finish({ kind: 'completed' });
    crawler.onChangesDue();
    await settle();
    await crawler.pause();
    expect(runner.calls).toContain('stop');
    crawler.onChangesDue();
    await settle();
    expect(partialScans()).toBe(1);
    await crawler.resume();
    await runner.finish({ kind: 'completed' });
    expect(partialScans()).toBe(2);
  });

  test('a partial scan that fails is tried again after 1, 2, 4 … seconds', async () => {
    const crawler = await start(-1, { watches: true });
    await runner.finish({ kind: 'completed' });
    crawler.onChangesDue();
    await settle();
    for (const [seconds, expected] of [
      [1, 2],
      [2, 3],
      [4, 4],
    ] as const) {
      await runner.finishLook({
        kind: 'failed',
        progress: undefined,
        code: 'unavailable',
        message: 'The engine is away.',
        connection: true,
      });
      expect(partialScans()).toBe(expected - 1);
      await clock.pass(seconds * 1000);
      expect(partialScans()).toBe(expected);
    }
  });

  test('a watch that ends leaves the tree to the scans and says so', async () => {
    const crawler = await start(-1, { watches: true });
    crawler.onWatchEnded('No watches are left.');
    expect(crawler.status().watch).toMatchObject({
      folders: 0,
      unwatched: [{ path: '/docs', reason: 'No watches are left.' }],
    });
  });
});

describe('held deletions', () => {
  const held: HeldDeletions = { documents: 1200, folders: 3, sinceMs: 1, message: 'Too many.' };

  test('are in the status from the start on', async () => {
    runner.held = held;
    const crawler = await start();
    expect(crawler.status().heldDeletions).toEqual(held);
  });

  test('approved between runs begin one at once', async () => {
    runner.held = held;
    const crawler = await start();
    await runner.finish({ kind: 'completed' });
    expect(await crawler.approve()).toEqual({ kind: 'approved', held });
    expect(crawler.status()).toMatchObject({ state: 'RUNNING', heldDeletions: undefined });
    expect(runner.requests).toHaveLength(2);
  });

  test('approved after the last run begin one more', async () => {
    const crawler = await start(1);
    await runner.finish({ kind: 'completed' });
    runner.held = held;
    await crawler.approve();
    expect(runner.requests).toHaveLength(2);
  });

  test('approved while a person has paused begin none', async () => {
    const crawler = await start();
    await runner.finish({ kind: 'completed' });
    await crawler.pause();
    runner.held = held;
    expect(await crawler.approve()).toEqual({ kind: 'approved', held });
    expect(runner.requests).toHaveLength(1);
  });

  test.each([1199, 1201])('are left as they are when a person has seen %i of them', async (seen) => {
    runner.held = held;
    const crawler = await start();
    await runner.finish({ kind: 'completed' });
    expect(await crawler.approve(seen)).toEqual({ kind: 'changed', held });
    expect(crawler.status().heldDeletions).toEqual(held);
    expect(runner.requests).toHaveLength(1);
  });

  test('that are none begin no run', async () => {
    const crawler = await start();
    await runner.finish({ kind: 'completed' });
    expect(await crawler.approve()).toEqual({ kind: 'nothing_held' });
    expect(runner.requests).toHaveLength(1);
  });
});
