import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spool, sweepSpool } from '../../../src/ingest/spool.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-spool-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const { signal } = new AbortController();

test.each([0, 1, 65_536])('%d bytes stay in memory', async (size) => {
  const spooled = await spool(Readable.from([Buffer.alloc(size, 1)]), directory, signal);
  expect(spooled).toMatchObject({ size, content: { kind: 'bytes', bytes: Buffer.alloc(size, 1) } });
  expect(readdirSync(directory)).toEqual([]);
});

test('more go to a file that only this user may read, and that release removes', async () => {
  const chunks = [Buffer.alloc(60_000, 1), Buffer.alloc(60_000, 2)];
  const spooled = await spool(Readable.from(chunks), directory, signal);
  expect(spooled.size).toBe(120_000);
  const [name = ''] = readdirSync(directory);
  expect(spooled.content).toEqual({ kind: 'path', path: join(directory, name) });
  await spooled.release();
  expect(readdirSync(directory)).toEqual([]);
});

test('a stream that cannot be written down is destroyed, so that its connection is free again', async () => {
  const stream = Readable.from([Buffer.alloc(100_000)]);
  const file = join(directory, 'file');
  writeFileSync(file, '');
  await expect(spool(stream, join(file, 'folder'), signal)).rejects.toThrow('is not a folder');
  expect(stream.destroyed).toBe(true);
});

test('a stream that breaks off leaves nothing behind', async () => {
  function* broken(): Generator<Buffer> {
    yield Buffer.alloc(100_000);
    throw new Error('connection reset');
  }
  await expect(spool(Readable.from(broken()), directory, signal)).rejects.toThrow('connection reset');
  expect(readdirSync(directory)).toEqual([]);
});

test('what a killed process left is swept after a day; nothing else is touched', async () => {
  const old = join(directory, 'crawler-01234567-89ab-cdef-0123-456789abcdef.tmp');
  const fresh = join(directory, 'crawler-11234567-89ab-cdef-0123-456789abcdef.tmp');
  const other = join(directory, 'crawler-notes.tmp');
  for (const path of [old, fresh, other]) writeFileSync(path, 'x');
  for (const path of [old, other]) utimesSync(path, 1, 1);
  await sweepSpool(directory, Date.now());
  expect([old, fresh, other].map((path) => existsSync(path))).toEqual([false, true, true]);
  await sweepSpool(join(directory, 'missing'), Date.now());
});
