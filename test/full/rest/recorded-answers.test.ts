import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCrawler, type RunningCrawler } from '../../support/crawler-process.js';

/**
 * What programs have relied on since before there were pages: the members of each answer, their order and types, and the
 * headers that matter. A difference is a break for those programs; a recorded answer changes with an entry of the changelog.
 */
interface Send {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: NonNullable<RequestInit['body']>;
}

let directory: string;
let crawler: RunningCrawler;
let url = '';

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-recorded-'));
  const root = join(directory, 'docs');
  mkdirSync(join(root, 'letters'), { recursive: true });
  writeFileSync(join(root, 'letters', 'keeper.txt'), 'The keeper wrote of the lighthouse.');
  const settings = ['rest.url=http://127.0.0.1:0', 'fs.update_rate=1h'].flatMap((each) => ['--set', each]);
  crawler = startCrawler([root, '--config_dir', join(directory, 'config'), '--rest', ...settings]);
  let output = '';
  crawler.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await crawler.printed('indexed [');
  url = /Rest service started on \[([^\]]+)\]/.exec(output)?.[1] ?? '';
});
afterAll(async () => {
  crawler.child.kill('SIGTERM');
  await crawler.finished;
  rmSync(directory, { recursive: true, force: true });
});

/** What depends on the moment, and the settings, which come and go and have tests of their own. */
const VARYING = new Set(['settings', 'states', 'reasons', 'current', 'slowest', 'percent', 'remaining_time']);

/** Values as their types; what is true or false stays. */
function shapeOf(value: unknown, name = ''): unknown {
  if (VARYING.has(name)) return 'varies';
  if (Array.isArray(value)) return value.slice(0, 1).map((each) => shapeOf(each));
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each, key)]));
}

async function answer(path: string, { method = 'GET', headers = {}, body }: Send = {}): Promise<string> {
  const init = { method, headers, redirect: 'manual' as const, ...(body === undefined ? {} : { body }) };
  const response = await fetch(url + path, init);
  const text = await response.text();
  const type = response.headers.get('content-type');
  const isJson = text !== '' && type?.includes('json') === true;
  const shown = isJson ? JSON.stringify(shapeOf(JSON.parse(text)), null, 1) : typeof text;
  return `${response.status} ${type ?? 'without a type'}\n${shown}`;
}

function form(fields: Readonly<Record<string, string>>, name = 'sent.txt'): FormData {
  const made = new FormData();
  made.append('file', new Blob(['wicks and oil']), name);
  for (const [field, value] of Object.entries(fields)) made.append(field, value);
  return made;
}

const JSON_BODY = { 'content-type': 'application/json' };
const REQUESTS: readonly (readonly [path: string, send?: () => Send])[] = [
  ['/'],
  ['/', () => ({ headers: { accept: 'application/json' } })],
  ['/', () => ({ method: 'HEAD' })],
  ['/_search?q=keeper'],
  ['/_search?q=nothing-has-this&size=1&from=3'],
  ['/_search?q=%22open'],
  ['/_search?unknown=1'],
  ['/_crawler/status'],
  ['/_crawler/pause', () => ({ method: 'POST' })],
  ['/_crawler/resume', () => ({ method: 'POST' })],
  ['/_crawler/approve', () => ({ method: 'POST' })],
  ['/_health'],
  ['/_document', () => ({ method: 'POST', body: form({}) })],
  ['/_document?debug=true', () => ({ method: 'POST', body: form({}) })],
  ['/_document?simulate=true', () => ({ method: 'POST', body: form({}) })],
  ['/_document/own-id', () => ({ method: 'PUT', body: form({ tags: '{"external":{"team":"a"}}' }) })],
  ['/_document', () => ({ method: 'POST', body: 'no form' })],
  ['/_document/own-id', () => ({ method: 'DELETE' })],
  ['/_document', () => ({ method: 'DELETE', headers: { filename: 'sent.txt' } })],
  ['/_document', () => ({ method: 'DELETE' })],
  ['/nowhere'],
  ['/_engine'],
  ['/_engine/_cat/indices?format=json'],
  ['/_engine/docs_docs/_count'],
  ['/_engine/docs_docs/_mapping'],
  ['/_engine/docs_docs/_doc/unknown'],
  [
    '/_engine/docs_docs/_search',
    () => ({ method: 'POST', headers: JSON_BODY, body: '{"query":{"match":{"content":"keeper"}}}' }),
  ],
  ['/_engine/docs_docs/_search', () => ({ method: 'POST', headers: JSON_BODY, body: '{"query":{"nothing":{}}}' })],
  ['/_engine/none/_search'],
];

test('the answers of the endpoints are those that were recorded', async () => {
  const answers: string[] = [];
  for (const [path, send] of REQUESTS) {
    const { method = 'GET', ...sent } = send?.() ?? {};
    answers.push(`${method} ${path}\n${await answer(path, { method, ...sent })}`);
  }
  expect(`\n${answers.join('\n\n')}\n`).toMatchSnapshot();
});
