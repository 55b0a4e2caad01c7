import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call, startRest, type RestHarness } from './rest-harness.js';

/** The files of the search page, and how a browser gets to them. */
let rest: RestHarness;
let below: RestHarness;

beforeAll(async () => {
  rest = await startRest();
  below = await startRest({ url: 'http://127.0.0.1:0/crawler', legacy: true });
});
afterAll(() => Promise.all([rest.close(), below.close()]));

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

interface Raw {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Without following redirects, and with the headers that only a browser may set. */
function ask(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve({ status: response.statusCode, headers: response.headers }));
    });
    asked.once('error', reject);
    asked.end();
  });
}

describe('GET /', () => {
  test.each([
    ['/', './ui/'],
    ['/?x=1', './ui/'],
  ])('leads a browser from %s to the page', async (path, location) => {
    const { status, headers } = await ask(`${rest.url}${path}`, { accept: BROWSER });
    expect([status, headers['location'], headers['vary']]).toEqual([303, location, 'Accept']);
  });

  test('leads to the page below the path of the service', async () => {
    expect((await ask(below.url, { accept: BROWSER })).headers['location']).toBe('crawler/ui/');
    expect((await ask(`${below.url}/`, { accept: BROWSER })).headers['location']).toBe('./ui/');
    const legacy = below.url.replace('/crawler', '/fscrawler');
    expect((await ask(legacy, { accept: BROWSER })).headers['location']).toBe('fscrawler/ui/');
  });

  test.each([undefined, '*/*', 'application/json', 'application/json, text/plain, */*', 'text/plain'])(
    'is the status for a program that accepts %s',
    async (accept) => {
      const { status, headers } = await ask(rest.url, accept === undefined ? {} : { accept });
      expect([status, headers['content-type'], headers['vary']]).toEqual([200, 'application/json', undefined]);
    },
  );
});

describe('the page', () => {
  const files = readdirSync('dist/web');
  const file = (end: string): string => `${rest.url}/ui/${files.find((name) => name.endsWith(end))}`;

  test('comes with a policy that lets nothing else in', async () => {
    for (const url of [`${rest.url}/ui/`, file('.js'), file('.css'), file('.svg')]) {
      const { status, headers } = await ask(url);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'same-origin',
      });
      const policy = Object.fromEntries(
        String(headers['content-security-policy'])
          .split('; ')
          .map((rule) => rule.split(/ (.*)/)),
      ) as Record<string, string>;
      expect(policy).toEqual({
        'default-src': "'none'",
        'script-src': "'self'",
        'style-src': "'self'",
        'img-src': "'self'",
        'connect-src': "'self'",
        'base-uri': "'none'",
        'form-action': "'none'",
        'frame-ancestors': "'none'",
        'require-trusted-types-for': "'script'",
        'trusted-types': "'none'",
      });
    }
  });

  test.each([
    ['', 'operator'],
    ['operator', 'search'],
  ])('ui/%s holds no script and no style of its own, and names only its files', async (page, other) => {
    const { status, text } = await call(`${rest.url}/ui/${page}`);
    expect(status).toBe(200);
    expect(text).not.toMatch(/<style|<script>|\sstyle=|\son\w+=|https?:|data:/);
    const named = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, name]) => name ?? '');
    const own = files.filter((name) => !name.endsWith('.html') && !name.startsWith(other));
    expect(named.sort()).toEqual(own.sort());
  });

  test('its files may be kept for good, and itself is asked for again', async () => {
    expect((await ask(file('.js'))).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    for (const page of ['', 'operator'])
      expect((await ask(`${rest.url}/ui/${page}`)).headers['cache-control']).toBe('no-cache');
  });

  test.each([
    ['search page, scripts', 25_000, /^(?:search|shared)-.*\.js$/],
    ["operator's page, scripts", 30_000, /^(?:operator|shared)-.*\.js$/],
    ['style', 7000, /\.css$/],
    ['search page itself', 2000, /^index\.html$/],
    ["operator's page itself", 2000, /^operator\.html$/],
  ])('the %s fit into %i bytes when they are compressed', (_, most, names) => {
    const bytes = files
      .filter((name) => names.test(name))
      .map((name) => gzipSync(readFileSync(`dist/web/${name}`), { level: 9 }).length);
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(most);
  });

  test('needs its slash', async () => {
    const { status, headers } = await ask(`${rest.url}/ui?q=fog`);
    expect([status, headers['location']]).toEqual([303, 'ui/?q=fog']);
  });

  test('is there below the path of the service', async () => {
    expect((await ask(`${below.url}/ui/`)).status).toBe(200);
  });

  test.each(['/ui/nothing', '/ui/../package.json', '/ui/%2e%2e/%2e%2e/package.json', '/ui/.tsbuildinfo'])(
    'serves nothing at %s',
    async (path) => {
      const { status } = await ask(`${rest.url}${path}`);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    },
  );

  test('takes nothing', async () => {
    expect(await ask(`${rest.url}/ui/`, {}, 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});

describe('from another site', () => {
  const CROSS = { 'sec-fetch-site': 'cross-site', accept: BROWSER };
  const LINK = { ...CROSS, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

  test.each(['/', '/ui/', '/ui/?q=fog'])('a link may lead to %s', async (path) => {
    expect((await ask(`${rest.url}${path}`, LINK)).status).toBeLessThan(400);
  });

  test.each<[string, string, Record<string, string>, string]>([
    ['a frame', '/ui/', { ...LINK, 'sec-fetch-dest': 'iframe' }, 'GET'],
    ['a script of the page', '/ui/', { ...CROSS, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }, 'GET'],
    ['a form', '/ui/', LINK, 'POST'],
    ['a link to data', '/_find', LINK, 'GET'],
    ['a link to a file', '/_document/x/original', LINK, 'GET'],
    ['a link to the status', '/', { ...LINK, accept: 'application/json' }, 'GET'],
    ['a link to what only begins so', '/uix', LINK, 'GET'],
  ])('%s is refused', async (_what, path, headers, method) => {
    expect((await ask(`${rest.url}${path}`, headers, method)).status).toBe(403);
  });

  test('a strange host name is refused, whatever is asked for', async () => {
    expect((await ask(`${rest.url}/ui/`, { ...LINK, host: 'rebound.example' })).status).toBe(403);
  });
});

test('with keys, the page is there to sign in, and nothing else without one', async () => {
  const locked = await startRest({ apiKeys: ['k'] });
  expect((await ask(`${locked.url}/ui/`)).status).toBe(200);
  expect((await ask(`${locked.url}/_find?q=x`)).status).toBe(401);
  await locked.close();
});

test('rest.ui decides which pages there are', async () => {
  const search = await startRest({ ui: 'search' });
  expect((await ask(`${search.url}/ui/`)).status).toBe(200);
  for (const path of ['operator', 'operator.html']) expect((await ask(`${search.url}/ui/${path}`)).status).toBe(404);
  expect((await ask(`${rest.url}/ui/operator`)).status).toBe(200);
  await search.close();
  const off = await startRest({ ui: 'off' });
  expect((await ask(`${off.url}/ui/`)).status).toBe(404);
  expect((await ask(off.url, { accept: BROWSER })).status).toBe(200);
  await off.close();
  // What leads to no page is the status, which is not for everybody.
  const locked = await startRest({ ui: 'off', apiKeys: ['k'] });
  expect((await ask(locked.url, { accept: BROWSER })).status).toBe(401);
  expect((await ask(`${locked.url}/ui/`, { accept: BROWSER })).status).toBe(401);
  await locked.close();
});
