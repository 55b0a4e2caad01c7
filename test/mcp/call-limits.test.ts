import { describe, expect, test } from '@jest/globals';
import { CallLimits } from '../../src/mcp/call-limits.js';

const { signal } = new AbortController();

/** A piece of work that ends when the test says so. */
function held(): { readonly work: () => Promise<string>; end: () => void; readonly isBegun: () => boolean } {
  let begun = false;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = async (): Promise<string> => {
    begun = true;
    await ended;
    return 'done';
  };
  return { work, end: () => end(), isBegun: () => begun };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('calls of assistants', () => {
  test('two run at a time, 16 wait, and one more is told that the server is busy', async () => {
    const limits = new CallLimits();
    const works = Array.from({ length: 18 }, held);
    const calls = works.map(({ work }) => limits.run('', signal, work));
    await turn();
    expect(works.filter(({ isBegun }) => isBegun())).toHaveLength(2);
    await expect(limits.run('', signal, held().work)).rejects.toThrow('The server is busy');
    for (const { end } of works) end();
    expect(await Promise.all(calls)).toEqual(works.map(() => 'done'));
    expect(await limits.run('', signal, () => Promise.resolve('again'))).toBe('again');
  });

  test('a caller has 120 a minute, and another caller its own', async () => {
    let now = 0;
    const limits = new CallLimits({ now: () => now });
    const call = (caller: string): Promise<number> => limits.run(caller, signal, () => Promise.resolve(1));
    for (let at = 0; at < 120; at += 1) expect(await call('a')).toBe(1);
    await expect(call('a')).rejects.toThrow('At most 120 calls a minute');
    expect(await call('b')).toBe(1);
    now = 60_000;
    expect(await call('a')).toBe(1);
  });

  test('one that takes too long is given up, and keeps its place until its work has ended', async () => {
    const limits = new CallLimits({ callMs: 20 });
    const slow = [held(), held()];
    const calls = slow.map(({ work }) => limits.run('', signal, work));
    for (const call of calls) await expect(call).rejects.toThrow('given up after 0.02 s');
    const third = held();
    const waiting = limits.run('', signal, third.work);
    await turn();
    expect(third.isBegun()).toBe(false);
    for (const { end } of slow) end();
    third.end();
    expect(await waiting).toBe('done');
  });

  test('one that is cancelled while it waits does not begin', async () => {
    const limits = new CallLimits();
    const running = [held(), held()];
    const calls = running.map(({ work }) => limits.run('', signal, work));
    const cancelled = new AbortController();
    const third = held();
    const waiting = limits.run('', cancelled.signal, third.work);
    cancelled.abort();
    for (const { end } of running) end();
    await Promise.all(calls);
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    expect(third.isBegun()).toBe(false);
    expect(await limits.run('', signal, () => Promise.resolve('free'))).toBe('free');
  });
});
