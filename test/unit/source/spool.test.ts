import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Spool, type SpooledFile, type SpoolPurpose } from '../../../src/source/spool.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { signal } = new AbortController();
const PURPOSES: readonly SpoolPurpose[] = ['requests', 'crawl'];

function endless(): Readable {
  return new Readable({
    read() {
      this.push(Buffer.alloc(16_384));
    },
  });
}

test.each([0, 1, 65_536, 262_144])('%d bytes stay in memory', async (size) => {
  const file = await new Spool(folder, 'crawl').receive(Readable.from([Buffer.alloc(size, 1)]), { signal });
  expect(file).toMatchObject({ size, content: { kind: 'bytes', bytes: Buffer.alloc(size, 1) } });
  expect(readdirSync(folder)).toEqual([]);
});

test.each([262_145, 300_000])('%d bytes go to a file that only this user may read', async (size) => {
  const bytes = Buffer.alloc(size, 'abc');
  const chunks = Array.from({ length: Math.ceil(size / 1000) }, (_, at) => bytes.subarray(at * 1000, at * 1000 + 1000));
  const file = await new Spool(folder, 'crawl').receive(Readable.from(chunks), { signal });
  const [name = ''] = readdirSync(folder);
  expect(file).toMatchObject({ size, content: { kind: 'path', path: join(folder, name) } });
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  for (let times = 0; times < 2; times++) expect((await file.bytes()).equals(bytes)).toBe(true);
  await file.remove();
  expect(readdirSync(folder)).toEqual([]);
});

test('medium files stay in memory up to 16 MiB in all, small ones always', async () => {
  const spool = new Spool(folder, 'requests');
  const receive = (size: number): Promise<SpooledFile> => spool.receive(Readable.from([Buffer.alloc(size)]));
  const held = await Promise.all(Array.from({ length: 64 }, () => receive(262_144)));
  expect(readdirSync(folder)).toEqual([]);
  expect((await receive(65_536)).content.kind).toBe('bytes');
  const [first, second] = held;
  // Removed twice, it is counted once.
  await first?.remove();
  await first?.remove();
  expect((await receive(100_000)).content.kind).toBe('bytes');
  const onDisk = await receive(262_144);
  expect(onDisk.content.kind).toBe('path');
  await second?.remove();
  await onDisk.remove();
  expect((await receive(100_000)).content.kind).toBe('bytes');
});

test('what breaks off, and what goes to the disk, is no longer counted', async () => {
  const spool = new Spool(folder, 'requests');
  function* broken(): Generator<Buffer> {
    yield Buffer.alloc(200_000);
    throw new Error('connection reset');
  }
  for (let times = 0; times < 90; times++) {
    await expect(spool.receive(Readable.from(broken()))).rejects.toThrow('connection reset');
    await (await spool.receive(Readable.from([Buffer.alloc(200_000), Buffer.alloc(200_000)]))).remove();
  }
  expect((await spool.receive(Readable.from([Buffer.alloc(200_000)]))).content.kind).toBe('bytes');
});

describe('a stream that is not taken leaves nothing on the disk', () => {
  test.each(PURPOSES)('when it breaks off (%s)', async (purpose) => {
    function* broken(): Generator<Buffer> {
      yield Buffer.alloc(300_000);
      throw new Error('connection reset');
    }
    await expect(new Spool(folder, purpose).receive(Readable.from(broken()))).rejects.toThrow('connection reset');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('when it is longer than allowed: without a signal it is drained, so that a multipart parser continues', async () => {
    const stream = Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(50_000)));
    const ended = new Promise((resolve) => stream.once('end', resolve));
    await expect(new Spool(folder, 'requests').receive(stream, { limit: 300_000 })).rejects.toMatchObject({
      code: 'too_large',
    });
    await ended;
    expect(readdirSync(folder)).toEqual([]);
  });

  test('when it is given up: it is destroyed, so that its connection is free again', async () => {
    const given = new AbortController();
    const stream = endless();
    const received = new Spool(folder, 'crawl').receive(stream, { signal: given.signal });
    while (readdirSync(folder).length === 0) await new Promise((resolve) => setImmediate(resolve));
    given.abort();
    await expect(received).rejects.toMatchObject({ name: 'AbortError' });
    expect(stream.destroyed).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('when the sender is silent at the beginning and the program stops', async () => {
    const given = new AbortController();
    const stream = new Readable({ read: () => undefined });
    const received = new Spool(folder, 'crawl').receive(stream, { signal: given.signal });
    given.abort();
    await expect(received).rejects.toMatchObject({ name: 'AbortError' });
    expect(stream.destroyed).toBe(true);
  });
});

describe('the folder', () => {
  test('is made for a crawl when the first file needs it, and only then', async () => {
    const spool = new Spool(join(folder, 'below', 'tmp'), 'crawl');
    await spool.clean();
    await spool.receive(Readable.from([Buffer.alloc(10)]), { signal });
    expect(readdirSync(folder)).toEqual([]);
    await spool.receive(Readable.from([Buffer.alloc(300_000)]), { signal });
    expect(readdirSync(join(folder, 'below', 'tmp'))).toHaveLength(1);
    expect(statSync(join(folder, 'below')).mode & 0o777).toBe(0o700);
  });

  test('that cannot be made is named to the operator, and the stream is destroyed', async () => {
    const stream = Readable.from([Buffer.alloc(300_000)]);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const spool = new Spool(join(file, 'folder'), 'crawl');
    await expect(spool.receive(stream, { signal })).rejects.toThrow('is not a folder');
    expect(stream.destroyed).toBe(true);
  });

  test('that is gone is not named to callers on other machines', async () => {
    const spool = new Spool(join(folder, 'gone'), 'requests');
    const received = spool.receive(Readable.from([Buffer.alloc(300_000)]));
    await expect(received).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.not.stringContaining(folder) as unknown,
    });
  });
});

describe('a leftover', () => {
  async function leftover(pid: number, host: string | undefined, hours: number): Promise<string> {
    const file = await new Spool(folder, 'requests').receive(Readable.from([Buffer.alloc(300_000)]));
    const [, ownHost] = basename(file.content.kind === 'path' ? file.content.path : '').split('-');
    await file.remove();
    const name = ['spool', host ?? ownHost, pid, 'anotherlife', 'x'].join('-');
    writeFileSync(join(folder, name), 'left behind');
    const seconds = Date.now() / 1000 - hours * 3600;
    utimesSync(join(folder, name), seconds, seconds);
    return name;
  }

  const deadPid = (): number => spawnSync('true').pid;

  test.each([
    ['of a process that is gone is swept', deadPid, undefined, 0, true],
    ['of a former process with our number is swept', () => process.pid, undefined, 0, true],
    ['of a process that lives stays', () => process.ppid, undefined, 0, false],
    ['of another machine stays', deadPid, 'elsewhere', 0, false],
    ['of another machine is swept after a day', deadPid, 'elsewhere', 48, true],
  ])('%s', async (_name, pid, host, hours, swept) => {
    for (const sweep of ['prepare', 'clean'] as const) {
      const name = await leftover(pid(), host, hours);
      writeFileSync(join(folder, 'not-ours.txt'), 'x');
      const { content } = await new Spool(folder, 'crawl').receive(Readable.from([Buffer.alloc(300_000)]));
      const own = basename(content.kind === 'path' ? content.path : '');
      await new Spool(folder, 'requests')[sweep]();
      expect(readdirSync(folder).sort()).toEqual(['not-ours.txt', own, ...(swept ? [] : [name])].sort());
      for (const left of [own, name]) rmSync(join(folder, left), { force: true });
    }
  });

  test('in a folder that is not there is none', async () => {
    const missing = join(folder, 'missing');
    await new Spool(missing, 'crawl').clean();
    expect(readdirSync(folder)).toEqual([]);
  });
});
