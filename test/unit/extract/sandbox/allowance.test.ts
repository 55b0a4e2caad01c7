import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Allowance } from '../../../../src/extract/sandbox/allowance.js';

const MIB = 1024 * 1024;
const PLENTY = Number.POSITIVE_INFINITY;

describe('what a document may take', () => {
  test('is enough until the time is over', async () => {
    const allowance = new Allowance({ timeMs: 1000, memoryBytes: PLENTY });
    expect(() => allowance.check()).not.toThrow();
    await delay(1200);
    expect(() => allowance.check()).toThrow(expect.objectContaining({ code: 'timed_out' }));
  });

  test('does not count the time in which others work for it', async () => {
    const allowance = new Allowance({ timeMs: 1000, memoryBytes: PLENTY });
    allowance.pause();
    allowance.pause();
    await delay(1200);
    expect(() => allowance.check()).not.toThrow();
    allowance.resume();
    expect(() => allowance.check()).not.toThrow();
    allowance.resume();
    expect(() => allowance.check()).not.toThrow();
    await delay(1200);
    expect(() => allowance.check()).toThrow(expect.objectContaining({ code: 'timed_out' }));
  });

  test('is used up when the process is too large', () => {
    const allowance = new Allowance({ timeMs: 60_000, memoryBytes: 1024 });
    expect(() => allowance.check()).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  test('is looked at again after some megabytes, however little time has passed', () => {
    let resident = 10;
    const allowance = new Allowance({ timeMs: 60_000, memoryBytes: 100 }, () => resident);
    const now = performance.now();
    allowance.check(now);
    resident = 101;
    allowance.check(now);
    allowance.count(5 * MIB);
    expect(() => allowance.check(now)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });
});
