import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PROGRAM, runCrawler, startCrawler, type RunningCrawler } from '../../support/crawler-process.js';
import { callTool, clientOf } from '../../mcp/mcp-harness.js';

/** `crawler mcp --crawl` and `--allow-add`: the job runs in the process of the server. */
let folder: string;
let docs: string;
let common: readonly string[];
let clients: Client[];
let crawlers: RunningCrawler[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crawler-mcp-own-'));
  docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'keeper.txt'), 'The lighthouse keeper wrote.');
  common = [docs, '--config_dir', join(folder, 'config')];
  [clients, crawlers] = [[], []];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  for (const { child } of crawlers) child.kill('SIGKILL');
  await Promise.all(crawlers.map(({ finished }) => finished));
  rmSync(folder, { recursive: true, force: true });
});

interface Served {
  readonly client: Client;
  /** What the server has written to standard error so far. */
  readonly errors: () => string;
}

async function serve(...options: readonly string[]): Promise<Served> {
  const args = [PROGRAM, 'mcp', ...common, ...options];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  let errors = '';
  transport.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const client = clientOf('auto');
  clients.push(client);
  await client.connect(transport);
  return { client, errors: () => errors };
}

async function untilFound(client: Client, query: string, total: number): Promise<void> {
  for (;;) {
    const { value, isError } = await callTool(client, 'search', { query });
    if (!isError && value['total'] === total) return;
    // Fewer calls than a minute allows.
    await delay(600);
  }
}

async function toolsOf(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

describe('--crawl', () => {
  test('indexes a folder that was never crawled, follows its changes, and leaves the job behind', async () => {
    const { client, errors } = await serve('--crawl');
    await untilFound(client, 'keeper', 1);
    writeFileSync(join(docs, 'more.txt'), 'Another keeper.');
    await untilFound(client, 'keeper', 2);
    expect(await toolsOf(client)).not.toContain('add_document');
    await client.close();
    expect(errors()).toBe('The MCP server of the job [docs] is ready.\n');
    expect(readdirSync(join(folder, 'config', 'logs')).some((name) => name.startsWith('crawler-'))).toBe(true);
    expect(existsSync(join(folder, 'config', 'docs', '_settings.yaml'))).toBe(true);
    const { code, stdout } = await runCrawler([...common, '--loop', '1']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 documents')]);
  });

  test('leaves a job to the crawler that has it, and reads', async () => {
    const crawler = startCrawler([...common]);
    crawlers.push(crawler);
    await crawler.printed('indexed [');
    const { client, errors } = await serve('--crawl', '--allow-add');
    await untilFound(client, 'keeper', 1);
    const { isError, text } = await callTool(client, 'add_document', { path: 'keeper.txt' });
    expect([isError, text]).toEqual([true, expect.stringContaining('Documents cannot be added here')]);
    expect(errors()).toContain('Another crawler is running the job [docs]. This server only reads.');
  });
});

test('--allow-add takes files of the tree, and nothing from elsewhere', async () => {
  const { client } = await serve('--allow-add');
  expect(await toolsOf(client)).toContain('add_document');
  const added = await callTool(client, 'add_document', { path: 'keeper.txt' });
  expect(added.value).toMatchObject({ ok: true, warning: null });
  await untilFound(client, 'keeper', 1);
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  for (const source of [
    { path: join(folder, 'secret.txt') },
    { path: '../secret.txt' },
    { url: 'http://127.0.0.1:9/x' },
  ]) {
    expect((await callTool(client, 'add_document', source)).value).toMatchObject({
      ok: false,
      warning: expect.stringContaining('It lies outside of what may be fetched'),
    });
  }
});

test('what is printed for a client has the same options', async () => {
  const { stdout } = await runCrawler(['mcp', ...common, '--crawl', '--allow-add', '--print-config', 'other']);
  expect(stdout).toMatch(/ mcp \S+ --crawl --allow-add --config_dir /);
});
