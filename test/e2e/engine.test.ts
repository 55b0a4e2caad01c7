import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startOpenSearch } from '../engines/start-opensearch.mjs';
import { runCrawler, searchDocuments, startCrawler, type RunningCrawler } from '../support/crawler-process.js';
import { ask, describeOwnEngine, type OwnEngine } from '../support/real-engines.js';

/** The real binary against a real server: what a person who runs a cluster lives through. */
type Json = Record<string, unknown>;

interface Service {
  readonly crawler: RunningCrawler;
  readonly url: string;
}

let directory: string;
const started: RunningCrawler[] = [];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-engine-'));
});
afterAll(async () => {
  // A failed test may have left one behind.
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ finished }) => finished));
  rmSync(directory, { recursive: true, force: true });
});

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

async function stop({ crawler }: Service): Promise<number | null> {
  crawler.child.kill('SIGTERM');
  return (await crawler.finished).code;
}

async function call({ url }: Service, method: string, path: string): Promise<{ status: number; body: Json }> {
  const response = await fetch(url + path, { method });
  return { status: response.status, body: (await response.json()) as Json };
}

async function upload({ url }: Service, name: string): Promise<Json> {
  const form = new FormData();
  form.append('file', new Blob([`Uploaded as ${name.replace('.txt', '')}.`]), name);
  return (await (await fetch(`${url}/_document`, { method: 'POST', body: form })).json()) as Json;
}

/** Asks for the status until it is as wanted, for at most two minutes. */
async function status(service: Service, isWanted: (status: Json) => boolean): Promise<Json> {
  let body: Json = {};
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    ({ body } = await call(service, 'GET', '/_crawler/status'));
    if (isWanted(body)) return body;
    await delay(100);
  }
  throw new Error(`The status did not become as wanted: ${JSON.stringify(body)}`);
}

/** Paths of all crawled documents that the server really holds. */
async function storedPaths(engine: OwnEngine, index: string): Promise<string[]> {
  const { url } = engine.server;
  await ask(url, 'POST', `/${index}/_refresh`);
  const body = { size: 10_000, _source: ['path.real'], query: { exists: { field: 'path.root' } } };
  const answer = (await ask(url, 'POST', `/${index}/_search`, body)) as {
    hits: { hits: { _source: { path: { real: string } } }[] };
  };
  return answer.hits.hits.map(({ _source }) => _source.path.real).sort();
}

interface Tree {
  readonly name: string;
  readonly config: string;
  readonly paths: readonly string[];
  /** Arguments that crawl it into the server. */
  readonly args: readonly string[];
}

function makeTree(engine: OwnEngine, name: string, files: number): Tree {
  const root = join(directory, name);
  const config = join(directory, `${name}-config`);
  const paths = Array.from({ length: files }, (_, at) => join(root, `folder-${at % 10}`, `${at}.txt`));
  paths.forEach((path, at) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `Number ${at}. ${at === 7 ? 'lighthouse ' : ''}${'word '.repeat(300)}`);
  });
  const settings = [`engine.urls=${engine.server.url}`, 'fs.update_rate=1h'].flatMap((each) => ['--set', each]);
  return { name, config, paths: paths.sort(), args: [root, '--config_dir', config, ...settings] };
}

describeOwnEngine('the crawler', (engine) => {
  describe('on a server that is there', () => {
    let tree: Tree;
    beforeAll(() => {
      tree = makeTree(engine, 'library', 300);
    });
    const crawl = (...more: string[]): ReturnType<typeof runCrawler> =>
      runCrawler([...tree.args, '--loop', '1', ...more]);

    test('a first crawl indexes the tree, a second one nothing', async () => {
      const first = await crawl();
      expect(first.stderr).toBe('');
      expect(first.stdout).toContain('indexed [300], deleted [0]');
      expect(await storedPaths(engine, 'library_docs')).toEqual(tree.paths);
      expect((await crawl()).stdout).toContain('indexed [0], deleted [0]');
    }, 60_000);

    test('crawler search and GET /_search find what is in it', async () => {
      const found = await searchDocuments([...tree.args.slice(0, 5), 'lighthouse']);
      expect(found.map(({ source }) => source.path?.real)).toEqual([
        tree.paths.find((path) => path.endsWith('/7.txt')),
      ]);
      const service = await startService([...tree.args, '--loop', '0']);
      await service.crawler.printed('now connected to the search engine');
      expect((await call(service, 'GET', '/')).body['engine']).toMatch(/^opensearch-\d+\.\d+\.\d+$/);
      expect((await call(service, 'GET', '/_search?q=lighthouse')).body).toMatchObject({ ok: true, total: 1 });
      expect(await upload(service, 'note.txt')).toMatchObject({ ok: true });
      expect((await call(service, 'GET', '/_search?q=note')).body).toMatchObject({ total: 1 });
      expect(await stop(service)).toBe(0);
    }, 60_000);

    test('a lost catalog is made again from the server, and no file is read again', async () => {
      rmSync(join(tree.config, 'library', 'catalog.db'));
      rmSync(tree.paths[0] ?? '');
      const { stdout, code } = await crawl();
      expect(stdout).toContain('The catalog was rebuilt from 300 documents of the index.');
      expect(stdout).toContain('indexed [0], deleted [1]');
      expect(code).toBe(0);
      expect(await storedPaths(engine, 'library_docs')).toEqual(tree.paths.slice(1));
    }, 60_000);

    test('an index that is deleted while the crawler runs is noticed by the next run, and filled again', async () => {
      const service = await startService(tree.args);
      await status(service, ({ state }) => state === 'PAUSED');
      await ask(engine.server.url, 'DELETE', '/library_docs');
      await call(service, 'POST', '/_crawler/resume');
      const done = await status(service, (each) => each['state'] === 'PAUSED' && each['files_processed'] === 299);
      expect(done['last_error']).toBeNull();
      expect(await stop(service)).toBe(0);
      expect((await service.crawler.finished).stderr).toContain('The index is not the one of the last run');
      expect(await storedPaths(engine, 'library_docs')).toEqual(tree.paths.slice(1));
      const mapping = await ask(engine.server.url, 'GET', '/library_docs/_mapping');
      expect(mapping).toMatchObject({
        library_docs: { mappings: { properties: { file: { properties: { filesize: { type: 'long' } } } } } },
      });
    }, 60_000);
  });

  test('a server killed in the middle of a crawl and of uploads: told truthfully, and nothing lost or doubled', async () => {
    const tree = makeTree(engine, 'outage', 2500);
    const slow = ['--set', 'engine.bulk_size=10', '--set', 'extractor.processes=1', '--loop', '1'];
    const service = await startService([...tree.args, ...slow]);
    await status(service, (each) => Number(each['files_processed']) >= 100);
    await engine.server.kill();
    const early = upload(service, 'early.txt');
    const away = await status(service, (each) => each['last_error'] !== null);
    expect(away).toMatchObject({ state: 'RUNNING' });
    expect(away['last_error']).toContain(engine.server.url);
    const processed = Number(away['files_processed']);
    expect(processed).toBeGreaterThanOrEqual(100);
    expect(processed).toBeLessThan(2500);
    expect(await early).toMatchObject({ ok: false });
    expect((await early)['message']).toContain(engine.server.url);
    const late = upload(service, 'late.txt');
    engine.server = await startOpenSearch({ home: engine.home, port: engine.server.port });
    const answer = await late;
    const done = await status(service, ({ state }) => state !== 'RUNNING');
    expect(done).toMatchObject({ state: 'COMPLETED', files_failed: 0, pending_directories: 0 });
    expect(await storedPaths(engine, 'outage_docs')).toEqual(tree.paths);
    expect(await storedPaths(engine, 'outage_folder')).toHaveLength(11);
    const { body } = await call(service, 'GET', '/_search?q=Uploaded+late');
    expect([answer['ok'], body['total']]).toEqual(answer['ok'] === true ? [true, 1] : [false, expect.any(Number)]);
    expect(await upload(service, 'after.txt')).toMatchObject({ ok: true });
    expect(await stop(service)).toBe(0);
    expect(JSON.parse(readFileSync(join(tree.config, 'outage', '_checkpoint.json'), 'utf8'))).toMatchObject({
      state: 'COMPLETED',
      files_processed: 2500,
    });
    expect((await runCrawler([...tree.args, '--loop', '1'])).stdout).toContain('indexed [0], deleted [0]');
  }, 150_000);

  describe('on a server that is not there', () => {
    const noServer = ['--set', 'engine.urls=http://127.0.0.1:9', '--set', 'engine.start_timeout=2s'];

    test('waits, then ends with one sentence and exit code 1', async () => {
      const tree = makeTree(engine, 'away', 1);
      const { code, stderr } = await runCrawler([...tree.args, ...noServer, '--loop', '1']);
      expect(code).toBe(1);
      expect(stderr).toContain('Waiting for the search engine at [http://127.0.0.1:9]');
      expect(stderr).toContain('was not ready within 2 s');
      expect(stderr).not.toContain('    at ');
    }, 30_000);

    test('with --rest the service is up, says that the engine is not, and connects when it comes', async () => {
      const port = engine.server.port;
      await engine.server.stop();
      const tree = makeTree(engine, 'late', 20);
      const service = await startService([...tree.args, '--set', 'engine.start_timeout=2s', '--loop', '1']);
      expect((await call(service, 'GET', '/')).body).toMatchObject({ ok: true, engine: 'unavailable' });
      const search = await call(service, 'GET', '/_search?q=word');
      expect(search.status).toBe(503);
      expect(search.body).toMatchObject({ ok: false, message: expect.stringContaining('search engine') });
      expect(await upload(service, 'refused.txt')).toMatchObject({ ok: false });
      engine.server = await startOpenSearch({ home: engine.home, port });
      await status(service, ({ state }) => state === 'COMPLETED');
      expect(await storedPaths(engine, 'late_docs')).toEqual(tree.paths);
      expect((await call(service, 'GET', '/_search?q=word')).body).toMatchObject({ ok: true, total: 20 });
      expect(await stop(service)).toBe(0);
    }, 90_000);
  });
});
