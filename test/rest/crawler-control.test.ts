import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CrawlerStatus } from '../../src/crawler/control.js';
import { elapsedTime } from '../../src/rest/elapsed-time.js';
import { ScriptedCrawler } from '../support/scripted-crawler.js';
import { call, startRest } from './rest-harness.js';
import type { Answer, RestHarness } from './rest-harness.js';

const CLEAR_BUSY = 'Cannot clear checkpoint while crawler is running. Pause or stop it first.';
const START = new Date(2017, 0, 4, 21, 1, 8, 43).getTime();

describe('with a crawler', () => {
  let rest: RestHarness;

  beforeAll(async () => {
    rest = await startRest();
  });

  afterAll(() => rest.close());

  beforeEach(() => {
    rest.crawler.become(new ScriptedCrawler().status());
    rest.crawler.clearFailure = undefined;
    rest.crawler.checkpoint = true;
  });

  const pause = (): Promise<Answer> => call(`${rest.url}/_crawler/pause`, { method: 'POST' });
  const resume = (): Promise<Answer> => call(`${rest.url}/_crawler/resume`, { method: 'POST' });
  const approve = (): Promise<Answer> => call(`${rest.url}/_crawler/approve`, { method: 'POST' });
  const clear = (): Promise<Answer> => call(`${rest.url}/_crawler/checkpoint`, { method: 'DELETE' });
  const status = (): Promise<Answer> => call(`${rest.url}/_crawler/status`);

  const running: Partial<CrawlerStatus> = { state: 'RUNNING', scanStartMs: START };
  const waiting: Partial<CrawlerStatus> = {
    state: 'PAUSED',
    pausedBy: 'schedule',
    scanStartMs: START,
    scanEndMs: START + 1000,
  };
  const done: Partial<CrawlerStatus> = { state: 'COMPLETED', scanStartMs: START, scanEndMs: START + 1000 };
  const failed: Partial<CrawlerStatus> = { state: 'ERROR', scanStartMs: START, scanEndMs: START + 1000 };
  const paused: Partial<CrawlerStatus> = { state: 'PAUSED', pausedBy: 'user', scanStartMs: START };
  const stopped: Partial<CrawlerStatus> = { state: 'STOPPED' };
  const holding: Partial<CrawlerStatus> = {
    ...waiting,
    heldDeletions: { documents: 1200, folders: 3, sinceMs: START, message: 'Too many are gone.' },
  };

  test.each([
    ['pause while running', running, pause, 200, 'Crawler paused. Checkpoint saved.', 'PAUSED'],
    ['pause while paused', paused, pause, 200, 'Crawler is already paused.', 'PAUSED'],
    ['pause between runs', waiting, pause, 200, 'Crawler is already paused.', 'PAUSED'],
    [
      'pause after the last run',
      done,
      pause,
      200,
      'Crawler paused. No checkpoint saved (no active scan in progress).',
      'PAUSED',
    ],
    ['pause when stopped', stopped, pause, 400, 'Crawler is not running', 'STOPPED'],
    [
      'approve held deletions',
      holding,
      approve,
      200,
      'Approved: 1200 documents are removed with the next run.',
      'PAUSED',
    ],
    ['approve nothing', waiting, approve, 200, 'No deletions are held. No action needed.', 'PAUSED'],
    ['approve when stopped', stopped, approve, 400, 'Crawler is not running', 'STOPPED'],
    ['resume while paused', paused, resume, 200, 'Crawler resumed.', 'RUNNING'],
    ['resume between runs', waiting, resume, 200, 'Crawler resumed.', 'RUNNING'],
    ['resume after the last run', done, resume, 200, 'Crawler resumed.', 'RUNNING'],
    ['resume after an error', failed, resume, 200, 'Crawler resumed.', 'RUNNING'],
    ['resume while running', running, resume, 200, 'Crawler is not paused. No action needed.', 'RUNNING'],
    ['resume when stopped', stopped, resume, 400, 'Crawler is closed. Cannot resume.', 'STOPPED'],
    ['clear while running', running, clear, 400, CLEAR_BUSY, 'RUNNING'],
    ['clear while paused', paused, clear, 200, 'Checkpoint cleared', 'PAUSED'],
    ['clear between runs', waiting, clear, 200, 'Checkpoint cleared', 'PAUSED'],
    ['clear when stopped', stopped, clear, 200, 'Checkpoint cleared', 'STOPPED'],
  ])('%s', async (_name, before, act, code, message, after) => {
    rest.crawler.become(before);
    const answer = await act();
    expect(answer.status).toBe(code);
    expect(answer.text).toBe(JSON.stringify({ message, ok: code === 200 }));
    expect((await status()).body['state']).toBe(after);
  });

  test('a pause between runs holds until a resume', async () => {
    rest.crawler.become(waiting);
    expect((await status()).body['paused_by']).toBe('schedule');
    await pause();
    expect((await status()).body['paused_by']).toBe('user');
  });

  test('a checkpoint that cannot be removed is a 500 with the reason', async () => {
    rest.crawler.become(paused);
    rest.crawler.clearFailure = 'the disk is read-only';
    expect(await clear()).toMatchObject({
      status: 500,
      body: { ok: false, message: 'Failed to clear checkpoint: the disk is read-only' },
    });
  });

  test('the status shows every member, null where nothing is known, and dates without a zone', async () => {
    rest.crawler.become({
      ...running,
      scanId: 'a-scan',
      filesProcessed: 7,
      filesDeleted: 1,
      filesFailed: 2,
      completedDirectories: 3,
      pendingDirectories: 4,
      currentPath: '/docs/sub',
      retryCount: 5,
    });
    const { body } = await status();
    expect(body).toEqual({
      activity: {
        current: [],
        files_per_second: 0,
        queues: { engine: 0, extraction: 0, folders: 0 },
        remaining_time: null,
        run: null,
        slowest: [],
        totals: null,
      },
      completed_directories: 3,
      current_path: '/docs/sub',
      elapsed_time: expect.stringMatching(/^\d+h( \d+m)?( \d+s)?$/),
      files_deleted: 1,
      files_failed: 2,
      files_processed: 7,
      held_deletions: null,
      index_incidents: null,
      last_error: null,
      next_check: null,
      ok: true,
      paused_by: null,
      pending_directories: 4,
      retry_count: 5,
      scan_end_time: null,
      scan_id: 'a-scan',
      scan_start_time: '2017-01-04T21:01:08.043',
      state: 'RUNNING',
      watch: null,
    });
    expect(Object.keys(body)).toEqual(Object.keys(body).sort());
  });

  test('the status tells what is held and what is watched', async () => {
    rest.crawler.become({
      ...holding,
      watch: {
        folders: 12,
        unwatched: [{ path: '/docs/far', reason: 'nfs4 is a network file system' }],
        partialScans: 3,
        files: 5,
        deleted: 1,
        lastPartialScanMs: START,
      },
    });
    expect((await status()).body).toMatchObject({
      held_deletions: { documents: 1200, folders: 3, message: 'Too many are gone.', since: '2017-01-04T21:01:08.043' },
      watch: {
        files_deleted: 1,
        files_processed: 5,
        folders: 12,
        last_look: '2017-01-04T21:01:08.043',
        looks: 3,
        swept: [{ path: '/docs/far', reason: 'nfs4 is a network file system' }],
      },
    });
  });

  test('the status of a completed scan tells its end, its duration and the next run', async () => {
    rest.crawler.become({
      ...waiting,
      scanEndMs: START + 932_000,
      nextCheckMs: START + 1_832_000,
      lastError: 'one folder',
    });
    expect((await status()).body).toMatchObject({
      elapsed_time: '15m 32s',
      scan_end_time: '2017-01-04T21:16:40.043',
      next_check: '2017-01-04T21:31:40.043',
      last_error: 'one folder',
      state: 'PAUSED',
    });
  });
});

describe('with --loop 0', () => {
  let rest: RestHarness;

  beforeAll(async () => {
    rest = await startRest({ crawler: undefined });
  });

  afterAll(() => rest.close());

  const NO_HANDLER =
    "Failed to clear checkpoint as we don't have a checkpoint handler. This probably means there's no active crawler. Did you start with --loop 0?";

  test.each([
    ['POST', 'pause', 400, 'Crawler is not running'],
    ['POST', 'resume', 400, 'Crawler is closed. Cannot resume.'],
    ['POST', 'approve', 400, 'Crawler is not running'],
    ['DELETE', 'checkpoint', 404, NO_HANDLER],
  ])('%s %s is a %i', async (method, action, status, message) => {
    expect(await call(`${rest.url}/_crawler/${action}`, { method })).toMatchObject({
      status,
      body: { ok: false, message },
    });
  });

  test('the status is that of a crawler that is not running', async () => {
    expect((await call(`${rest.url}/_crawler/status`)).body).toEqual({
      activity: {
        current: [],
        files_per_second: 0,
        queues: { engine: 0, extraction: 0, folders: 0 },
        remaining_time: null,
        run: null,
        slowest: [],
        totals: null,
      },
      completed_directories: 0,
      current_path: null,
      elapsed_time: null,
      files_deleted: 0,
      files_failed: 0,
      files_processed: 0,
      held_deletions: null,
      index_incidents: null,
      last_error: null,
      next_check: null,
      ok: true,
      paused_by: null,
      pending_directories: 0,
      retry_count: 0,
      scan_end_time: null,
      scan_id: null,
      scan_start_time: null,
      state: 'STOPPED',
      watch: null,
    });
  });
});

describe('elapsed_time', () => {
  test.each([
    [0, '0s'],
    [999, '0s'],
    [7000, '7s'],
    [60_000, '1m'],
    [932_000, '15m 32s'],
    [3_600_000, '1h'],
    [3_605_000, '1h 0m 5s'],
    [4_500_000, '1h 15m'],
    [360_000_000, '100h'],
    [-3000, '0s'],
  ])('%i ms is %s', (durationMs, expected) => {
    expect(elapsedTime(durationMs)).toBe(expected);
  });
});
