import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AddressPolicy } from '../../src/source/address-policy.js';
import { HttpFetch } from '../../src/source/http/http-fetch.js';
import type { HttpFetchOptions } from '../../src/source/http/http-fetch.js';
import { Spool } from '../../src/source/spool.js';
import { startOriginServer } from './origin-server.js';
import type { OriginServer } from './origin-server.js';
import { INDEX, call, fetchJson, startRest, upload } from './rest-harness.js';
import type { Answer, RestHarness } from './rest-harness.js';

let origin: OriginServer;
let rest: RestHarness;

beforeAll(async () => {
  origin = await startOriginServer();
  rest = await startRest({ maxUploadBytes: 100_000 });
});

afterAll(async () => {
  await rest.close();
  await origin.close();
});

const get = (path: string, init?: { query?: string; headers?: Record<string, string> }): Promise<Answer> =>
  fetchJson(rest.url, { type: 'http', http: { url: path.startsWith('http') ? path : origin.url + path } }, init);

const PREFIX = 'Failed to add document from [http] 3rd-party: [FsCrawlerPluginException] - [';

describe('an http fetch', () => {
  test('is indexed like an upload of the same name', async () => {
    const { body } = await get('/doc.txt', { query: '?debug=true' });
    const id = rest.ingester.idOf('doc.txt');
    expect(body).toMatchObject({
      ok: true,
      filename: 'doc.txt',
      url: rest.engine.urlOf(INDEX, id),
      doc: { content: 'fetched words', file: { filesize: 13 }, path: { real: 'doc.txt', virtual: 'doc.txt' } },
    });
    expect(rest.ingester.items.at(-1)?.entry).toMatchObject({
      size: 13,
      modifiedMs: Date.UTC(2017, 0, 4, 21, 1, 8),
      version: '"v1"',
    });
    expect((await upload(rest.url, { content: 'x', filename: 'doc.txt' })).body['url']).toBe(body['url']);
  });

  test.each([
    ['/na%C3%AFve.txt', 'naïve.txt'],
    ['/named', 'résumé.txt'],
    ['/path-named', 'passwd'],
    ['/redirect', 'doc.txt'],
    ['/redirect-307', 'doc.txt'],
    ['/', 'index.html'],
    ['/folder/', 'index.html'],
    ['/gzip.txt', 'gzip.txt'],
  ])('%s is called %s', async (path, filename) => {
    expect((await get(path)).body).toMatchObject({ ok: true, filename });
  });

  test('what the server compressed is unpacked', async () => {
    expect((await get('/gzip.txt', { query: '?simulate=true' })).body).toHaveProperty('doc.content', 'unpacked');
  });

  test('id, index, password, debug and simulate work as for an upload, the header before the query', async () => {
    const { body } = await get('/doc.txt', {
      query: '?id=q&index=qi&password=qp',
      headers: { id: 'h', index: 'hi', password: 'hp', debug: 'true' },
    });
    expect(body).toMatchObject({ ok: true, url: rest.engine.urlOf('hi', 'h'), doc: { content: 'fetched words' } });
    expect(rest.ingester.items.at(-1)).toMatchObject({ id: 'h', index: 'hi', password: 'hp' });
    expect((await get('/doc.txt', { query: '?id=_auto_' })).body['url']).not.toBe(
      (await get('/doc.txt', { query: '?id=_auto_' })).body['url'],
    );
  });

  test.each([
    ['an object', { external: { from: 'body' } }],
    ['JSON text', '{"external":{"from":"body"}}'],
  ])('tags may stand in the body as %s', async (_name, tags) => {
    const request = { type: 'http', http: { url: `${origin.url}/doc.txt` }, tags, unknown: true };
    const { body } = await fetchJson(rest.url, request, {
      query: '?simulate=true',
      headers: { tags: '{"external":{"from":"header"}}' },
    });
    expect(body).toHaveProperty('doc.external.from', 'body');
  });

  test('by PUT has the id of the path', async () => {
    const body = JSON.stringify({ type: 'http', http: { url: `${origin.url}/doc.txt` } });
    const answer = await call(`${rest.url}/_document/mine`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.body).toMatchObject({ ok: true, url: rest.engine.urlOf(INDEX, 'mine') });
  });

  test('a user name in the link is sent to its own server only and shown to nobody', async () => {
    const before = origin.credentials.length;
    const host = origin.url.slice('http://'.length);
    const elsewhere = `http://localhost:${new URL(origin.url).port}/missing`;
    const { text } = await get(`http://user:hunter2@${host}/to?${encodeURIComponent(elsewhere)}`);
    const basic = `Basic ${Buffer.from('user:hunter2').toString('base64')}`;
    expect(origin.credentials.slice(before)).toEqual([basic, undefined]);
    expect(text).toContain('answers 404');
    expect(text).not.toContain('hunter2');
  });

  test.each([
    ['/missing', 'the server answers 404', 404],
    ['/forbidden', 'the server answers 403', 400],
    ['/broken', 'the server answers 500', 502],
    ['/redirect-loop', 'it redirects more than 5 times', 502],
    ['/redirect-nowhere', 'the server answers 302', 502],
    ['/to-file', 'it redirects to an address that is not http or https', 400],
    ['/to-ftp', 'it redirects to an address that is not http or https', 400],
    ['/to-nonsense', 'it redirects to an address that is not http or https', 400],
    ['/to-metadata', 'link-local, metadata or reserved', 400],
    ['/to-metadata-by-number', 'link-local, metadata or reserved', 400],
    ['/cut', 'broke off', 502],
    ['/endless', 'larger than the 100000 bytes', 400],
    ['/big', '200000 bytes; at most 100000', 400],
    ['/gzip-bomb', 'larger than the 100000 bytes', 400],
    ['/compress', 'content encoding [compress]', 400],
    ['http://does-not-exist.invalid/x', 'the host name is unknown', 502],
    ['http://127.0.0.1:9/x', 'ECONNREFUSED', 502],
    ['http://169.254.169.254/latest', 'link-local, metadata or reserved', 400],
    ['http://[fe80::1]/', 'link-local, metadata or reserved', 400],
    ['http://[::ffff:169.254.169.254]/', 'link-local, metadata or reserved', 400],
    ['http://0xA9FEA9FE/', 'link-local, metadata or reserved', 400],
    ['http://0/', 'link-local, metadata or reserved', 400],
  ])('of %s is a sentence: %s', async (path, message, strictStatus) => {
    const strict = await startRest({ strictStatus: true, maxUploadBytes: 100_000 });
    const answer = await get(path);
    expect(answer).toMatchObject({ status: 200, body: { ok: false } });
    expect(answer.body['message']).toMatch(
      /^Failed to add document from \[http\] 3rd-party: \[FsCrawlerPluginException\] - \[.*\]$/,
    );
    expect(answer.body['message']).toContain(message);
    const url = path.startsWith('http') ? path : origin.url + path;
    expect((await fetchJson(strict.url, { type: 'http', http: { url } })).status).toBe(strictStatus);
    expect(await rest.spooled()).toEqual([]);
    await strict.close();
  });

  test.each(['file:///etc/hostname', 'ftp://127.0.0.1/x', 'data:text/plain,x', 'jar:file:/x!/y', 'HTTPX://x'])(
    'of %s is refused: only http and https are fetched',
    async (url) => {
      const { body } = await fetchJson(rest.url, { type: 'http', http: { url } });
      expect(body['ok']).toBe(false);
      expect(body['message']).toContain('only http and https are fetched');
    },
  );

  test('ends when the one who asked is gone', async () => {
    const asking = new AbortController();
    const request = fetch(`${rest.url}/_document`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'http', http: { url: `${origin.url}/drips` } }),
      signal: asking.signal,
    });
    while (!origin.asked.includes('/drips')) await sleep(5);
    asking.abort();
    await expect(request).rejects.toThrow();
    for (let tries = 0; tries < 500 && !origin.abandoned.includes('/drips'); tries++) await sleep(5);
    expect(origin.abandoned).toContain('/drips');
    expect(rest.ingester.items.map((item) => item.place.filename)).not.toContain('drips');
    expect(await rest.spooled()).toEqual([]);
  });
});

describe('a service that listens beyond loopback', () => {
  let exposed: RestHarness;

  beforeAll(async () => {
    exposed = await startRest({ url: 'http://0.0.0.0:0' });
  });

  afterAll(() => exposed.close());

  test.each([
    ['loopback', (port: string) => `http://127.0.0.1:${port}/doc.txt`],
    ['a name of loopback', (port: string) => `http://localhost:${port}/doc.txt`],
    ['loopback in IPv6', (port: string) => `http://[::1]:${port}/doc.txt`],
    ['loopback in IPv6 of IPv4', (port: string) => `http://[::ffff:127.0.0.1]:${port}/doc.txt`],
    ['a private address', () => 'http://10.0.0.1/'],
    ['a private address in IPv6', () => 'http://[fd00::1]/'],
  ])('does not fetch from %s', async (_name, urlOf) => {
    const asked = origin.asked.length;
    const local = `http://127.0.0.1:${new URL(exposed.url).port}`;
    const { body } = await fetchJson(local, { type: 'http', http: { url: urlOf(new URL(origin.url).port) } });
    expect(body).toMatchObject({ ok: false, message: expect.stringContaining('rest.fetch.allow') });
    expect(origin.asked).toHaveLength(asked);
  });
});

describe('the door of a fetch', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fetch-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  const LIMITS = { headersMs: 300, idleMs: 300, totalMs: 2000, redirects: 5 };

  async function open(url: string, options: Partial<HttpFetchOptions> = {}): Promise<string> {
    const policy = new AddressPolicy({ allow: [], deny: [], exposed: true });
    const opener = new HttpFetch({
      policy,
      spool: new Spool(folder, 'requests'),
      maxBytes: 1_000_000_000,
      limits: LIMITS,
      ...options,
    });
    const target = await opener.open({ url }, new AbortController().signal);
    await target.close();
    return target.place.filename;
  }

  const allowAll = new AddressPolicy({ allow: [], deny: [], exposed: false });

  test.each([
    ['/hangs', 'does not answer in time'],
    ['/stalls', 'does not answer in time'],
    ['/drips', 'takes too long'],
    ['/endless', 'takes too long'],
  ])('%s: %s, and nothing stays on the disk', async (path, message) => {
    const limits = path === '/endless' ? { ...LIMITS, totalMs: 300 } : LIMITS;
    await expect(open(origin.url + path, { policy: allowAll, limits })).rejects.toMatchObject({
      code: 'timed_out',
      message: expect.stringContaining(message),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('a name that resolves to loopback is judged by its address', async () => {
    const resolve: HttpFetchOptions['resolve'] = (_host, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
    await expect(
      open(`http://innocent.example:${new URL(origin.url).port}/doc.txt`, { resolve }),
    ).rejects.toMatchObject({ code: 'denied' });
  });

  test('of several addresses none may be forbidden', async () => {
    const resolve: HttpFetchOptions['resolve'] = (_host, done) =>
      done(null, [
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    await expect(open('http://innocent.example/', { resolve })).rejects.toMatchObject({ code: 'denied' });
  });

  test('a name that changes its address between two hops is judged at each', async () => {
    const { port } = new URL(origin.url);
    const answers = ['127.0.0.1', '169.254.169.254'];
    const resolve: HttpFetchOptions['resolve'] = (_host, done) =>
      done(null, [{ address: answers.shift() ?? '', family: 4 }]);
    const policy = allowAll;
    const url = `http://rebinding.example:${port}/to?${encodeURIComponent(`http://rebinding.example:${port}/doc.txt`)}`;
    await expect(open(url, { resolve, policy })).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('metadata'),
    });
  });

  test('the address that was checked is the one that is connected to', async () => {
    const { port } = new URL(origin.url);
    let asked = 0;
    const resolve: HttpFetchOptions['resolve'] = (_host, done) => {
      asked++;
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    await expect(open(`http://any.example:${port}/doc.txt`, { resolve, policy: allowAll })).resolves.toBe('doc.txt');
    expect(asked).toBe(1);
  });
});

test('the prefix of a message names the type and the kind of failure', async () => {
  expect((await get('/missing')).body['message']).toMatch(new RegExp(`^${PREFIX.replace(/[[\]]/g, '\\$&')}`));
  const { body } = await fetchJson(rest.url, { type: 'http', http: {} });
  expect(body['message']).toBe(
    "Failed to add document from [http] 3rd-party: [FsCrawlerIllegalConfigurationException] - [No results for path: $['http']['url']]",
  );
});
