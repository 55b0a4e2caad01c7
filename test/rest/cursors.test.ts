import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { CrawlerError } from '../../src/base/errors.js';
import { Cursors } from '../../src/rest/elasticsearch-api/paging/cursors.js';
import type { Held } from '../../src/rest/elasticsearch-api/paging/cursors.js';

/** What clients keep open, without the service around it. */
const MIB = 1024 * 1024;
const LONG = 60_000;

class Block implements Held {
  bytes: number;
  released = 0;

  constructor(mib: number) {
    this.bytes = mib * MIB;
  }

  release(): void {
    this.released += 1;
    this.bytes = 0;
  }
}

test('what all of them hold is limited, and each that is closed frees its share', () => {
  const cursors = new Cursors<Block>('scroll');
  const ids = Array.from({ length: 8 }, () => cursors.open(new Block(8), LONG));
  expect(() => cursors.open(new Block(1), LONG)).toThrow(
    expect.objectContaining({ status: 429, message: expect.stringContaining('hold 65 MB of the 64 MB') }),
  );
  expect(cursors.close(ids[3] ?? '')).toBe(true);
  expect(cursors.close(ids[3] ?? '')).toBe(false);
  expect(cursors.open(new Block(8), LONG)).toMatch(/^[\w-]{22}$/);
  for (const { id } of cursors.all()) cursors.close(id);
});

test('one that grows beyond the limit lets go of what can be had again', async () => {
  const cursors = new Cursors<Block>('point in time');
  const grown = new Block(1);
  const id = cursors.open(grown, LONG);
  cursors.open(new Block(60), LONG);
  const use = cursors.use(id, undefined, (block) => {
    block.bytes = 10 * MIB;
    return Promise.resolve();
  });
  await expect(use).rejects.toMatchObject({ status: 429 });
  expect(grown.released).toBe(1);
  expect(await cursors.use(id, undefined, () => Promise.resolve('again'))).toBe('again');
  for (const each of cursors.all()) cursors.close(each.id);
});

test('one that is being used does not end, and lives on afterwards', async () => {
  const cursors = new Cursors<Block>('scroll');
  const id = cursors.open(new Block(0), 20);
  await cursors.use(id, LONG, () => sleep(100));
  expect(await cursors.use(id, undefined, () => Promise.resolve('there'))).toBe('there');
  cursors.close(id);
  await expect(cursors.use(id, undefined, () => Promise.resolve())).rejects.toMatchObject({ status: 404 });
});

test('one that is closed while it is used stays closed', async () => {
  const cursors = new Cursors<Block>('scroll');
  const id = cursors.open(new Block(0), LONG);
  const use = cursors.use(id, undefined, () => sleep(50));
  cursors.close(id);
  await use;
  expect(cursors.all()).toEqual([]);
});

test('a lost index ends it for the client, another fault does not', async () => {
  const cursors = new Cursors<Block>('scroll');
  const id = cursors.open(new Block(0), LONG);
  const failing = (code: 'not_found' | 'timed_out'): Promise<void> =>
    cursors.use(id, undefined, () => Promise.reject(new CrawlerError(code, 'why')));
  await expect(failing('not_found')).rejects.toMatchObject({ status: 404, type: 'search_context_missing_exception' });
  await expect(failing('timed_out')).rejects.toMatchObject({ code: 'timed_out' });
  cursors.close(id);
});
