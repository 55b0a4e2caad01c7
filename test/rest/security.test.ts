import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call, recordingLogger, startRest, upload } from './rest-harness.js';
import type { RestHarness } from './rest-harness.js';

/** A request with headers that fetch does not let one set. */
function ask(
  url: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on('error', reject);
    request.end();
  });
}

const MOZILLA = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const host = (rest: RestHarness): string => new URL(rest.url).host;
const port = (rest: RestHarness): string => new URL(rest.url).port;

describe('what a browser sends from another site', () => {
  let rest: RestHarness;

  beforeAll(async () => {
    rest = await startRest();
  });

  afterAll(() => rest.close());

  test.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['an origin that is hidden', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:3000' }],
    ['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
    ['a request of a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['a cross-site navigation', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ])('%s is refused', async (_name, headers) => {
    for (const [method, path] of [
      ['GET', '/'],
      ['POST', '/_crawler/pause'],
      ['DELETE', '/_document?filename=x'],
      ['GET', '/_engine/_search'],
    ]) {
      const answer = await ask(`${rest.url}${path ?? ''}`, headers, method);
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.body)).toMatchObject({
        ok: false,
        message: expect.stringContaining('rest.enable_cors'),
      });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  test.each([
    ['its own page', () => ({ origin: rest.url, 'sec-fetch-site': 'same-origin', 'user-agent': MOZILLA })],
    ['the address bar', () => ({ 'sec-fetch-site': 'none', 'user-agent': MOZILLA, 'accept-language': 'de' })],
    ['a script', () => ({ 'user-agent': 'curl/8.0' })],
    ['a script under a name of its own', () => ({ host: 'docs.intern:8080', 'user-agent': 'python-requests/2.32' })],
    [
      "Node's fetch under a name of its own",
      () => ({ host: 'docs.intern', 'accept-language': '*', 'sec-fetch-mode': 'cors' }),
    ],
    ['a browser under localhost', () => ({ host: `localhost:${port(rest)}`, 'user-agent': MOZILLA })],
    ['a browser under an address', () => ({ host: `[::1]:${port(rest)}`, 'user-agent': MOZILLA })],
  ])('%s is served', async (_name, headers) => {
    expect((await ask(`${rest.url}/`, headers())).status).toBe(200);
  });

  test.each([
    ['user-agent', MOZILLA],
    ['accept-language', 'en-US,en;q=0.5'],
    ['referer', 'http://evil.example:8080/'],
    ['sec-fetch-dest', 'empty'],
    ['origin', 'http://evil.example:8080'],
  ])('a host name that is unknown is refused when %s tells a browser', async (name, value) => {
    const answer = await ask(`${rest.url}/`, { host: 'evil.example:8080', [name]: value });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({
      ok: false,
      message: expect.stringContaining('rest.allowed_hosts'),
    });
  });

  test('rest.allowed_hosts names further hosts, also as origins behind a proxy', async () => {
    const known = await startRest({ allowedHosts: ['Docs.Intern'] });
    expect((await ask(`${known.url}/`, { host: 'docs.intern:8080', 'user-agent': MOZILLA })).status).toBe(200);
    expect(
      (await ask(`${known.url}/`, { host: host(known), origin: 'https://docs.intern', 'user-agent': MOZILLA })).status,
    ).toBe(200);
    expect((await ask(`${known.url}/`, { host: 'other.intern', 'user-agent': MOZILLA })).status).toBe(403);
    await known.close();
  });

  test('beyond loopback any host name is served, and other sites are refused still', async () => {
    const exposed = await startRest({ url: 'http://0.0.0.0:0' });
    const url = `http://127.0.0.1:${port(exposed)}`;
    expect((await ask(url, { host: 'docs.intern', 'user-agent': MOZILLA })).status).toBe(200);
    expect((await ask(url, { host: 'docs.intern', origin: 'http://docs.intern' })).status).toBe(200);
    expect((await ask(url, { host: 'docs.intern', origin: 'http://evil.example' })).status).toBe(403);
    await exposed.close();
  });
});

describe('the headers for browsers', () => {
  const HEADERS = {
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };

  test.each([
    ['GET', '/', 200],
    ['OPTIONS', '/_document', 200],
    ['GET', '/nothing', 404],
    ['POST', '/_document', 400],
    ['GET', '/_openapi.json', 200],
    ['GET', '/_engine/', 200],
  ])('are on %s %s', async (method, path, status) => {
    const rest = await startRest();
    const answer = await ask(`${rest.url}${path}`, {}, method);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(HEADERS);
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
    await rest.close();
  });

  test('are on a refusal, too', async () => {
    const rest = await startRest({ apiKeys: ['open sesame'] });
    const answer = await ask(`${rest.url}/`, {});
    expect(answer.status).toBe(401);
    expect(answer.headers).toMatchObject(HEADERS);
    await rest.close();
  });
});

describe('rest.enable_cors', () => {
  const HEADERS = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'origin, content-type, accept, authorization',
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS, HEAD',
  };
  const foreign = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site', 'user-agent': MOZILLA };

  test.each([
    ['GET', '/', 200],
    ['HEAD', '/', 200],
    ['OPTIONS', '/_document', 200],
    ['OPTIONS', '/anything', 200],
    ['GET', '/nothing', 404],
    ['PUT', '/', 405],
    ['POST', '/_document', 400],
    ['GET', '/_engine/', 200],
  ])('puts the four headers on %s %s', async (method, path, status) => {
    const rest = await startRest({ enableCors: true });
    const answer = await ask(`${rest.url}${path}`, foreign, method);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ ...HEADERS, 'cross-origin-resource-policy': 'cross-origin' });
    await rest.close();
  });

  test('is off by default', async () => {
    const rest = await startRest();
    const { headers } = await call(`${rest.url}/`);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    await rest.close();
  });
});

describe('rest.api_keys', () => {
  let rest: RestHarness;

  beforeAll(async () => {
    rest = await startRest({ apiKeys: ['first-key', 'second key with ü'] });
  });

  afterAll(() => rest.close());

  const basic = (user: string, key: string): string =>
    `Basic ${Buffer.from(`${user}:${key}`, 'utf8').toString('base64')}`;

  test.each([
    ['bearer', 'Bearer first-key'],
    ['bearer in other letters', 'bearer first-key'],
    ['basic', basic('anybody', 'first-key')],
    ['basic without a user', basic('', 'second key with ü')],
  ])('%s opens', async (_name, authorization) => {
    expect((await call(`${rest.url}/`, { headers: { authorization } })).status).toBe(200);
    expect((await upload(rest.url, { content: 'x', headers: { authorization } })).body['ok']).toBe(true);
  });

  test.each<[string, Record<string, string>]>([
    ['none', {}],
    ['a wrong one', { authorization: 'Bearer wrong' }],
    ['an empty one', { authorization: 'Bearer ' }],
    ['the beginning of one', { authorization: 'Bearer first' }],
    ['another scheme', { authorization: 'Digest first-key' }],
    ['a key as the user', { authorization: `Basic ${Buffer.from('first-key:').toString('base64')}` }],
  ])('%s is a 401 at every address', async (_name, headers) => {
    for (const path of ['/', '/_crawler/status', '/_search', '/_engine/', '/_openapi.json', '/nothing']) {
      const answer = await call(`${rest.url}${path}`, { headers });
      expect(answer).toMatchObject({ status: 401, body: { ok: false } });
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      expect(answer.text).not.toContain('first-key');
    }
  });

  test('a preflight needs none', async () => {
    expect((await call(`${rest.url}/_document`, { method: 'OPTIONS' })).status).toBe(200);
  });

  test('an empty key in the settings opens nothing', async () => {
    const careless = await startRest({ apiKeys: [''] });
    expect((await call(`${careless.url}/`, { headers: { authorization: basic('x', '') } })).status).toBe(401);
    await careless.close();
  });

  test.each([
    ['http://0.0.0.0:0', [], true],
    ['http://0.0.0.0:0', ['key'], false],
    ['http://127.0.0.1:0', [], false],
    ['http://localhost:0', [], false],
  ])('listening at %s with the keys %j warns: %s', async (url, keys, warns) => {
    const logger = recordingLogger();
    const service = await startRest({ url, apiKeys: keys, logger });
    expect(logger.lines.some(({ level, message }) => level === 'warn' && message.includes('rest.api_keys'))).toBe(
      warns,
    );
    await service.close();
  });
});

describe('the log', () => {
  test('holds neither the query nor the headers of a request', async () => {
    const logger = recordingLogger();
    const rest = await startRest({ logger });
    await upload(rest.url, { content: 'x', query: '?password=hunter2', headers: { password: 'hunter2' } });
    await call(`${rest.url}/_engine/x?password=hunter2`);
    expect(logger.lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(logger.lines)).not.toContain('hunter2');
    await rest.close();
  });

  test('holds the cause of an unexpected fault, the answer does not', async () => {
    const logger = recordingLogger();
    const rest = await startRest({
      logger,
      settingsView: () => {
        throw new Error('secret detail at /etc/crawler');
      },
    });
    const { status, body } = await call(`${rest.url}/`);
    expect([status, body]).toEqual([
      500,
      { ok: false, message: 'The service failed on this request. Its log says why.' },
    ]);
    expect(logger.lines.map(({ fields }) => fields)).toContainEqual(
      expect.objectContaining({ reason: 'secret detail at /etc/crawler' }),
    );
    await rest.close();
  });
});
