import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
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
    const inFlight = upload(rest.url, { content: 'x'.repeat(300_000) });
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
    const big = 'x'.repeat(300_000);
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
