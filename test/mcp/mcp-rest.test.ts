import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableHTTPClientTransport, type Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCrawler, type RunningCrawler } from '../support/crawler-process.js';
import { callTool, clientOf } from './mcp-harness.js';

/** The tools of a real service, which crawls a folder and may add documents. */
let folder: string;
let docs: string;
let crawler: RunningCrawler;
let url: string;
let client: Client;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crawler-mcp-rest-'));
  docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'keeper.txt'), 'The lighthouse keeper wrote.');
  writeFileSync(join(docs, '~draft.txt'), 'A draft of the harbour master.');
  writeFileSync(join(folder, 'secret.txt'), 'Not of the job.');
  const settings = ['rest.url=http://127.0.0.1:0/base', 'rest.mcp=add'].flatMap((each) => ['--set', each]);
  crawler = startCrawler([docs, '--rest', '--config_dir', join(folder, 'config'), ...settings]);
  let output = '';
  crawler.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await crawler.printed('Rest service started on');
  url = /Rest service started on \[([^\]]+)\]/.exec(output)?.[1] ?? '';
  client = clientOf('auto');
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  while ((await callTool(client, 'index_status')).value['documents'] !== 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
});
afterAll(async () => {
  await client.close();
  crawler.child.kill('SIGTERM');
  await crawler.finished;
  rmSync(folder, { recursive: true });
});

interface Found {
  readonly id: string;
  readonly url: string;
}

async function search(query: string): Promise<Found[]> {
  return (await callTool(client, 'search', { query })).value['results'] as Found[];
}

test('a hit leads to the search page below the path of the service', async () => {
  const [hit] = await search('lighthouse');
  expect(hit?.url).toBe(`${url}/ui/?doc=${hit?.id}`);
});

test('whether tree and index were equal is known once they were compared', async () => {
  expect((await callTool(client, 'index_status')).value['verified']).toBeNull();
  await fetch(`${url}/_crawler/verify`, { method: 'POST' });
  let verified: unknown = null;
  // More slowly than a minute's calls allow.
  while (verified === null) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    ({ verified } = (await callTool(client, 'index_status')).value);
  }
  expect(verified).toEqual({ at: expect.any(String), equal: true, differences: 0 });
});

test('why a file is not found is answered with the rule and where it stands', async () => {
  const { value } = await callTool(client, 'why_not_found', { path: '~draft.txt' });
  expect(value['files']).toMatchObject([{ path: `${docs}/~draft.txt`, standing: 'left_out', origin: 'default' }]);
  const indexed = await callTool(client, 'why_not_found', { path: join(docs, 'keeper.txt') });
  expect(indexed.value['files']).toMatchObject([{ standing: 'indexed', sentence: 'It is in the index.' }]);
});

test('a file below the root is added, and nothing from outside of it', async () => {
  const added = await callTool(client, 'add_document', { path: '~draft.txt' });
  expect(added.value).toMatchObject({ ok: true, id: expect.any(String), warning: null });
  expect((await search('"harbour master"')).map(({ id }) => id)).toEqual([added.value['id']]);
  for (const path of ['../secret.txt', join(folder, 'secret.txt')]) {
    const { value } = await callTool(client, 'add_document', { path });
    expect(value).toMatchObject({
      ok: false,
      id: null,
      warning: expect.stringContaining('outside of what may be fetched'),
    });
  }
  const { value } = await callTool(client, 'add_document', { path: 'nobody.txt' });
  expect(value).toEqual({ ok: false, id: null, warning: 'There is no such file.' });
});

test('an address that no document may be fetched from is refused', async () => {
  const { value } = await callTool(client, 'add_document', { url: 'http://169.254.169.254/latest/meta-data' });
  expect(value).toMatchObject({ ok: false, id: null });
});
