import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseListenAddress } from '../../src/rest/listen-address.js';
import type { EngineReadiness } from '../../src/rest/rest-options.js';
import { startEngineRest } from './engine-harness.js';
import { exchange } from './raw-http.js';
import { call, startRest, upload } from './rest-harness.js';
import type { RestHarness } from './rest-harness.js';

describe('GET /', () => {
  let rest: RestHarness | undefined;

  afterEach(async () => {
    await rest?.close();
    rest = undefined;
  });

  test('tells that the service is up, both versions and the settings, keys in alphabetical order', async () => {
    rest = await startRest();
    const { status, headers, text, body } = await call(`${rest.url}/`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toEqual({
      engine: 'memory-1.0',
      ok: true,
      settings: { name: 'job', rest: { enable_cors: false, url: 'http://127.0.0.1:8080' } },
      version: '1.2.3',
    });
    expect(text).toBe(
      '{"engine":"memory-1.0","ok":true,"settings":{"name":"job","rest":{"enable_cors":false,"url":"http://127.0.0.1:8080"}},"version":"1.2.3"}',
    );
  });

  test('shows no secret, wherever it stands in the settings', async () => {
    const secret = 'S3CRET';
    rest = await startRest({
      settingsView: () => ({
        engine: {
          api_key: secret,
          password: secret,
          username: 'elastic',
          urls: [`https://elastic:${secret}@host:9200`],
        },
        server: { password: secret, port: 22 },
        rest: { api_keys: [secret] },
        passwords: { provider: 'static', providers: { static: { value: secret, values: [secret] } } },
      }),
    });
    const { text, body } = await call(`${rest.url}/`);
    expect(text).not.toContain(secret);
    expect(body['settings']).toEqual({
      engine: { username: 'elastic', urls: ['https://host:9200'] },
      server: { port: 22 },
      rest: {},
      passwords: { provider: 'static', providers: { static: {} } },
    });
  });

  test('answers while the search engine is down: unavailable at first, then the version that is known', async () => {
    rest = await startRest();
    rest.engine.down = true;
    expect((await call(`${rest.url}/`)).body['engine']).toBe('unavailable');
    rest.engine.down = false;
    expect((await call(`${rest.url}/`)).body['engine']).toBe('memory-1.0');
    rest.engine.down = true;
    expect(await call(`${rest.url}/`)).toMatchObject({ status: 200, body: { ok: true, engine: 'memory-1.0' } });
  });

  test('HEAD answers as GET without a body', async () => {
    rest = await startRest();
    const { status, text, headers } = await call(`${rest.url}/`, { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
    expect(Number(headers.get('content-length'))).toBeGreaterThan(0);
  });
});

describe('the base address', () => {
  test.each([
    ['a path in rest.url', 'http://127.0.0.1:0/docs', '/docs', 200],
    ['a path with a trailing slash', 'http://127.0.0.1:0/docs/', '/docs', 200],
    ['several path parts', 'http://127.0.0.1:0/a/b', '/a/b', 200],
    ['a path of which only the beginning is asked', 'http://127.0.0.1:0/docs', '/doc', 404],
    ['a path that only begins alike', 'http://127.0.0.1:0/docs', '/docsx', 404],
    ['a path with characters that routers treat specially', 'http://127.0.0.1:0/a(b)*:c', '/a(b)*:c', 200],
    ['a path that is left out', 'http://127.0.0.1:0/docs', '', 404],
  ])('%s', async (_name, url, path, status) => {
    const rest = await startRest({ url });
    const origin = new URL(rest.url).origin;
    const answers = [await call(`${origin}${path}/`), await call(`${origin}${path}/_crawler/status`)];
    expect(answers.map((each) => each.status)).toEqual([status, status]);
    expect(answers.map((each) => each.body['ok'])).toEqual([status === 200, status === 200]);
    await rest.close();
  });

  test('a trailing slash of an endpoint is accepted', async () => {
    const rest = await startRest();
    expect((await call(`${rest.url}/_crawler/status/`)).status).toBe(200);
    await rest.close();
  });

  test('rest.legacy serves the old prefix and the old upload address beside the new ones', async () => {
    const rest = await startRest({ legacy: true });
    const form = new FormData();
    form.append('file', new Blob(['old']), 'old.txt');
    expect((await call(`${rest.url}/fscrawler/_upload`, { method: 'POST', body: form })).body['ok']).toBe(true);
    expect((await call(`${rest.url}/fscrawler/`)).status).toBe(200);
    expect((await call(`${rest.url}/`)).status).toBe(200);
    await rest.close();
  });

  test('rest.legacy has `elasticsearch` beside `engine` in the status', async () => {
    const settingsView = (): object => ({ name: 'job', engine: { index: 'job_docs' } });
    const rest = await startRest({ legacy: true, settingsView: settingsView as never });
    expect((await call(`${rest.url}/fscrawler`)).body).toMatchObject({
      engine: 'memory-1.0',
      elasticsearch: 'memory-1.0',
      settings: { engine: { index: 'job_docs' }, elasticsearch: { index: 'job_docs' } },
    });
    await rest.close();
  });

  test.each(['/_upload', '/fscrawler/', '/fscrawler', '/fscrawler/_upload'])(
    'without rest.legacy there is nothing at %s, and the answer says how to have it',
    async (path) => {
      for (const url of ['http://127.0.0.1:0', 'http://127.0.0.1:0/search']) {
        const rest = await startRest({ url });
        const answer = await call(new URL(path, rest.url).href, { method: 'POST' });
        expect(answer).toMatchObject({
          status: 404,
          body: { ok: false, message: expect.stringContaining('rest.legacy') },
        });
        await rest.close();
      }
    },
  );

  test('what is no address of FSCrawler is told nothing of it', async () => {
    const rest = await startRest();
    for (const path of ['/_uploads', '/fscrawlers', '/nothing']) {
      const { body } = await call(`${rest.url}${path}`);
      expect(body).toEqual({ ok: false, message: 'There is nothing at this address.' });
    }
    await rest.close();
  });

  test('outside of the path of rest.url the answer names it', async () => {
    const rest = await startRest({ url: 'http://127.0.0.1:0/a/prefix' });
    const { origin } = new URL(rest.url);
    for (const path of ['/', '/_document', '/a', '/a/prefixed', '/_engine/_search']) {
      expect(await call(`${origin}${path}`)).toMatchObject({
        status: 404,
        body: {
          ok: false,
          message: `There is nothing at this address. The service answers below ${rest.url}/ (rest.url).`,
        },
      });
    }
    await rest.close();
  });
});

describe('a service that listens on all addresses', () => {
  const EVERYWHERE = ['http://0.0.0.0:0', 'http://0.0.0.0:0/below'];

  /** Every answer that holds an address of the service. */
  async function answers(url: string, host?: string): Promise<string[]> {
    const headers: Record<string, string> = host === undefined ? {} : { host };
    const texts: string[] = [];
    for (const path of ['/', '/_openapi.json', '/_search?q=words', '/_engine/_nodes/http', '/nothing', '/_document']) {
      texts.push(
        (await exchange(url, requestOf('GET', new URL(url).pathname.replace(/\/$/, '') + path, headers))).body,
      );
    }
    return texts;
  }

  function requestOf(method: string, path: string, headers: Readonly<Record<string, string>>): string {
    const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`);
    return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`;
  }

  test.each(EVERYWHERE)('at %s never names such an address in an answer', async (listening) => {
    const api = await startEngineRest({
      url: listening,
      settingsView: (baseUrl) => ({ rest: { url: baseUrl }, engine: { urls: [`${baseUrl}/_engine`] } }),
    });
    await api.write({ one: { content: 'words' } });
    const hosts = [
      undefined,
      'docs.example:8080',
      '0.0.0.0:8080',
      '[::]:1',
      '',
      'a b',
      '1.2.3.4.5',
      'x/../y',
      '[::1]:80',
    ];
    for (const host of hosts) {
      const all = (await answers(api.rest.url, host)).join('\n');
      expect(all).not.toMatch(/0\.0\.0\.0|\[::\]/);
      expect(all).toMatch(/"url":"http:\/\/[a-z0-9.:[\]]+(\/below)?\/_engine\/job_docs\/_doc\/one"/);
    }
    await api.close();
  });

  test.each([
    ['http://0.0.0.0:8080', true],
    ['http://0:8080', true],
    ['http://[::]:8080', true],
    ['http://[0:0:0:0:0:0:0:0]:8080', true],
    ['http://127.0.0.1:8080', false],
    ['http://[::1]:8080', false],
  ])('%s is one: %s', async (url, everywhere) => {
    expect(await parseListenAddress(url)).toMatchObject({ everywhere });
  });

  test('is named as its caller has reached it', async () => {
    const rest = await startRest({ url: 'http://0.0.0.0:0/below', settingsView: (baseUrl) => ({ at: baseUrl }) });
    const { port } = new URL(rest.url);
    const seen = async (host: string): Promise<unknown> =>
      (JSON.parse((await exchange(rest.url, requestOf('GET', '/below/', { host }))).body) as { settings: object })
        .settings;
    expect(await seen('docs.example:8080')).toEqual({ at: 'http://docs.example:8080/below' });
    expect(await seen(`127.0.0.1:${port}`)).toEqual({ at: `http://127.0.0.1:${port}/below` });
    expect(await seen('[::1]')).toEqual({ at: 'http://[::1]/below' });
    // Nobody but the machine itself could use these.
    for (const host of ['0.0.0.0', '0', '[::]:80', 'exam ple', '256.1.1.1', `${'a'.repeat(300)}.b`]) {
      expect(await seen(host)).toEqual({ at: `http://127.0.0.1:${port}/below` });
    }
    await rest.close();
  });

  test('a service with an address of its own does not follow the header', async () => {
    const rest = await startRest({ settingsView: (baseUrl) => ({ at: baseUrl }) });
    const { body } = await exchange(rest.url, requestOf('GET', '/', { host: 'evil.example' }));
    expect(JSON.parse(body)).toMatchObject({ settings: { at: rest.url } });
    await rest.close();
  });
});

describe('before the search engine is connected', () => {
  /** A service whose engine is being connected until `settle` is called. */
  async function connecting(): Promise<{ rest: RestHarness; settle: (connected: boolean) => void }> {
    let state: EngineReadiness;
    let ended: () => void = () => undefined;
    state = { ready: false, message: 'not yet', connecting: new Promise((resolve) => (ended = resolve)) };
    const rest = await startRest({ engineReady: () => state });
    return {
      rest,
      settle(connected) {
        state = connected ? { ready: true } : { ready: false, message: 'the engine refused' };
        ended();
      },
    };
  }

  test('an upload, a delete and a search wait for the connection that is being made', async () => {
    const { rest, settle } = await connecting();
    const waiting = Promise.all([
      upload(rest.url, { content: 'x' }),
      call(`${rest.url}/_document?filename=y`, { method: 'DELETE' }),
      call(`${rest.url}/_search?q=x`),
      call(`${rest.url}/_engine/_count`),
    ]);
    await sleep(300);
    expect(rest.ingester.items).toHaveLength(0);
    settle(true);
    expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await rest.close();
  });

  test('a connection that fails is reported at once', async () => {
    const { rest, settle } = await connecting();
    const waiting = upload(rest.url, { content: 'x' });
    await sleep(100);
    settle(false);
    const answer = await waiting;
    expect(answer).toMatchObject({ status: 503, body: { ok: false, message: 'the engine refused' } });
    expect(answer.headers.get('retry-after')).toBe('5');
    await rest.close();
  });

  test('a connection that takes longer than five seconds is a 503', async () => {
    const { rest } = await connecting();
    const answer = await upload(rest.url, { content: 'x' });
    expect(answer).toMatchObject({ status: 503, body: { ok: false, message: 'not yet' } });
    expect(answer.headers.get('retry-after')).toBe('5');
    await rest.close();
  });
});
