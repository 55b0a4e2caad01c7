import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { Progress, progressLine } from '../../../src/cli/progress.js';
import { NO_PROGRESS } from '../../../src/crawler/run-record.js';

const progress = { ...NO_PROGRESS, seen: 1000, files: 800, failed: 0, currentPath: '/docs/reports' };

describe('the progress line', () => {
  test('shows what was seen and indexed, the rate and the folder', () => {
    expect(progressLine(progress, 2000, undefined)).toBe('1000 seen, 800 indexed, 400/s – /docs/reports');
  });

  test('shows failures when there are any', () => {
    expect(progressLine({ ...progress, failed: 3 }, 2000, undefined)).toContain('800 indexed, 3 failed');
  });

  test.each<[string, number, number | undefined, string | undefined]>([
    ['not before the tree is counted', 60_000, undefined, undefined],
    ['not in the first seconds', 1000, 4000, undefined],
    ['not before a twentieth is done', 60_000, 100_000, undefined],
    ['not when there was more than was counted', 60_000, 900, undefined],
    ['in seconds', 10_000, 2000, 'about 10s left'],
    ['in minutes', 60_000, 4500, 'about 3m 30s left'],
    ['in hours', 3_600_000, 3500, 'about 2h 30m left'],
  ])('tells how long it will take %s', (_, elapsedMs, total, expected) => {
    const line = progressLine(progress, elapsedMs, total);
    if (expected === undefined) expect(line).not.toContain('left');
    else expect(line).toContain(expected);
  });

  test('never lets a folder name steer the terminal', () => {
    expect(progressLine({ ...progress, currentPath: '/a\u001b[2Jb\nc' }, 1000, undefined)).toContain('/a?[2Jb?c');
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
    one.show({ ...progress, currentPath: '/docs/'.repeat(30) });
    const line = written();
    expect(line.startsWith('\r\u001b[K')).toBe(true);
    expect(line.slice(4).length).toBeLessThanOrEqual(49);
    one.around(silentLogger).info('message');
    expect(written()).toBe('\r\u001b[K');
  });

  test('nothing is written when it is off', () => {
    const { stream, written } = terminal(80);
    const one = new Progress({ enabled: false, stream });
    one.show(progress);
    one.clear();
    expect(written()).toBe('');
  });
});
