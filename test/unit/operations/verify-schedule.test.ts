import { describe, expect, test } from '@jest/globals';
import { BackgroundCheck } from '../../../src/operations/inspector/background-check.js';
import { VerifySchedule } from '../../../src/operations/inspector/verify-schedule.js';
import type { VerifyRecord } from '../../../src/operations/verify/verify-record.js';
import { InstantClock } from '../../support/instant-clock.js';
import { RecordingLogger } from '../../support/recording-logger.js';
import { ScriptedCrawler } from '../../support/scripted-crawler.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A job over days that pass at once; `run` lets so much time go by. */
class Bench {
  readonly clock = new InstantClock();
  readonly logger = new RecordingLogger();
  readonly crawler = new ScriptedCrawler({ state: 'RUNNING' });
  /** Hours since the start at which a comparison began. */
  readonly begun: number[] = [];
  isEngineReady = true;
  fault: Error | undefined;
  differences: Partial<Record<string, number>> = {};
  last: VerifyRecord | undefined;
  readonly #startMs = this.clock.now();
  readonly #schedule: VerifySchedule;

  constructor(rateMs = DAY) {
    const verify = new BackgroundCheck<VerifyRecord>(
      'check',
      () => Promise.resolve(this.#verify()),
      () => undefined,
    );
    const inspector = {
      verify,
      repairCommand: 'crawler verify docs --fix',
      lastVerification: () => Promise.resolve(this.last),
    };
    this.#schedule = new VerifySchedule({
      rateMs,
      clock: this.clock,
      logger: this.logger,
      status: () => this.crawler.status(),
      isEngineReady: () => this.isEngineReady,
      inspector: () => Promise.resolve(inspector),
    });
  }

  async run(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    const stop = new AbortController();
    const { clock } = this;
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (delayMs) => {
      await sleep(delayMs);
      if (clock.now() >= end) stop.abort();
    };
    await this.#schedule.run(stop.signal);
    clock.sleep = sleep;
  }

  #verify(): VerifyRecord {
    this.begun.push(Math.round((this.clock.now() - this.#startMs) / HOUR));
    if (this.fault !== undefined) throw this.fault;
    const counts = { selected: 1, indexed: 1 };
    const verification = {
      counts,
      differences: this.differences,
      pending: {},
      reasons: {},
      held: 0,
      closedFolders: [],
    };
    const equal = Object.keys(this.differences).length === 0;
    const record = { at: new Date(this.clock.now()).toISOString(), took_ms: 1, equal, verification, findings: [] };
    this.last = record as unknown as VerifyRecord;
    return this.last;
  }
}

describe('tree and index are compared', () => {
  test('after the first complete scan, then at the rate', async () => {
    const bench = new Bench();
    await bench.run(2 * HOUR);
    expect(bench.begun).toEqual([]);
    bench.crawler.become({ state: 'PAUSED', pausedBy: 'schedule', scanEndMs: 1 });
    await bench.run(50 * HOUR);
    expect(bench.begun).toEqual([2, 26, 50]);
    expect(bench.logger.messages('warn')).toEqual([]);
  });

  test('not while a scan is running, nor without an engine', async () => {
    const bench = new Bench();
    bench.crawler.become({ state: 'RUNNING', scanEndMs: 1 });
    await bench.run(HOUR);
    bench.crawler.become({ state: 'PAUSED' });
    bench.isEngineReady = false;
    await bench.run(HOUR);
    expect(bench.begun).toEqual([]);
    bench.isEngineReady = true;
    await bench.run(HOUR);
    expect(bench.begun).toEqual([2]);
  });

  test('not again when the command line, or the service before, has just done it', async () => {
    const bench = new Bench();
    bench.crawler.become({ state: 'PAUSED', scanEndMs: 1 });
    bench.last = { at: new Date(bench.clock.now() - 20 * HOUR).toISOString() } as VerifyRecord;
    await bench.run(10 * HOUR);
    expect(bench.begun).toEqual([4]);
  });

  test('again within the hour where that has failed', async () => {
    const bench = new Bench();
    bench.crawler.become({ state: 'PAUSED', scanEndMs: 1 });
    bench.fault = new Error('no engine');
    await bench.run(1.5 * HOUR);
    expect(bench.begun).toEqual([0, 1]);
    expect(bench.logger.messages('warn')[0]).toContain('Tree and index could not be compared: no engine');
  });

  test('and differences are logged with what repairs them', async () => {
    const bench = new Bench();
    bench.crawler.become({ state: 'PAUSED', scanEndMs: 1 });
    bench.differences = { missing: 2, orphan: 1 };
    await bench.run(HOUR);
    expect(bench.logger.messages('warn')).toEqual([
      expect.stringContaining('Index and tree differ (differences: 3). [crawler verify docs --fix] repairs them.'),
    ]);
  });
});
