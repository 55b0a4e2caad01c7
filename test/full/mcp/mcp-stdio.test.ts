import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client, Transport } from '@modelcontextprotocol/client';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/client';
import { runCrawler, startCrawler, type RunningCrawler } from '../../support/crawler-process.js';
import { callTool, clientOf, eras, revisions } from '../../mcp/mcp-harness.js';

/** `crawler mcp` as a client starts it: the real program over its standard input and output. */
let folder: string;
let docs: string;
let common: readonly string[];
const started: RunningCrawler[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crawler-mcp-'));
  docs = join(folder, 'docs');
  mkdirSync(join(docs, 'logs'), { recursive: true });
  writeFileSync(join(docs, 'logs', 'keeper.txt'), 'The lighthouse keeper wrote.');
  writeFileSync(join(docs, '~draft.txt'), 'A draft of the keeper.');
  common = [docs, '--config_dir', join(folder, 'config')];
});
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.splice(0).map(({ finished }) => finished));
  rmSync(folder, { recursive: true });
});

function start(args: readonly string[], stdin: 'ignore' | 'pipe' = 'ignore'): RunningCrawler {
  const running = startCrawler(args, { stdio: [stdin, 'pipe', 'pipe'] });
  started.push(running);
  return running;
}

async function crawl(): Promise<void> {
  const { code, stderr } = await runCrawler([...common, '--loop', '1']);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
}

function serve(more: readonly string[] = []): RunningCrawler {
  return start(['mcp', ...common, ...more], 'pipe');
}

async function connect(era: (typeof eras)[number], server: RunningCrawler): Promise<Client> {
  const client = clientOf(era);
  await client.connect(transportTo(server));
  return client;
}

/** The official transport starts the program itself; here its output is looked at, too. */
function transportTo({ child }: RunningCrawler): Transport {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: (message) =>
      new Promise((resolve) => {
        child.stdin?.write(serializeMessage(message), () => resolve());
      }),
    close: () => Promise.resolve(child.stdin?.end()).then(() => transport.onclose?.()),
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    buffer.append(chunk);
    for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) {
      transport.onmessage?.(message);
    }
  });
  return transport;
}

/** Every line is a message of the protocol. */
function expectOnlyMessages(stdout: string): void {
  const lines = stdout.split('\n').filter((line) => line !== '');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
}

const filesOf = (value: Record<string, unknown>): unknown => value['files'];

describe.each(eras)('a client of %s', (era) => {
  test('searches, reads and learns why, and the server ends with its input', async () => {
    await crawl();
    const server = serve();
    const client = await connect(era, server);
    expect(client.getNegotiatedProtocolVersion()).toBe(revisions[era]);
    const { value } = await callTool(client, 'search', { query: 'keeper' });
    const [hit] = value['results'] as { id: string; url: string }[];
    expect([value['total'], hit?.url]).toEqual([1, `file://${docs}/logs/keeper.txt`]);
    const read = await callTool(client, 'fetch', { id: hit?.id });
    expect(read.value['text']).toContain('The lighthouse keeper wrote.');
    expect((await callTool(client, 'list_folder')).value).toMatchObject({
      folders: [{ path: '/logs', documents: 1 }],
      documents: [],
    });
    expect((await callTool(client, 'list_folder', { folder: '/logs' })).value).toMatchObject({
      documents: [{ id: hit?.id, title: 'keeper.txt' }],
    });
    const leftOut = { standing: 'left_out', reason: 'excluded', rule: expect.stringContaining('~'), origin: 'default' };
    expect(filesOf((await callTool(client, 'why_not_found', { path: '/~draft.txt' })).value)).toMatchObject([leftOut]);
    expect(filesOf((await callTool(client, 'why_not_found', { name: 'DRAFT' })).value)).toMatchObject([
      { path: `${docs}/~draft.txt`, standing: 'left_out' },
    ]);
    expect(filesOf((await callTool(client, 'why_not_found', { path: '../config' })).value)).toMatchObject([
      { path: '../config', standing: 'outside', sentence: 'It is not below the root of the documents.' },
    ]);
    expect((await callTool(client, 'index_status')).value).toMatchObject({
      state: 'COMPLETED',
      indexed: 1,
      documents: 1,
      left_out: 1,
    });
    await client.close();
    const { code, stdout, stderr } = await server.finished;
    expect([code, stderr]).toEqual([0, 'The MCP server of the job [docs] is ready.\n']);
    expectOnlyMessages(stdout);
  });

  test('is told what to do before the first crawl, and finds what was crawled since', async () => {
    const client = await connect(era, serve());
    const before = await callTool(client, 'search', { query: 'keeper' });
    expect([before.isError, before.text]).toEqual([true, expect.stringContaining('Nothing has been indexed yet')]);
    expect((await callTool(client, 'index_status')).value).toMatchObject({ state: 'NEVER_RAN', engine: null });
    await crawl();
    expect((await callTool(client, 'search', { query: 'keeper' })).value['total']).toBe(1);
    await client.close();
  });

  test('finds what a crawler beside it has just indexed, also in an index that was replaced', async () => {
    await crawl();
    const client = await connect(era, serve());
    expect((await callTool(client, 'search', { query: 'keeper' })).value['total']).toBe(1);
    writeFileSync(join(docs, 'more.txt'), 'Another keeper.');
    await crawl();
    expect((await callTool(client, 'search', { query: 'keeper' })).value['total']).toBe(2);
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, 'config', 'docs', `index.db${end}`), { force: true });
    rmSync(join(docs, 'more.txt'));
    await crawl();
    expect((await callTool(client, 'search', { query: 'keeper' })).value['total']).toBe(1);
    await client.close();
  });

  test('is told that the engine is away, and gets nothing but messages', async () => {
    const server = serve(['--set', 'engine.urls=http://127.0.0.1:9', '--set', 'engine.provider=elasticsearch']);
    const client = await connect(era, server);
    const { isError, text } = await callTool(client, 'search', { query: 'keeper' });
    expect([isError, text]).toEqual([true, 'The search engine does not answer at the moment. Try again later.']);
    await client.close();
    expectOnlyMessages((await server.finished).stdout);
  });
});

test('a signal ends it', async () => {
  await crawl();
  const server = serve();
  const client = await connect('auto', server);
  await callTool(client, 'search', { query: 'keeper' });
  server.child.kill('SIGTERM');
  expect((await server.finished).code).toBe(0);
});

test('a job that does not exist is an error before anything is served', async () => {
  const { code, stdout, stderr } = await runCrawler(['mcp', 'nobody', '--config_dir', join(folder, 'config')]);
  expect([code === 0, stdout, stderr]).toEqual([false, '', expect.stringContaining('There is no job [nobody]')]);
});

test.each([
  ['claude-desktop', 'mcpServers'],
  ['cursor', 'mcpServers'],
  ['vscode', 'servers'],
])('the configuration for %s starts the server', async (client, member) => {
  const { code, stdout } = await runCrawler(['mcp', ...common, '--print-config', client]);
  const config = JSON.parse(stdout.replace(/^\/\/.*\n/, '')) as Record<
    string,
    Record<string, { command: string; args: string[] }>
  >;
  expect([code, Object.keys(config)]).toEqual([0, [member]]);
  const { command, args } = config[member]?.['docs'] ?? { command: '', args: [] };
  expect(command).toBe(process.execPath);
  expect(args.slice(1)).toEqual(['mcp', docs, '--config_dir', join(folder, 'config')]);
});

test('for clients with a command line the command is printed', async () => {
  const printed = async (client: string): Promise<string> =>
    (await runCrawler(['mcp', ...common, '--print-config', client])).stdout;
  expect(await printed('claude-code')).toMatch(/^claude mcp add docs -- \S+ \S+ mcp \S+ --config_dir \S+\n$/);
  expect(await printed('http')).toBe(
    'claude mcp add --transport http docs http://127.0.0.1:8080/mcp --header "Authorization: Bearer $CRAWLER_API_KEY"\n',
  );
  expect(await printed('other')).toMatch(/^\S+ \S+ mcp \S+ --config_dir \S+\n$/);
});
