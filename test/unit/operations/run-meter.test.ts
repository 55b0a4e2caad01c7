import { describe, expect, test } from '@jest/globals';
import type { ExtractionActivity } from '../../../src/extract/extraction.js';
import { RunMeter } from '../../../src/operations/monitor/run-meter.js';
import { NO_PROGRESS } from '../../../src/crawler/run-record.js';
import type { RunCounts, ScanProgress } from '../../../src/crawler/scan/scan-port.js';

const SINCE = 1_000_000;
const TEXT = 'text/plain';

/** A run of text files of 1,000 bytes, so many of which are settled. */
function at(settled: number, more: Partial<ScanProgress> = {}, run: Partial<RunCounts> = {}): ScanProgress {
  const counts = { sinceMs: SINCE, isResumed: false, indexed: settled, deleted: 0, failed: 0 };
  const kinds = [{ kind: TEXT, files: settled, bytes: settled * 1000 }];
  return { ...NO_PROGRESS, ...more, run: { ...counts, settled: kinds, ...run } };
}

/** Extractors that took so long for each of the text files. */
function extracted(documents: number, msEach: number): ExtractionActivity {
  const kinds = [{ kind: TEXT, documents, bytes: documents * 1000, ms: documents * msEach }];
  return { current: [], waiting: 0, slowest: [], kinds };
}

const work = (files: number): { files: { kind: string; files: number; bytes: number }[]; entries: 0; walkMs: 0 } => ({
  files: [{ kind: TEXT, files, bytes: files * 1000 }],
  entries: 0,
  walkMs: 0,
});

describe('the rest of a run', () => {
  /** A run of one extractor that has settled so many files after this time. */
  function rest(settled: number, elapsedMs: number, total: number, msEach: number): number | undefined {
    const meter = new RunMeter(1);
    meter.add(at(0), extracted(0, msEach), SINCE);
    meter.add(at(settled), extracted(settled, msEach), SINCE + elapsedMs);
    return meter.remainingMs(work(total), extracted(settled, msEach), SINCE + elapsedMs);
  }

  test.each<[string, number, number, number, number, number | undefined]>([
    ['what extraction takes, where nothing else does', 100, 10_000, 300, 100, 20_000],
    ['what extraction and everything beside it take', 100, 10_000, 300, 20, 20_000],
    ['unknown in the first seconds', 100, 2_000, 300, 20, undefined],
    ['unknown before a few files are done', 4, 10_000, 300, 20, undefined],
    ['nothing when nothing is left', 300, 10_000, 300, 20, undefined],
  ])('is %s', (_, settled, elapsedMs, total, msEach, expected) => {
    expect(rest(settled, elapsedMs, total, msEach)).toBe(expected);
  });

  test('holds the listing that is still to come', () => {
    const meter = new RunMeter(1);
    meter.add(at(0), extracted(0, 100), SINCE);
    meter.add(at(100, { seen: 500 }), extracted(100, 100), SINCE + 10_000);
    const counted = { ...work(300), entries: 1000, walkMs: 4000 };
    expect(meter.remainingMs(counted, extracted(100, 100), SINCE + 10_000)).toBe(22_000);
  });
});

describe('the counts of a run', () => {
  test('are those of this process', () => {
    const meter = new RunMeter(1);
    meter.add(at(3, { files: 503 }, { isResumed: true, failed: 1, deleted: 2 }), extracted(3, 1), SINCE);
    expect(meter.run(work(10))).toEqual({ indexed: 3, deleted: 2, failed: 1, settled: 3, total: 10, isResumed: true });
  });

  test('have no total before the work is counted, and never one that is smaller than what is done', () => {
    const meter = new RunMeter(1);
    meter.add(at(12), extracted(12, 1), SINCE);
    expect(meter.run(undefined)?.total).toBeUndefined();
    expect(meter.run(work(10))?.total).toBe(12);
  });

  test('are unknown before the first run', () => {
    const meter = new RunMeter(1);
    meter.add(NO_PROGRESS, extracted(0, 1), SINCE);
    expect([meter.run(undefined), meter.sinceMs]).toEqual([undefined, undefined]);
  });

  test('make the rate: what an earlier process has done does not', () => {
    const meter = new RunMeter(1);
    meter.add(at(0, { files: 500 }), extracted(0, 1), SINCE);
    meter.add(at(20, { files: 520 }), extracted(20, 1), SINCE + 10_000);
    expect(meter.filesPerSecond(SINCE + 10_000)).toBe(2);
  });
});

test('a scan advances when a count does, not when it is merely reported', () => {
  const meter = new RunMeter(1);
  const idle = extracted(0, 1);
  meter.add(at(0, { seen: 10 }), idle, 1000);
  meter.add(at(0, { seen: 10, currentPath: '/other' }), idle, 2000);
  expect(meter.advancedMs).toBe(1000);
  meter.add(at(0, { seen: 10, failed: 1 }), idle, 3000);
  expect(meter.advancedMs).toBe(3000);
});
