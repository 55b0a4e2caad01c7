import { describe, expect, test } from '@jest/globals';
import { defaultRetryPolicy, RetryState, type RetryCause } from '../../../../src/engine/elastic/retry-state.js';
import { InstantClock } from '../../../support/instant-clock.js';

const { signal } = new AbortController();

async function delays(cause: RetryCause): Promise<number[]> {
  const clock = new InstantClock();
  const retries = new RetryState(defaultRetryPolicy, clock);
  while (await retries.pause(cause, signal));
  return clock.slept;
}

describe('retries', () => {
  test('with an engine that is away doubles from 0.5 s to 5 s and ends after 10 s', async () => {
    expect(await delays('fault')).toEqual([500, 1000, 2000, 4000, 2500]);
  });

  test('with a busy engine doubles from 1 s to 30 s and ends after 5 min', async () => {
    const slept = await delays('throttle');
    expect(slept.slice(0, 7)).toEqual([1000, 2000, 4000, 8000, 16000, 30000, 30000]);
    expect(slept.reduce((sum, each) => sum + each, 0)).toBe(300_000);
  });

  test('is kept separately for both', async () => {
    const clock = new InstantClock();
    const retries = new RetryState(defaultRetryPolicy, clock);
    while (await retries.pause('fault', signal));
    expect(await retries.pause('throttle', signal)).toBe(true);
    expect(retries.triedMs('fault')).toBe(11_000);
  });

  test('begins anew once the cause is over', async () => {
    const clock = new InstantClock();
    const retries = new RetryState(defaultRetryPolicy, clock);
    while (await retries.pause('fault', signal));
    retries.relieve('fault');
    expect(retries.nextDelayMs('fault')).toBe(500);
  });

  test('without a limit never ends', async () => {
    const clock = new InstantClock();
    const forEver = { firstMs: 500, maxMs: 5_000, totalMs: Infinity };
    const retries = new RetryState({ fault: forEver, throttle: forEver }, clock);
    for (let i = 0; i < 1000; i += 1) expect(await retries.pause('fault', signal)).toBe(true);
    expect(Math.max(...clock.slept)).toBe(5_000);
  });
});
