import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { Progress, progressLine } from '../../../src/cli/progress.js';
import { IDLE } from '../../support/scripted-monitor.js';
import { NO_PROGRESS } from '../../../src/crawler/run-record.js';

const progress = { ...NO_PROGRESS, seen: 1000, files: 800, failed: 0, currentPath: '/docs/reports' };
const run = { indexed: 800, deleted: 0, failed: 0, settled: 800, total: undefined, isResumed: false };
const activity = { ...IDLE, filesPerSecond: 400, run };

describe('the progress line', () => {
  test('shows what was seen and indexed, the rate and the folder, before there is a total', () => {
    expect(progressLine(progress, activity)).toBe('1000 seen, 800 indexed, 400/s – /docs/reports');
  });

  test.each([
    [0, '[--------------------] 0/1600 (0%), 400/s'],
    [800, '[##########----------] 800/1600 (50%), 400/s'],
    [1599, '[###################-] 1599/1600 (99%), 400/s'],
    [1600, '[####################] 1600/1600 (100%), 400/s'],
  ])('shows %i files that are done as a bar, a count and a share', (settled, expected) => {
    const line = progressLine(progress, { ...activity, run: { ...run, settled, total: 1600 } });
    expect(line).toBe(`${expected} – /docs/reports`);
  });

  test('says that the counts of a resumed scan are of this run', () => {
    const resumed = { ...activity, run: { ...run, total: 1600, isResumed: true } };
    expect(progressLine(progress, resumed)).toContain('800/1600 (50%) in this run (resumed), 400/s');
  });

  test('names a file in hand rather than the folder, and its end rather than its beginning', () => {
    const current = [{ document: '/docs/reports/2025/annual.pdf', elapsedMs: 10 }];
    expect(progressLine(progress, { ...activity, current }, 52)).toBe(
      '1000 seen, 800 indexed, 400/s – …rts/2025/annual.pdf',
    );
  });

  test('shows failures when there are any', () => {
    const failing = { ...progress, run: { ...progress.run, failed: 3 } };
    expect(progressLine(failing, activity)).toContain('800 indexed, 3 failed');
  });

  test.each([
    [10_000, 'about 10s left'],
    [210_000, 'about 3m 30s left'],
    [9_000_000, 'about 2h 30m left'],
  ])('tells that %i ms are %s', (remainingMs, expected) => {
    expect(progressLine(progress, { ...activity, remainingMs })).toContain(expected);
  });

  test('tells nothing about the rest when nobody can know', () => {
    expect(progressLine(progress, activity)).not.toContain('left');
  });

  test('never lets a folder name steer the terminal', () => {
    expect(progressLine({ ...progress, currentPath: '/a\u001b[2Jb\nc' }, activity)).toContain('/a?[2Jb?c');
  });
});

describe('on a terminal', () => {
  function terminal(columns: number): { stream: NodeJS.WriteStream; written: () => string } {
    const stream = Object.assign(new PassThrough(), { columns, isTTY: true });
    return { stream: stream as unknown as NodeJS.WriteStream, written: () => String(stream.read() ?? '') };
  }

  test('the line is cut to the width and rewritten in place; log lines come out above it', () => {
    const { stream, written } = terminal(50);
    const one = new Progress({ enabled: true, stream });
    one.show({ ...progress, currentPath: '/docs/'.repeat(30) }, activity);
    expect(written().length).toBeLessThanOrEqual(49);
    one.show(progress, activity);
    expect(written()).toBe('\r\u001b[J1000 seen, 800 indexed, 400/s – /docs/reports');
    one.around(silentLogger).info('message');
    expect(written()).toBe('\r\u001b[J');
  });

  test('documents that take long have lines of their own, which are rewritten as well', () => {
    const { stream, written } = terminal(80);
    const one = new Progress({ enabled: true, stream });
    const current = [
      { document: '/docs/quick.txt', elapsedMs: 200 },
      { document: '/docs/lar\u001bge.pdf', elapsedMs: 12_000 },
      { document: '/docs/huge.xlsx', elapsedMs: 75_000 },
      { document: '/docs/scan.pdf', elapsedMs: 9_000, page: 3, pages: 80 },
    ];
    one.show(progress, { ...activity, current });
    const [, ...lines] = written().split('\n');
    expect(lines).toEqual([
      '  12s in /docs/lar?ge.pdf',
      '  1m 15s in /docs/huge.xlsx',
      '  9s in /docs/scan.pdf, recognising page 3 of 80',
    ]);
    one.refresh(activity);
    expect(written()).toBe('\r\u001b[3A\u001b[J1000 seen, 800 indexed, 400/s – /docs/reports');
  });

  test('nothing is refreshed after the end', () => {
    const { stream, written } = terminal(80);
    const one = new Progress({ enabled: true, stream });
    one.show(progress, activity);
    one.end();
    written();
    one.refresh(activity);
    expect(written()).toBe('');
  });

  test('nothing is written when it is off', () => {
    const { stream, written } = terminal(80);
    const one = new Progress({ enabled: false, stream });
    one.show(progress, activity);
    one.clear();
    expect(written()).toBe('');
  });
});
