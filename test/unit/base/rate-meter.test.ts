import { describe, expect, test } from '@jest/globals';
import { RateMeter } from '../../../src/base/rate-meter.js';

describe('a rate', () => {
  test('is 0 before there are two samples', () => {
    const meter = new RateMeter(10_000);
    expect(meter.perSecond(0)).toBe(0);
    meter.add(0, 5);
    expect(meter.perSecond(0)).toBe(0);
  });

  test('is the growth over the window, not over all of the past', () => {
    const meter = new RateMeter(10_000);
    for (let second = 0; second <= 100; second += 1) meter.add(second * 1000, second < 50 ? second * 100 : 5000);
    expect(meter.perSecond(100_000)).toBe(0);
    for (let second = 101; second <= 111; second += 1) meter.add(second * 1000, 5000 + (second - 100) * 7);
    expect(meter.perSecond(111_000)).toBeCloseTo(7);
  });

  test('falls to 0 when nothing is heard for longer than the window', () => {
    const meter = new RateMeter(10_000);
    meter.add(0, 0);
    meter.add(1000, 100);
    expect(meter.perSecond(1000)).toBe(100);
    expect(meter.perSecond(20_000)).toBe(0);
  });

  test('begins anew when the count does', () => {
    const meter = new RateMeter(10_000);
    meter.add(0, 0);
    meter.add(1000, 1000);
    meter.add(2000, 0);
    meter.add(3000, 10);
    expect(meter.perSecond(3000)).toBe(10);
  });
});
