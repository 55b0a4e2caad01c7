import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { indexedPaths, runCrawler, startCrawler, type RunningCrawler } from '../support/crawler-process.js';
import { descendantsOf } from '../support/program.js';

/** The real binary with --rest: crawl and service in one process, over one crawler, one ingester, one index. */
interface Service {
  readonly crawler: RunningCrawler;
  readonly url: string;
}

/** Small texts need no process, unless their language is wanted. */
const IN_ONE_PROCESS = ['--set', 'fs.lang_detect=true', '--set', 'extractor.processes=1'];

type Json = Record<string, unknown>;

const started: RunningCrawler[] = [];

async function startService(args: readonly string[]): Promise<Service> {
  const crawler = startCrawler([...args, '--rest', '--set', 'rest.url=http://127.0.0.1:0']);
  started.push(crawler);
  let output = '';
  crawler.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await crawler.printed('Rest service started on');
  const url = /Rest service started on \[([^\]]+)\]/.exec(output)?.[1];
  if (url === undefined) throw new Error(`no address in ${output}`);
  return { crawler, url };
}

async function call(
  service: Service,
  method: string,
  path: string,
  body?: FormData | string,
): Promise<{ status: number; body: Json }> {
  const headers: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const response = await fetch(service.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, body: (await response.json()) as Json };
}

function file(name: string, content: string): FormData {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  return form;
}

async function until(service: Service, state: string): Promise<Json> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const { body } = await call(service, 'GET', '/_crawler/status');
    if (body['state'] === state) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The crawler did not become ${state}.`);
}

async function stop({ crawler }: Service): Promise<number | null> {
  crawler.child.kill('SIGTERM');
  return (await crawler.finished).code;
}

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-rest-'));
});
afterAll(async () => {
  // A failed test may have left one behind.
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ finished }) => finished));
  rmSync(directory, { recursive: true, force: true });
});

function makeTree(name: string, files: number): string {
  const root = join(directory, name);
  for (let at = 0; at < files; at += 1) {
    const folder = join(root, `folder-${at % 40}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.txt`), `Number ${at}. ${'word '.repeat(300)}`);
  }
  return root;
}

describe('a crawl that is slow enough to be steered', () => {
  const files = 4000;
  let root: string;
  let service: Service;
  const config = (): string => join(directory, 'config');

  beforeAll(async () => {
    root = makeTree('docs', files);
    const slow = ['--set', 'engine.bulk_size=20', ...IN_ONE_PROCESS];
    service = await startService([root, '--config_dir', config(), ...slow, '--set', 'fs.update_rate=1h']);
  });
  afterAll(() => stop(service));

  test('goes through the states of the specification, row by row', async () => {
    expect(await until(service, 'RUNNING')).toMatchObject({
      ok: true,
      scan_end_time: null,
      next_check: null,
      last_error: null,
    });
    expect(await call(service, 'POST', '/_crawler/resume')).toEqual({
      status: 200,
      body: { ok: true, message: 'Crawler is not paused. No action needed.' },
    });
    expect(await call(service, 'DELETE', '/_crawler/checkpoint')).toEqual({
      status: 400,
      body: { ok: false, message: 'Cannot clear checkpoint while crawler is running. Pause or stop it first.' },
    });
    expect(await call(service, 'POST', '/_crawler/pause')).toEqual({
      status: 200,
      body: { ok: true, message: 'Crawler paused. Checkpoint saved.' },
    });
    expect(JSON.parse(readFileSync(join(config(), 'docs', '_checkpoint.json'), 'utf8'))).toMatchObject({
      state: 'PAUSED',
    });
    expect(await call(service, 'POST', '/_crawler/pause')).toEqual({
      status: 200,
      body: { ok: true, message: 'Crawler is already paused.' },
    });
    const paused = await until(service, 'PAUSED');
    expect(paused['paused_by']).toBe('user');
    // Documents that were in hand are finished; then it stands still.
    let processed: unknown;
    for (let now = paused; now['files_processed'] !== processed; now = await until(service, 'PAUSED')) {
      processed = now['files_processed'];
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(Number(processed)).toBeLessThan(files);
    expect(await call(service, 'POST', '/_crawler/resume')).toEqual({
      status: 200,
      body: { ok: true, message: 'Crawler resumed.' },
    });
    const upload = await call(service, 'POST', '/_document', file('while-crawling.txt', 'an upload during the crawl'));
    expect(upload.body).toMatchObject({ ok: true, filename: 'while-crawling.txt' });
    const done = await until(service, 'PAUSED');
    expect(done).toMatchObject({
      paused_by: 'schedule',
      files_processed: files,
      pending_directories: 0,
      last_error: null,
    });
    expect(done['next_check']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    // A crawl on a busy machine may take a minute to the second: 1m.
    expect(done['elapsed_time']).toMatch(/^\d+[hms]( \d+[ms])*$/);
    expect(await call(service, 'DELETE', '/_crawler/checkpoint')).toEqual({
      status: 200,
      body: { ok: true, message: 'Checkpoint cleared' },
    });
  });

  test('the address of an upload resolves, and search finds crawled and uploaded documents alike', async () => {
    const { body } = await call(service, 'POST', '/_document?debug=true', file('note.txt', 'The lighthouse keeper.'));
    const document = (await (await fetch(String(body['url']))).json()) as Json;
    expect(document).toMatchObject({ found: true, _source: { file: { filename: 'note.txt' } } });
    const { body: hits } = await call(service, 'GET', '/_search?q=lighthouse');
    expect(hits).toMatchObject({ ok: true, total: 1 });
    expect((await call(service, 'GET', '/_search?q=Number')).body).toMatchObject({ total: files });
  });

  test('a local fetch reads below the root and nowhere else', async () => {
    const inside = JSON.stringify({ type: 'local', local: { url: 'folder-1/1.txt' } });
    expect((await call(service, 'POST', '/_document', inside)).body).toMatchObject({ ok: true, filename: '1.txt' });
    const outside = JSON.stringify({ type: 'local', local: { url: '../config/docs/_settings.yaml' } });
    expect((await call(service, 'POST', '/_document', outside)).body).toMatchObject({ ok: false });
  });

  test('GET / shows the address of the embedded index', async () => {
    const { body } = await call(service, 'GET', '/');
    expect(body).toMatchObject({ ok: true, settings: { name: 'docs', engine: { urls: [`${service.url}/_engine`] } } });
  });
});

test('a pause by a person outlives a restart with --rest; without it the crawl continues', async () => {
  const root = makeTree('sticky', 1500);
  const slow = ['--set', 'engine.bulk_size=10', ...IN_ONE_PROCESS];
  const args = [root, '--config_dir', join(directory, 'sticky-config'), ...slow];
  const first = await startService(args);
  await until(first, 'RUNNING');
  await call(first, 'POST', '/_crawler/pause');
  expect(await stop(first)).toBe(0);
  const second = await startService(args);
  expect(await until(second, 'PAUSED')).toMatchObject({ paused_by: 'user' });
  expect(await stop(second)).toBe(0);
  expect((await runCrawler([...args, '--loop', '1'])).code).toBe(0);
  expect(await indexedPaths('sticky', join(directory, 'sticky-config'))).toHaveLength(1500);
});

test('--loop 0 serves without a crawler, and leaves the checkpoint alone', async () => {
  const root = makeTree('uploads', 3);
  const config = join(directory, 'uploads-config');
  await runCrawler([root, '--config_dir', config, '--loop', '1']);
  const path = join(config, 'uploads', '_checkpoint.json');
  const before = readFileSync(path, 'utf8');
  const service = await startService([root, '--config_dir', config, '--loop', '0']);
  expect((await call(service, 'GET', '/_crawler/status')).body).toMatchObject({ ok: true, state: 'STOPPED' });
  expect(await call(service, 'POST', '/_crawler/pause')).toMatchObject({
    status: 400,
    body: { message: 'Crawler is not running' },
  });
  expect(await call(service, 'POST', '/_crawler/resume')).toMatchObject({
    status: 400,
    body: { message: 'Crawler is closed. Cannot resume.' },
  });
  const cleared = await call(service, 'DELETE', '/_crawler/checkpoint');
  expect(cleared.status).toBe(404);
  expect(cleared.body['message']).toContain('Did you start with --loop 0?');
  expect((await call(service, 'POST', '/_document', file('a.txt', 'x'))).body).toMatchObject({ ok: true });
  expect(await stop(service)).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(before);
});

test('a small text that is uploaded needs no process, a page does', async () => {
  const service = await startService(['--config_dir', join(directory, 'texts-config'), 'texts', '--loop', '0']);
  const { pid = 0 } = service.crawler.child;
  const note = await call(service, 'POST', '/_document?debug=true', file('note.txt', 'The keeper lit the lamp.'));
  expect(note.body).toMatchObject({ ok: true, doc: { content: 'The keeper lit the lamp.\n' } });
  expect(descendantsOf(pid)).toEqual([]);
  const page = await call(service, 'POST', '/_document?debug=true', file('page.html', '<p>The keeper</p>'));
  expect(page.body).toMatchObject({ ok: true, doc: { content: 'The keeper\n' } });
  expect(descendantsOf(pid)).not.toEqual([]);
  expect(await stop(service)).toBe(0);
});

test('a port that is taken is reported with what to do, exit code 1', async () => {
  const root = makeTree('port', 1);
  const first = await startService([root, '--config_dir', join(directory, 'port-1'), '--loop', '0']);
  const args = ['--config_dir', join(directory, 'port-2'), '--loop', '0', '--rest', '--set', `rest.url=${first.url}`];
  const second = await runCrawler([root, ...args]);
  expect(second.code).toBe(1);
  expect(second.stderr).toContain('rest.url');
  expect(second.stderr).not.toContain('    at ');
  await stop(first);
});

test('with --loop 1 the service stays up, COMPLETED, and resume makes one more run', async () => {
  const root = makeTree('once', 5);
  const service = await startService([root, '--config_dir', join(directory, 'once-config'), '--loop', '1']);
  const first = await until(service, 'COMPLETED');
  writeFileSync(join(root, 'late.txt'), 'late');
  expect((await call(service, 'POST', '/_crawler/resume')).body['message']).toBe('Crawler resumed.');
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const now = await until(service, 'COMPLETED');
    if (now['scan_id'] !== first['scan_id']) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await until(service, 'COMPLETED')).toMatchObject({ files_processed: 1 });
  expect(await stop(service)).toBe(0);
});

test('what happens can be seen from the first moment: state, totals, health and metrics', async () => {
  const root = makeTree('seen', 300);
  writeFileSync(join(root, 'broken.pdf'), '%PDF-1.7 and nothing else');
  const config = join(directory, 'seen-config');
  const service = await startService([root, '--loop', '1', '--config_dir', config]);
  const first = (await call(service, 'GET', '/_crawler/status')).body;
  expect(['RUNNING', 'COMPLETED']).toContain(first['state']);
  await until(service, 'COMPLETED');
  expect(await call(service, 'GET', '/_health')).toEqual({
    status: 200,
    body: { ok: true, engine: 'up', stuck: false, state: 'COMPLETED' },
  });
  let activity: Json = {};
  for (let attempt = 0; attempt < 300 && activity['totals'] === undefined; attempt += 1) {
    const { body } = await call(service, 'GET', '/_crawler/status');
    const now = body['activity'] as { totals: { files: number } | null };
    if (now.totals?.files === 301) activity = body['activity'] as Json;
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(activity).toMatchObject({
    totals: { files: 301, folders: 41, states: { indexed: 301 }, reasons: { corrupt: 1 } },
    current: [],
    queues: { folders: 0, extraction: 0, engine: 0 },
  });
  expect((activity['slowest'] as { document: string }[])[0]?.document).toContain(root);
  const metrics = await (await fetch(`${service.url}/_metrics`)).text();
  expect(metrics).toContain('crawler_documents_total{origin="crawl",outcome="indexed",job_name="seen"} 301');
  expect(await stop(service)).toBe(0);
});
