import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Spool } from '../../src/source/spool.js';
import { open } from './raw-http.js';
import { call, startRest, upload } from './rest-harness.js';

describe('starting', () => {
  test.each([
    ['not a url', 'is not a URL'],
    ['https://127.0.0.1:8080', 'TLS'],
    ['ftp://127.0.0.1', 'scheme must be http'],
    ['http://user:hunter2@127.0.0.1:8080', 'rest.api_keys'],
    ['http://127.0.0.1:8080/?a=b', 'query'],
    ['http://127.0.0.1:8080/#x', 'fragment'],
    ['http://127.0.0.1:8080/a//b', 'empty part'],
    ['http://127.0.0.1:99999', 'is not a URL'],
    ['http://does-not-exist.invalid:8080', 'unknown on this machine'],
    ['http://192.0.2.1:8080', 'not an address of this machine'],
  ])('at [%s] fails with a sentence about rest.url', async (url, message) => {
    const starting = startRest({ url });
    await expect(starting).rejects.toMatchObject({
      name: 'CrawlerError',
      code: 'settings_invalid',
      subject: 'rest.url',
    });
    await expect(starting).rejects.toThrow(/^rest\.url/);
    await expect(starting).rejects.toThrow(message);
    await expect(starting).rejects.not.toThrow('hunter2');
  });

  test('at a port in use says so, also for another path', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    await expect(startRest({ url: `http://127.0.0.1:${port}/other` })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(new RegExp(`^rest\\.url: port ${port} .*in use`)),
    });
    blocker.close();
  });

  test('with a folder for uploads that cannot be made fails with a sentence', async () => {
    await expect(startRest({ spoolDirectory: '/dev/null/spool' })).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('fs.temp_dir'),
    });
  });

  test('answers with the address that it really listens at', async () => {
    const rest = await startRest({ url: 'http://localhost:0/prefix/' });
    expect(rest.url).toMatch(/^http:\/\/localhost:\d+\/prefix$/);
    expect((await call(`${rest.url}/`)).status).toBe(200);
    await rest.close();
  });
});

describe('stopping', () => {
  test('finishes what is in flight and takes nothing new', async () => {
    const rest = await startRest();
    let release: () => void = () => undefined;
    rest.ingester.gate = new Promise((resolve) => (release = resolve));
    const inFlight = upload(rest.url, { content: 'in flight', query: '?id=last' });
    while (rest.ingester.items.length === 0) await sleep(5);
    const stopped = rest.service.stop(10_000);
    await expect(open(rest.url)).rejects.toThrow('ECONNREFUSED');
    release();
    expect((await inFlight).body['ok']).toBe(true);
    await stopped;
    expect(await rest.engine.get('job_docs', 'last')).toBeDefined();
    await rest.close();
  });

  test('gives up what takes longer than it may, and says so', async () => {
    const rest = await startRest();
    rest.ingester.gate = new Promise(() => undefined);
    const inFlight = upload(rest.url, { content: 'x'.repeat(100_000) });
    while (rest.ingester.items.length === 0) await sleep(5);
    await rest.service.stop(50);
    expect(await inFlight).toMatchObject({ status: 503, body: { ok: false } });
    expect(await rest.spooled()).toEqual([]);
    await rest.close();
  });

  test('cuts off who does not finish its request', async () => {
    const rest = await startRest();
    const socket = await open(rest.url);
    socket.write(
      'POST /_document HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
    );
    const closed = once(socket, 'close');
    await sleep(50);
    await rest.service.stop(50);
    await closed;
    expect(socket.destroyed).toBe(true);
    await rest.close();
  });

  test('does not wait for connections that only idle', async () => {
    const rest = await startRest();
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(rest.url)));
    await call(`${rest.url}/`);
    await rest.service.stop(60_000);
    for (const socket of sockets) socket.destroy();
    expect(sockets).toHaveLength(20);
    await rest.close();
  });

  test('twice, or before the start, does nothing', async () => {
    const rest = await startRest();
    await rest.service.stop(0);
    await expect(rest.service.stop(0)).resolves.toBeUndefined();
    await rest.close();
  });
});

describe('many at once', () => {
  test('64 uploads and 1,000 idle connections', async () => {
    const rest = await startRest();
    const idle = await Promise.all(Array.from({ length: 1000 }, () => open(rest.url)));
    const big = 'x'.repeat(200_000);
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, at) => upload(rest.url, { content: `${at} ${big}`, filename: `${at}.txt` })),
    );
    expect(answers.map(({ body }) => body['ok'])).toEqual(answers.map(() => true));
    expect(new Set(answers.map(({ body }) => body['url'])).size).toBe(64);
    expect(await rest.spooled()).toEqual([]);
    for (const socket of idle) socket.destroy();
    await rest.close();
  });
});

describe('the spool', () => {
  async function leftover(folder: string, pid: number, host?: string): Promise<string> {
    const spool = new Spool(folder);
    await spool.prepare();
    const { path = '' } = await spool.receive(Readable.from([Buffer.alloc(100_000)]), Infinity);
    const own = path.slice(path.lastIndexOf('/') + 1).split('-');
    const name = ['spool', host ?? own[1], pid, 'anotherlife', 'x'].join('-');
    await writeFile(join(folder, name), 'left behind');
    await rm(path);
    return name;
  }

  const deadPid = (): number => spawnSync('true').pid;

  test.each([
    ['of a process that is gone is swept', () => deadPid(), undefined, 0, true],
    ['of a former process with our number is swept', () => process.pid, undefined, 0, true],
    ['of a process that lives stays', () => process.ppid, undefined, 0, false],
    ['of another machine stays', () => deadPid(), 'elsewhere', 0, false],
    ['of another machine is swept after a day', () => deadPid(), 'elsewhere', 48, true],
  ])('a leftover %s', async (_name, pid, host, hours, swept) => {
    const folder = await mkdtemp(join(tmpdir(), 'spool-'));
    const name = await leftover(folder, pid(), host);
    const time = new Date(Date.now() - hours * 3_600_000);
    await utimes(join(folder, name), time, time);
    await writeFile(join(folder, 'not-ours.txt'), 'x');
    await new Spool(folder).prepare();
    expect((await readdir(folder)).sort()).toEqual(swept ? ['not-ours.txt'] : ['not-ours.txt', name]);
    await rm(folder, { recursive: true });
  });

  test('holds what was received, in memory or on disk, and reads it as often as one likes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spool-'));
    for (const size of [0, 1, 65_536, 65_537, 300_000]) {
      const bytes = Buffer.alloc(size, 'abc');
      const chunks = Array.from({ length: Math.ceil(size / 1000) }, (_, at) =>
        bytes.subarray(at * 1000, at * 1000 + 1000),
      );
      const file = await new Spool(folder).receive(Readable.from(chunks), Infinity);
      expect([file.size, file.path !== undefined]).toEqual([size, size > 65_536]);
      for (let times = 0; times < 2; times++)
        expect(Buffer.concat(await file.read().toArray()).equals(bytes)).toBe(true);
      await file.remove();
    }
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
