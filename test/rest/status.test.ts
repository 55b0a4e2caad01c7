import { afterEach, describe, expect, test } from '@jest/globals';
import { call, startRest } from './rest-harness.js';
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

  test.each(['/_upload', '/fscrawler/'])('without rest.legacy there is nothing at %s', async (path) => {
    const rest = await startRest();
    expect(await call(`${rest.url}${path}`, { method: 'POST' })).toMatchObject({ status: 404, body: { ok: false } });
    await rest.close();
  });
});
