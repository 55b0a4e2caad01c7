import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  indexedPaths,
  runCrawler,
  searchDocuments,
  startCrawler,
  type Finished,
  type FoundDocument,
  type RunningCrawler,
} from '../support/crawler-process.js';
import { PdfBuilder, type PdfPage } from '../support/pdf-builder.js';
import { makeZip } from '../support/make-archive.js';

/**
 * What people who have run crawlers for years ask of one, in their words, each shown by the real binary. What other suites
 * of this folder show (kills, permissions, outages, odd names) is not repeated here.
 */
const OLD = new Date('2001-02-03T04:05:06Z');

let directory: string;
let config: string;
let docs: string;
let running: RunningCrawler[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-accept-'));
  config = join(directory, 'config');
  docs = join(directory, 'docs');
  mkdirSync(docs);
  running = [];
});
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ finished }) => finished));
  rmSync(directory, { recursive: true, force: true });
});

function put(name: string, content: string | Uint8Array = `content of ${name}`): string {
  const path = join(docs, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

async function crawl(...args: string[]): Promise<Finished> {
  const run = await runCrawler([docs, '--loop', '1', '--config_dir', config, ...args]);
  expect({ code: run.code, stderr: run.code === 0 ? '' : run.stderr }).toEqual({ code: 0, stderr: '' });
  return run;
}

interface Service {
  readonly address: string;
  status(): Promise<Record<string, unknown>>;
  post(action: string): Promise<void>;
  until(state: string): Promise<void>;
  stop(): Promise<void>;
}

/** The crawl with its REST service. */
async function startService(...args: string[]): Promise<Service> {
  const url = ['--set', 'rest.url=http://127.0.0.1:0'];
  const run = startCrawler([docs, '--rest', '--config_dir', config, ...url, ...args]);
  running.push(run);
  let output = '';
  run.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await run.printed('Rest service started on');
  const address = /Rest service started on \[([^\]]+)\]/.exec(output)?.[1] ?? '';
  const status = async (): Promise<Record<string, unknown>> =>
    (await (await fetch(`${address}/_crawler/status`)).json()) as Record<string, unknown>;
  return {
    address,
    status,
    async post(action) {
      await fetch(`${address}/_crawler/${action}`, { method: 'POST' });
    },
    async until(state) {
      while ((await status())['state'] !== state) await sleep(50);
    },
    async stop() {
      run.child.kill('SIGTERM');
      await run.finished;
    },
  };
}

const paths = (): Promise<string[]> => indexedPaths('docs', config);

const all = (): Promise<FoundDocument[]> => searchDocuments(['docs', '--all', '--config_dir', config]);

const search = (query: string): Promise<FoundDocument[]> => searchDocuments(['docs', query, '--config_dir', config]);

describe('a file with an old date', () => {
  test.each<[string, (from: string, to: string) => void]>([
    ['moved into the tree', renameSync],
    [
      'copied into the tree with its date',
      (from, to) => {
        copyFileSync(from, to);
        utimesSync(to, OLD, OLD);
      },
    ],
  ])('%s is found by the next run', async (_, bring) => {
    put('first.txt');
    const outside = join(directory, 'old-report.txt');
    writeFileSync(outside, 'quarterly figures');
    utimesSync(outside, OLD, OLD);
    await crawl();
    bring(outside, join(docs, 'old-report.txt'));
    await crawl();
    expect(await paths()).toEqual([join(docs, 'first.txt'), join(docs, 'old-report.txt')]);
  });

  test('that replaces a file of the same size is read', async () => {
    const path = put('a.txt', 'before');
    utimesSync(path, OLD, OLD);
    await crawl();
    const other = join(directory, 'other');
    writeFileSync(other, 'after!');
    utimesSync(other, OLD, OLD);
    renameSync(other, path);
    await crawl();
    expect((await all())[0]?.source.content).toContain('after!');
  });
});

test('10,050 files that are deleted leave nothing behind after one run, with their folder and without', async () => {
  const STAY = 10_100;
  const GO = 5025;
  for (const [folder, files] of [
    ['stay', STAY],
    ['emptied', GO],
    ['removed', GO],
  ] as const) {
    mkdirSync(join(docs, folder));
    for (let at = 0; at < files; at += 1) closeSync(openSync(join(docs, folder, `${at}.txt`), 'w'));
  }
  await crawl('--set', 'fs.index_content=false');
  for (const name of readdirSync(join(docs, 'emptied'))) unlinkSync(join(docs, 'emptied', name));
  rmSync(join(docs, 'removed'), { recursive: true });
  const run = await crawl('--set', 'fs.index_content=false');
  expect(run.stdout).toContain(`deleted [${2 * GO}]`);
  const left = await paths();
  expect(left).toHaveLength(STAY);
  expect(left.filter((path) => !path.startsWith(join(docs, 'stay')))).toEqual([]);
  const folders = await searchDocuments(['docs', '--all', '--index', 'docs_folder', '--config_dir', config]);
  expect(folders.map(({ source }) => source.path?.real).sort()).toEqual([
    docs,
    join(docs, 'emptied'),
    join(docs, 'stay'),
  ]);
});

test('a root that goes away in the middle of a run removes nothing, and the next run continues', async () => {
  for (let at = 0; at < 3000; at += 1) put(`f${at % 60}/${at}.txt`, `Number ${at}. ${'word '.repeat(200)}`);
  await crawl();
  const before = (await paths()).length;
  expect(before).toBe(3000);
  for (let at = 0; at < 3000; at += 1) put(`f${at % 60}/${at}.txt`, `Changed ${at}. ${'word '.repeat(200)}`);
  const run = startCrawler([docs, '--loop', '1', '--config_dir', config]);
  running.push(run);
  await run.printed('starting...');
  renameSync(docs, `${docs}-away`);
  await run.finished;
  renameSync(`${docs}-away`, docs);
  expect((await paths()).length).toBe(before);
  await crawl();
  const documents = await all();
  expect(documents).toHaveLength(before);
  expect(documents.filter(({ source }) => !(source.content ?? '').startsWith('Changed'))).toEqual([]);
});

test('a file that is deleted during a pause is gone after the resume', async () => {
  for (let at = 0; at < 2000; at += 1) put(`f${at % 40}/${at}.txt`, `Number ${at}. ${'word '.repeat(300)}`);
  const service = await startService('--loop', '1');
  while (Number((await service.status())['completed_directories']) < 3) await sleep(5);
  await service.post('pause');
  expect(await service.status()).toMatchObject({ state: 'PAUSED', paused_by: 'user' });
  const indexed = (await paths())[0] ?? '';
  unlinkSync(indexed);
  await service.post('resume');
  await service.until('COMPLETED');
  // Its folder may have been done before the pause: one more run, as the daemon would make it.
  await service.post('resume');
  await service.until('COMPLETED');
  await service.stop();
  const left = await paths();
  expect(left).toHaveLength(1999);
  expect(left).not.toContain(indexed);
});

test('huge files and one that never ends complete the run; what went wrong has its name and reason', async () => {
  put('good.txt', 'all is well');
  const sparse = openSync(join(docs, 'sparse.txt'), 'w');
  ftruncateSync(sparse, 5 * 1024 ** 3);
  closeSync(sparse);
  put('long.txt', `beginning ${'lorem ipsum dolor '.repeat(4_800_000)}`);
  // A page tree whose nodes are each other's children.
  put(
    'endless.pdf',
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R 3 0 R]/Count 99999999>>endobj',
      '3 0 obj<</Type/Pages/Parent 2 0 R/Kids[2 0 R 2 0 R]/Count 99999999>>endobj',
      'trailer<</Root 1 0 R>>',
      '%%EOF',
    ].join('\n'),
  );
  const run = await crawl('--set', 'extractor.limits.time=10s');
  const documents = await all();
  expect(documents.map(({ source }) => source.path?.real).sort()).toEqual(
    ['endless.pdf', 'good.txt', 'long.txt', 'sparse.txt'].map((name) => join(docs, name)),
  );
  const long = documents.find(({ source }) => source.path?.real?.endsWith('long.txt') === true);
  expect(long?.source.content).toHaveLength(100_000);
  expect(long?.source['file']).toMatchObject({ indexed_chars: 100_000 });
  expect(readFileSync(join(config, 'logs', 'documents.log'), 'utf8')).toMatch(
    /\[\/endless\.pdf\] Indexed with a problem/,
  );
  expect(run.stdout).toContain('indexed [4]');
});

test('the same file in five folders is five documents with one checksum, and is extracted once', async () => {
  const text = 'A report that is copied from folder to folder. '.repeat(1000);
  for (const folder of ['a', 'b', 'c', 'd', 'e']) put(`${folder}/report.txt`, text);
  const service = await startService('--loop', '1', '--set', 'fs.checksum=SHA-256');
  await service.until('COMPLETED');
  const { activity } = await service.status();
  expect((activity as { slowest: unknown[] }).slowest).toHaveLength(1);
  await service.stop();
  const documents = await all();
  expect(documents.map(({ source }) => source.path?.real).sort()).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((folder) => join(docs, folder, 'report.txt')),
  );
  expect(new Set(documents.map(({ source }) => (source['file'] as { checksum: string }).checksum)).size).toBe(1);
  expect(new Set(documents.map(({ source }) => source.content)).size).toBe(1);
});

test('a search tells the page of a hit', async () => {
  const lines = (words: string): PdfPage => ({ lines: [words, 'and more of the same'] });
  const pages = ['introduction', 'the lamp room', 'oil and wicks', 'the fog signal'].map(lines);
  put('handbook.pdf', new PdfBuilder().build({ pages }));
  put('note.txt', 'a wick');
  const service = await startService('--loop', '1');
  await service.until('COMPLETED');
  const response = await fetch(`${service.address}/_search?q=wicks`);
  const { hits } = (await response.json()) as { hits: Record<string, unknown>[] };
  expect(hits.map(({ page }) => page)).toEqual([3]);
  expect(hits[0]?.['doc']).not.toHaveProperty('pages');
  await service.stop();
  const found = await runCrawler(['search', 'docs', 'fog', '--config_dir', config]);
  expect(found.stdout).toContain(`${join(docs, 'handbook.pdf')}, page 4`);
  expect((await search('lamp')).map((hit) => (hit as FoundDocument & { page?: number }).page)).toEqual([2]);
  expect((await search('wick')).map((hit) => (hit as FoundDocument & { page?: number }).page)).toEqual([undefined]);
  await crawl('--set', 'fs.page_numbers=false');
  expect((await search('lamp'))[0]?.source).not.toHaveProperty('pages');
});

test('the members of an archive are found, and still are after an unchanged second run', async () => {
  const members = [
    { name: 'inside/letter.txt', content: 'a word like xylophone' },
    { name: 'inside/tool.exe', content: 'MZ binary' },
  ];
  put('letters.zip', makeZip(members));
  await crawl();
  expect((await search('xylophone')).map(({ source }) => source.path?.real)).toEqual([join(docs, 'letters.zip')]);
  const second = await crawl();
  expect(second.stdout).toContain('indexed [0], deleted [0]');
  expect(await search('xylophone')).toHaveLength(1);
});

test('a mail has its body once and the text of its attachment', async () => {
  const mail = [
    'From: a@example.com',
    'To: b@example.com',
    'Subject: figures',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=outer',
    '',
    '--outer',
    'Content-Type: multipart/alternative; boundary=inner',
    '',
    '--inner',
    'Content-Type: text/plain',
    '',
    'the unmistakable body',
    '--inner',
    'Content-Type: text/html',
    '',
    '<p>the unmistakable body</p>',
    '--inner--',
    '--outer',
    'Content-Type: text/plain; name=notes.txt',
    'Content-Disposition: attachment; filename=notes.txt',
    '',
    'what the attachment says',
    '--outer--',
    '',
  ].join('\r\n');
  put('mail.eml', mail);
  await crawl();
  const [document] = await all();
  const content = document?.source.content ?? '';
  expect(content.split('unmistakable body')).toHaveLength(2);
  expect(content).toContain('what the attachment says');
});

test('names with accents, spaces at their end, line breaks and 255 bytes are files like others', async () => {
  const names = ['café – Übersicht.txt', 'trailing space .txt ', 'two\nlines.txt', `${'é'.repeat(125)}x.txt`];
  for (const name of names) put(name, 'plain');
  await crawl();
  expect(await paths()).toEqual(names.map((name) => join(docs, name)).sort());
  execFileSync('rm', ['-f', join(docs, names[2] ?? '')]);
  const run = await crawl();
  expect(run.stdout).toContain('indexed [0], deleted [1]');
});
