import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock, type Clock } from '../../../src/base/clock.js';
import { CountingIngester } from '../../../src/ingest/counting-ingester.js';
import { EngineConnection } from '../../../src/engine/engine-connection.js';
import { JobMonitor } from '../../../src/operations/monitor/job-monitor.js';
import { silentLogger } from '../../../src/base/logger.js';
import type { CrawlerStatus } from '../../../src/crawler/control.js';
import { NO_PROGRESS } from '../../../src/crawler/run-record.js';
import type { ExtractorService } from '../../../src/extract/extraction.js';
import { BulkWriter } from '../../../src/ingest/bulk-writer.js';
import type { CatalogTotals } from '../../../src/state/catalog.js';
import { InstantClock } from '../../support/instant-clock.js';
import { MemoryEngine } from '../../support/memory-engine.js';
import { MemoryIngester } from '../../support/memory-ingester.js';
import { ScriptedCrawler } from '../../support/scripted-crawler.js';

const DOCUMENT_MS = 60_000;
const MINUTE = 60_000;

const extractor: ExtractorService = {
  version: '1',
  concurrency: 1,
  extract: () => Promise.reject(new Error('nothing is extracted here')),
  activity: () => ({ current, waiting: 2, slowest: [] }),
  close: () => Promise.resolve(),
};

let current: { document: string; elapsedMs: number }[];
let clock: InstantClock;
let engine: MemoryEngine;
let monitor: JobMonitor;
let status: CrawlerStatus;
let totals: CatalogTotals;
let asked: number;

function monitorOf(connection: EngineConnection, itsClock: Clock): JobMonitor {
  const writer = new BulkWriter({ engine, bulkSize: 10, byteSize: 0, flushIntervalMs: 1000, logger: silentLogger });
  const ingester = new CountingIngester(new MemoryIngester(engine, 'docs'));
  return new JobMonitor({ engine, connection, extractor, writer, ingester, clock: itsClock, documentMs: DOCUMENT_MS });
}

beforeEach(async () => {
  current = [];
  clock = new InstantClock();
  engine = new MemoryEngine();
  const connection = new EngineConnection(engine, silentLogger, new AbortController().signal);
  await connection.prepare();
  monitor = monitorOf(connection, clock);
  status = { ...new ScriptedCrawler().status(), state: 'RUNNING', scanStartMs: clock.now() };
  totals = { files: 0, folders: 0, states: {}, reasons: {} };
  asked = 0;
  monitor.watch({
    status: () => status,
    totals: () => {
      asked += 1;
      return Promise.resolve(totals);
    },
  });
});

describe('a scan is stuck', () => {
  async function stuckAfter(minutes: number): Promise<boolean> {
    await clock.sleep(minutes * MINUTE);
    return (await monitor.health()).stuck;
  }

  test('when nothing has moved for five minutes', async () => {
    monitor.onProgress({ ...NO_PROGRESS, seen: 1 });
    expect(await stuckAfter(4)).toBe(false);
    expect(await stuckAfter(2)).toBe(true);
    monitor.onProgress({ ...NO_PROGRESS, seen: 2 });
    expect(await stuckAfter(1)).toBe(false);
  });

  test('but not while a document is extracted whose time is not over', async () => {
    current = [{ document: 'long.pdf', elapsedMs: DOCUMENT_MS }];
    expect(await stuckAfter(60)).toBe(false);
    current = [{ document: 'long.pdf', elapsedMs: DOCUMENT_MS + 6 * MINUTE }];
    expect(await stuckAfter(1)).toBe(true);
  });

  test('also when it never made its first step', async () => {
    expect(await stuckAfter(8)).toBe(true);
  });

  test('not when it is merely reported again', async () => {
    monitor.onProgress({ ...NO_PROGRESS, seen: 1 });
    await clock.sleep(8 * MINUTE);
    monitor.onProgress({ ...NO_PROGRESS, seen: 1 });
    expect((await monitor.health()).stuck).toBe(true);
  });

  test.each<[string, Partial<CrawlerStatus>]>([
    ['between two runs', { state: 'PAUSED' }],
    ['while a lost connection is waited for', { retryCount: 3 }],
  ])('not %s', async (_, changes) => {
    status = { ...status, ...changes };
    expect(await stuckAfter(60)).toBe(false);
  });
});

test('the engine is asked once a second at most', async () => {
  let questions = 0;
  engine.identity = () => {
    questions += 1;
    return Promise.resolve('memory');
  };
  await Promise.all([monitor.health(), monitor.health(), monitor.health()]);
  expect(questions).toBe(1);
  await clock.sleep(1500);
  engine.identity = () => Promise.reject(new Error('away'));
  expect((await monitor.health()).engine).toBe('away');
});

test('an engine that is still being connected to is waited for once: a service that has just started is healthy', async () => {
  const connection = new EngineConnection(engine, silentLogger, new AbortController().signal);
  const starting = monitorOf(connection, systemClock);
  engine.prepare = async () => {
    await delay(20);
    return { identity: 'memory' };
  };
  const prepared = connection.prepare();
  expect(await starting.health()).toEqual({ engine: 'up', stuck: false });
  await prepared;
});

test('counting the catalog is not repeated with every question, and never waited for', async () => {
  totals = { files: 5, folders: 1, states: { indexed: 5 }, reasons: {} };
  current = [{ document: 'a', elapsedMs: 1 }];
  monitor.activity();
  monitor.activity();
  expect(asked).toBe(1);
  await clock.sleep(11_000);
  monitor.activity();
  await Promise.resolve();
  expect(asked).toBe(2);
  expect(monitor.activity()).toMatchObject({ totals, current });
  expect(monitor.activity().queues).toEqual({ folders: 0, extraction: 2, engine: 0 });
});

test('the catalog is counted again as soon as a scan has ended', async () => {
  monitor.activity();
  status = { ...status, state: 'PAUSED', scanEndMs: clock.now() };
  totals = { files: 5, folders: 1, states: { indexed: 5 }, reasons: {} };
  monitor.activity();
  await Promise.resolve();
  expect(monitor.activity().totals).toEqual(totals);
  expect(asked).toBe(2);
});
