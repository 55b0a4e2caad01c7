import { afterEach, describe, expect, test } from '@jest/globals';
import { Sessions } from '../../src/rest/access/sessions.js';
import { call, startRest, type Answer, type RestHarness } from './rest-harness.js';

const KEYS = { apiKeys: ['full key'], readKeys: ['read key'] };
const started: RestHarness[] = [];

async function service(overrides: Parameters<typeof startRest>[0] = {}): Promise<RestHarness> {
  const rest = await startRest({ ...KEYS, ...overrides });
  rest.crawler.become({ state: 'RUNNING' });
  started.push(rest);
  return rest;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((rest) => rest.close()));
});

/** What a page of the service sends with everything that it asks. */
function page(rest: RestHarness, cookie?: string): Record<string, string> {
  const { origin } = new URL(rest.url);
  return {
    'x-crawler-page': '1',
    'sec-fetch-site': 'same-origin',
    origin,
    ...(cookie === undefined ? {} : { cookie }),
  };
}

function signIn(rest: RestHarness, key: unknown, headers = page(rest)): Promise<Answer> {
  return call(`${rest.url}/_session`, { method: 'POST', headers, body: JSON.stringify({ key }) });
}

async function cookieOf(rest: RestHarness, key: string): Promise<string> {
  const { headers } = await signIn(rest, key);
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

describe('signing in', () => {
  test('a key opens a session, which lasts until somebody signs out', async () => {
    const rest = await service();
    const { status, body, headers } = await signIn(rest, 'full key');
    expect([status, body]).toEqual([200, { ok: true, role: 'full' }]);
    const { port } = new URL(rest.url);
    expect(headers.get('set-cookie')).toMatch(
      new RegExp(`^crawler_${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await call(`${rest.url}/_crawler/status`, { headers: { cookie } })).status).toBe(200);
    expect((await call(`${rest.url}/_session`, { headers: page(rest, cookie) })).body).toEqual({
      crawl: true,
      engine: { type: 'embedded', up: true },
      exposed: false,
      job: 'job',
      keys: true,
      max_upload_size: null,
      ok: true,
      originals: false,
      role: 'full',
      ui: 'on',
      version: '1.2.3',
    });
    const out = await call(`${rest.url}/_session`, { method: 'DELETE', headers: page(rest, cookie) });
    expect(out.headers.get('set-cookie')).toMatch(/^crawler_\d+=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/);
    expect((await call(`${rest.url}/_crawler/status`, { headers: { cookie } })).status).toBe(401);
  });

  test('the cookie is for the path of the service, and for TLS where the browser uses it', async () => {
    const rest = await service({ url: 'http://127.0.0.1:0/docs', allowedHosts: ['docs.example.com'] });
    const headers = { ...page(rest), origin: 'https://docs.example.com' };
    expect((await signIn(rest, 'full key', headers)).headers.get('set-cookie')).toMatch(
      /; Path=\/docs\/; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  test('somebody without a role learns that keys are asked for, and no more', async () => {
    const rest = await service();
    expect((await call(`${rest.url}/_session`)).body).toEqual({ keys: true, ok: true, role: 'none' });
    const open = await service({ apiKeys: [], readKeys: [] });
    expect((await call(`${open.url}/_session`)).body).toMatchObject({ keys: false, role: 'full', job: 'job' });
  });

  test.each([['wrong'], ['full ke'], ['']])('the key %j does not open', async (key) => {
    const rest = await service();
    const { status, headers, text } = await signIn(rest, key);
    expect(status).toBe(key === '' ? 400 : 401);
    expect(headers.get('set-cookie')).toBeNull();
    // Or the browser shows a form of its own.
    expect(headers.get('www-authenticate') ?? '').not.toContain('Basic');
    expect(text).not.toContain('full key');
  });

  test('after ten wrong keys nobody signs in for a minute', async () => {
    const rest = await service();
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await signIn(rest, 'wrong')).status));
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 401));
    const next = await signIn(rest, 'full key');
    expect([next.status, next.headers.get('retry-after')]).toEqual([429, '60']);
    // Scripts with a key are not shut out by whoever guesses.
    expect((await call(`${rest.url}/`, { headers: { authorization: 'Bearer full key' } })).status).toBe(200);
  });

  test('another service does not know the session', async () => {
    const [one, other] = [await service(), await service()];
    const cookie = await cookieOf(one, 'full key');
    expect((await call(`${other.url}/`, { headers: { cookie } })).status).toBe(401);
    const both = `${cookie}; ${await cookieOf(other, 'read key')}`;
    expect((await call(`${one.url}/_session`, { headers: { cookie: both } })).body['role']).toBe('full');
    expect((await call(`${other.url}/_session`, { headers: { cookie: both } })).body['role']).toBe('read');
  });

  test('the pages are served without a key, what they ask for is not', async () => {
    const rest = await service();
    const browser = { accept: 'text/html' };
    expect((await call(`${rest.url}/`, { headers: browser, redirect: 'manual' })).status).toBe(303);
    expect((await call(`${rest.url}/ui/`)).text).toContain('<html');
    const refused = await call(`${rest.url}/_find?q=x`, { headers: page(rest) });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="crawler"']);
  });
});

describe('a session counts for the page alone', () => {
  test.each([
    ['a form of the page without its header', { 'sec-fetch-site': 'same-origin' }],
    ['a script without an origin', { 'x-crawler-page': '1' }],
  ])('%s changes nothing', async (_who, headers) => {
    const rest = await service();
    const cookie = await cookieOf(rest, 'full key');
    const { status } = await call(`${rest.url}/_crawler/pause`, { method: 'POST', headers: { ...headers, cookie } });
    expect(status).toBe(401);
    expect(rest.crawler.status().state).toBe('RUNNING');
    const own = await call(`${rest.url}/_crawler/pause`, { method: 'POST', headers: page(rest, cookie) });
    expect(own.status).toBe(200);
  });

  test.each([
    ['cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['same-site', { 'sec-fetch-site': 'same-site' }],
    ['by its origin', { origin: 'https://evil.example', 'x-crawler-page': '1' }],
  ])('no other site reads with it, also with rest.enable_cors: %s', async (_how, headers: Record<string, string>) => {
    for (const [enableCors, status] of [
      [false, 403],
      [true, 401],
    ] as const) {
      const rest = await service({ enableCors });
      const cookie = await cookieOf(rest, 'full key');
      expect((await call(`${rest.url}/_find?q=x`, { headers: { ...headers, cookie } })).status).toBe(status);
    }
  });

  test('another site does not sign its visitor in', async () => {
    const rest = await service({ enableCors: true });
    const headers = { origin: 'https://evil.example' };
    const { status, headers: answer } = await signIn(rest, 'full key', headers);
    expect([status, answer.get('set-cookie')]).toEqual([403, null]);
    const preflight = await call(`${rest.url}/_session`, { method: 'OPTIONS', headers });
    expect(preflight.headers.get('access-control-allow-headers')).not.toContain('x-crawler-page');
  });

  test('a wrong key beside it is a wrong key', async () => {
    const rest = await service();
    const cookie = await cookieOf(rest, 'full key');
    const headers = { cookie, authorization: 'Bearer wrong' };
    expect((await call(`${rest.url}/_crawler/status`, { headers })).status).toBe(401);
  });
});

describe('rest.read_keys', () => {
  const headers = { authorization: 'Bearer read key' };

  test.each(['/_search?q=x', '/_find?q=x', '/_crawler/status', '/_health', '/_metrics', '/_openapi.json', '/_engine/'])(
    'a reader may read %s',
    async (path) => {
      const rest = await service();
      expect((await call(`${rest.url}${path}`, { headers })).status).toBe(200);
    },
  );

  test('a reader searches as clients of Elasticsearch do', async () => {
    const rest = await service({ url: 'http://127.0.0.1:0/docs' });
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' };
    const { body } = await call(`${rest.url}/_engine/job_docs/_count`, init);
    // The engine has answered: nothing has been indexed yet.
    expect(body).toMatchObject({ error: { type: 'index_not_found_exception' } });
  });

  test.each([
    ['GET', '/'],
    ['POST', '/_document'],
    ['PUT', '/_document/x'],
    ['DELETE', '/_document/x'],
    ['POST', '/_crawler/pause'],
    ['POST', '/_crawler/resume'],
    ['POST', '/_crawler/approve'],
    ['POST', '/_crawler/acknowledge'],
    ['DELETE', '/_crawler/checkpoint'],
    ['POST', '/fscrawler/_upload'],
    ['GET', '/nothing'],
  ])('a reader may not %s %s', async (method, path) => {
    const rest = await service({ legacy: true });
    const { status, body } = await call(`${rest.url}${path}`, { method, headers });
    expect([status, body['message']]).toEqual([403, 'A read key does not allow this. Use one of rest.api_keys.']);
    expect(rest.crawler.status().state).toBe('RUNNING');
    const cookie = await cookieOf(rest, 'read key');
    expect((await call(`${rest.url}${path}`, { method, headers: page(rest, cookie) })).status).toBe(403);
  });

  test('without rest.api_keys nobody changes anything', async () => {
    const rest = await service({ apiKeys: [] });
    expect((await call(`${rest.url}/_crawler/pause`, { method: 'POST' })).status).toBe(401);
    expect((await call(`${rest.url}/_crawler/pause`, { method: 'POST', headers })).status).toBe(403);
  });
});

describe('sessions', () => {
  const HOUR = 60 * 60_000;
  let time = 0;
  const clock = { now: () => time, sleep: () => Promise.resolve() };

  test('end after twelve hours', () => {
    const sessions = new Sessions(clock);
    const token = sessions.open('read');
    time += 12 * HOUR - 1;
    expect(sessions.roleOf(token)).toBe('read');
    time += 1;
    expect(sessions.roleOf(token)).toBeUndefined();
  });

  test('the oldest ends for the thousand and first', () => {
    const sessions = new Sessions(clock);
    const tokens = Array.from({ length: 1001 }, () => sessions.open('full'));
    expect(tokens.map((token) => sessions.roleOf(token)).indexOf('full')).toBe(1);
    expect(new Set(tokens).size).toBe(1001);
  });

  test('wrong keys are forgotten after a minute', () => {
    const sessions = new Sessions(clock);
    for (let at = 0; at < 10; at += 1) sessions.noteFailure();
    expect(sessions.isGuessed).toBe(true);
    time += 60_000;
    expect(sessions.isGuessed).toBe(false);
  });
});
