import { expect, test } from '@jest/globals';
import { CrawlerError } from '../../../src/base/errors.js';
import { LinkedSignal, unlessAborted, within } from '../../../src/source/deadline.js';

const never = new AbortController().signal;
const forever = new Promise<never>(() => undefined);
const late = (): CrawlerError => new CrawlerError('unavailable', 'late');

test('work in time is passed on, also when it fails', async () => {
  expect(await within(Promise.resolve(7), 10_000, never, late)).toBe(7);
  await expect(within(Promise.reject(new Error('own failure')), 10_000, never, late)).rejects.toThrow('own failure');
});

test('work that takes too long is given up, and so is work that nobody wants any more', async () => {
  await expect(within(forever, 1, never, late)).rejects.toThrow('late');
  await expect(within(forever, 10_000, AbortSignal.abort(), late)).rejects.toMatchObject({ code: 'cancelled' });
  const ending = new AbortController();
  const waiting = unlessAborted(forever, ending.signal);
  ending.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
});

test('a linked signal ends with the first of its parents, with that one’s reason, and not after its release', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const linked = new LinkedSignal(first.signal, second.signal);
  second.abort('second');
  first.abort('first');
  expect([linked.signal.aborted, linked.signal.reason]).toEqual([true, 'second']);

  const third = new AbortController();
  const released = new LinkedSignal(third.signal);
  released.release();
  third.abort();
  expect(released.signal.aborted).toBe(false);
  expect(new LinkedSignal(AbortSignal.abort('already')).signal.reason).toBe('already');
});
