import { expect, test } from '@jest/globals';
import { ContentFilter } from '../../../src/ingest/filter/content-filter.js';

const never = new AbortController().signal;

test('every pattern has to be found; the first that is not is named', async () => {
  const filter = new ContentFilter(['^invoice', '(?i)TOTAL [0-9]+$']);
  expect(await filter.rejecting('invoice\ntotal 12\n', never)).toBeUndefined();
  expect(await filter.rejecting('invoice\n', never)).toBe('(?i)TOTAL [0-9]+$');
  expect(await filter.rejecting('offer\ntotal 12', never)).toBe('^invoice');
});

test('a document without text passes', async () => {
  const filter = new ContentFilter(['x']);
  expect(await filter.rejecting('', never)).toBeUndefined();
  expect(await filter.rejecting(undefined, never)).toBeUndefined();
});

test('a pattern that takes for ever ends within its limit, and this thread continues meanwhile', async () => {
  const filter = new ContentFilter(['(?=a)(a+)+$']);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 10);
  try {
    await expect(filter.rejecting(`${'a'.repeat(5000)}!`, never)).rejects.toMatchObject({
      code: 'timed_out',
      message: expect.stringContaining('The pattern [(?=a)(a+)+$] was not decided within') as unknown,
    });
  } finally {
    clearInterval(timer);
  }
  expect(turns).toBeGreaterThan(20);
  expect(await filter.rejecting('aaa', never)).toBeUndefined();
});

test('a search is given up at once when the work is cancelled', async () => {
  const stop = new AbortController();
  const search = new ContentFilter(['(?=a)(a+)+$']).rejecting(`${'a'.repeat(5000)}!`, stop.signal);
  setTimeout(() => stop.abort(), 100);
  await expect(search).rejects.toMatchObject({ code: 'cancelled' });
});

test('a long text is searched in the other thread, with the same result', async () => {
  const text = `${'one two three '.repeat(1_000_000)}\ntotal 12`;
  expect(await new ContentFilter(['^total [0-9]{1,20}$']).rejecting(text, never)).toBeUndefined();
  expect(await new ContentFilter(['^total [a-z]{1,20}$']).rejecting(text, never)).toBe('^total [a-z]{1,20}$');
});
