import { afterEach, describe, expect, test } from '@jest/globals';
import { CallLimits } from '../../src/mcp/call-limits.js';
import { exchange, type RawAnswer } from '../rest/raw-http.js';
import { call } from '../rest/rest-harness.js';
import { callTool, eras, startMcp, type McpHarness, type McpOverrides } from './mcp-harness.js';

/** `POST /mcp`: who may call it, and what it bounds. */
let api: McpHarness;
afterEach(() => api.close());

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

async function start(overrides: McpOverrides = {}): Promise<McpHarness> {
  api = await startMcp(overrides);
  return api;
}

function headersOf(more: Record<string, string> = {}): Record<string, string> {
  return { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more };
}

function post(headers: Record<string, string> = {}, body = LIST): ReturnType<typeof call> {
  return call(`${api.rest.url}/mcp`, { method: 'POST', headers: headersOf(headers), body });
}

/** Fetch sets host and origin itself. */
function raw(headers: Record<string, string>): Promise<RawAnswer> {
  const all = { host: new URL(api.rest.url).host, ...headersOf(), 'content-length': String(LIST.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return exchange(api.rest.url, `POST /mcp HTTP/1.1\r\n${lines.join('')}connection: close\r\n\r\n${LIST}`);
}

describe.each([false, true])('with rest.enable_cors %s', (enableCors) => {
  const rest = { enableCors, allowedHosts: ['search.example.com'] };

  test.each([
    [{ origin: 'http://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ host: 'evil.example' }],
    [{ host: 'evil.example', origin: 'http://evil.example' }],
  ])('a page of another site and a rebound host are refused: %j', async (headers) => {
    await start({ rest });
    expect(await raw(headers)).toMatchObject({ status: 403 });
  });

  test.each([[{}], [{ host: 'localhost' }], [{ host: 'search.example.com', origin: 'https://search.example.com' }]])(
    'those that are known are answered: %j',
    async (headers) => {
      await start({ rest });
      expect(await raw(headers)).toMatchObject({ status: 200, body: expect.stringContaining('list_folder') });
    },
  );
});

test('a reader has every tool but the one that adds', async () => {
  await start({
    rest: { apiKeys: ['sesame'], readKeys: ['reader'] },
    context: { add: () => Promise.reject(new Error('unreachable')) },
  });
  expect((await post({ authorization: 'Bearer sesame' })).text).toContain('add_document');
  const { status, text } = await post({ authorization: 'Bearer reader' });
  expect([status, text]).toEqual([200, expect.stringContaining('index_status')]);
  expect(text).not.toContain('add_document');
});

test('a key is needed where there are keys', async () => {
  await start({ rest: { apiKeys: ['sesame'] } });
  expect((await post()).status).toBe(401);
  expect((await post({ authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await post({ authorization: 'Bearer sesame' })).status).toBe(200);
  const client = await api.connect('auto', { authorization: 'Bearer sesame' });
  expect((await client.listTools()).tools).toHaveLength(5);
});

test.each(['GET', 'DELETE', 'PUT'])('%s is not allowed: there are no sessions', async (method) => {
  await start();
  const { status, headers } = await call(`${api.rest.url}/mcp`, { method });
  expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});

test('a message has 1 MB at most, and is JSON', async () => {
  await start();
  expect(
    (await post({}, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', x: 'x'.repeat(1_100_000) }))).status,
  ).toBe(413);
  expect((await post({}, '{"jsonrpc":')).status).toBe(400);
  expect((await post({ 'content-type': 'text/plain' })).status).toBe(415);
});

test('a notification is taken without an answer', async () => {
  await start();
  const { status, text } = await post({}, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  expect([status, text]).toEqual([202, '']);
});

test('without a server there is nothing at the address', async () => {
  await start({ rest: { mcp: undefined } });
  expect((await post()).status).toBe(404);
});

test('no stream is kept open for changes of lists that never change', async () => {
  await start();
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { notifications: { toolsListChanged: true }, _meta: meta };
  const listen = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'subscriptions/listen', params });
  const { text } = await post({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }, listen);
  expect(text).toContain('"error"');
});

describe.each(eras)('a client of %s', (era) => {
  test('adds a document only where that is allowed', async () => {
    const added: object[] = [];
    await start({
      context: {
        add: (source) => {
          added.push(source);
          return Promise.resolve({ ok: true, id: 'x', warning: null });
        },
      },
    });
    const client = await api.connect(era);
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'add_document');
    expect(tool?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    });
    expect((await callTool(client, 'add_document', { path: '/a.txt' })).value).toEqual({
      ok: true,
      id: 'x',
      warning: null,
    });
    expect((await callTool(client, 'add_document', { url: 'file:///etc/passwd' })).isError).toBe(true);
    expect((await callTool(client, 'add_document', { path: 'a', url: 'http://a' })).isError).toBe(true);
    expect(added).toEqual([{ path: '/a.txt' }]);
  });

  test('gets 30 calls at once answered, or is told to wait', async () => {
    await start();
    await api.write({ d1: { content: 'harbour' } });
    const client = await api.connect(era);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => callTool(client, 'search', { query: 'harbour' })),
    );
    const refused = answers.filter(({ isError }) => isError);
    expect(refused.every(({ text }) => text.startsWith('The server is busy'))).toBe(true);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(18);
    expect((await callTool(client, 'search', { query: 'harbour' })).value['total']).toBe(1);
  });

  test('cancels a call, which then ends', async () => {
    let ended = (): void => undefined;
    const aborted = new Promise<void>((resolve) => (ended = resolve));
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    await start({
      context: {
        status: hanging(
          () => begun(),
          () => ended(),
        ),
      },
    });
    const client = await api.connect(era);
    const cancel = new AbortController();
    const called = client.callTool({ name: 'index_status', arguments: {} }, { signal: cancel.signal });
    await isBegun;
    cancel.abort();
    await expect(called).rejects.toThrow();
    // A client of the older revisions tells it with a message of its own, which a server without sessions cannot relate.
    if (era === 'auto') await aborted;
    else await api.rest.service.stop(0);
    await aborted;
  });

  test('is told when a call takes too long', async () => {
    await start({
      limits: new CallLimits({ callMs: 50 }),
      context: {
        status: hanging(
          () => undefined,
          () => undefined,
        ),
      },
    });
    const answer = await callTool(await api.connect(era), 'index_status');
    expect([answer.isError, answer.text]).toEqual([true, expect.stringContaining('given up after 0.05 s')]);
  });

  test('does not hold up the stop of the service', async () => {
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    await start({
      context: {
        status: hanging(
          () => begun(),
          () => undefined,
        ),
      },
    });
    const client = await api.connect(era);
    const called = client.callTool({ name: 'index_status', arguments: {} }).then(
      ({ isError }) => isError,
      () => true,
    );
    await isBegun;
    await api.rest.service.stop(0);
    await client.close();
    expect(await called).toBe(true);
  });
});

/** Work that ends when it is aborted. */
function hanging(begun: () => void, ended: () => void): (signal: AbortSignal) => Promise<never> {
  return async (signal) => {
    begun();
    return await new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        ended();
        reject(new Error('aborted'));
      });
    });
  };
}
