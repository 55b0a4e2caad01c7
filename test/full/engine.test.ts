import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startOpenSearch } from '../engines/start-opensearch.mjs';
import { runCrawler, searchDocuments } from '../support/crawler-process.js';
import { call, EngineJobs, status, type Json, stop, storedPaths, upload, type Tree } from '../support/engine-jobs.js';
import { ask, describeOwnEngine } from '../support/real-engines.js';

/** The real binary against a real server: what a person who runs a cluster lives through. */
const jobs = new EngineJobs();
afterAll(() => jobs.end());

describeOwnEngine('the crawler', (engine) => {
  describe('on a server that is there', () => {
    let tree: Tree;
    beforeAll(() => {
      tree = jobs.makeTree(engine.server.url, 'library', 300);
    });
    const crawl = (...more: string[]): ReturnType<typeof runCrawler> =>
      runCrawler([...tree.args, '--loop', '1', ...more]);

    test('a first crawl indexes the tree, a second one nothing', async () => {
      const first = await crawl();
      expect(first.stderr).toBe('');
      expect(first.stdout).toContain('indexed [300], deleted [0]');
      expect(await storedPaths(engine.server.url, 'library_docs')).toEqual(tree.paths);
      expect((await crawl()).stdout).toContain('indexed [0], deleted [0]');
    });

    test('crawler search and GET /_search find what is in it', async () => {
      const found = await searchDocuments([...tree.args.slice(0, 5), 'lighthouse']);
      expect(found.map(({ source }) => source.path?.real)).toEqual([
        tree.paths.find((path) => path.endsWith('/7.txt')),
      ]);
      const service = await jobs.startService([...tree.args, '--loop', '0']);
      await service.crawler.printed('now connected to the search engine');
      expect((await call(service, 'GET', '/')).body['engine']).toMatch(/^opensearch-\d+\.\d+\.\d+$/);
      expect((await call(service, 'GET', '/_search?q=lighthouse')).body).toMatchObject({ ok: true, total: 1 });
      expect(await upload(service, 'note.txt')).toMatchObject({ ok: true });
      expect((await call(service, 'GET', '/_search?q=note')).body).toMatchObject({ total: 1 });
      expect(await stop(service)).toBe(0);
    });

    test('the service says where a file stands, and whether the index equals the tree', async () => {
      const service = await jobs.startService([...tree.args, '--loop', '0']);
      await service.crawler.printed('now connected to the search engine');
      const why = await call(service, 'GET', '/_crawler/why?path=folder-7/7.txt');
      expect(why.body).toMatchObject({ ok: true, standing: 'indexed', document: { index: 'library_docs' } });
      expect((await call(service, 'POST', '/_crawler/verify')).status).toBe(202);
      let body: Json;
      do ({ body } = await call(service, 'GET', '/_crawler/verify'));
      while (body['running'] !== null);
      expect(body).toMatchObject({ failed: null, last: { equal: true }, truth: { state: 'equal' } });
      expect(await stop(service)).toBe(0);
    });

    test('a lost catalog is made again from the server, and no file is read again', async () => {
      rmSync(join(tree.config, 'library', 'catalog.db'));
      rmSync(tree.paths[0] ?? '');
      const { stdout, code } = await crawl();
      expect(stdout).toContain('The catalog was rebuilt from 300 documents of the index.');
      expect(stdout).toContain('indexed [0], deleted [1]');
      expect(code).toBe(0);
      expect(await storedPaths(engine.server.url, 'library_docs')).toEqual(tree.paths.slice(1));
    });

    test('an index that is deleted while the crawler runs is noticed by the next run, and filled again', async () => {
      const service = await jobs.startService(tree.args);
      await status(service, ({ state }) => state === 'PAUSED');
      await ask(engine.server.url, 'DELETE', '/library_docs');
      await call(service, 'POST', '/_crawler/resume');
      const done = await status(service, (each) => each['state'] === 'PAUSED' && each['files_processed'] === 299);
      expect(done['last_error']).toBeNull();
      expect(await stop(service)).toBe(0);
      expect((await service.crawler.finished).stderr).toContain('The index is not the one of the last run');
      expect(await storedPaths(engine.server.url, 'library_docs')).toEqual(tree.paths.slice(1));
      const mapping = await ask(engine.server.url, 'GET', '/library_docs/_mapping');
      expect(mapping).toMatchObject({
        library_docs: { mappings: { properties: { file: { properties: { filesize: { type: 'long' } } } } } },
      });
    });

    test('a folder index that is lost alone is noticed by the next run: its documents come back, no file is read', async () => {
      expect(await storedPaths(engine.server.url, 'library_folder')).toHaveLength(11);
      await ask(engine.server.url, 'DELETE', '/library_folder');
      const { stdout, stderr, code } = await crawl();
      expect(stderr).toContain('The index is not the one of the last run');
      expect(stdout).toContain('indexed [0], deleted [0]');
      expect(code).toBe(0);
      expect(await storedPaths(engine.server.url, 'library_folder')).toHaveLength(11);
      expect(await storedPaths(engine.server.url, 'library_docs')).toEqual(tree.paths.slice(1));
      const mapping = await ask(engine.server.url, 'GET', '/library_folder/_mapping');
      expect(mapping).toMatchObject({
        library_folder: { mappings: { properties: { path: { properties: { root: { type: 'keyword' } } } } } },
      });
      expect((await crawl()).stderr).toBe('');
    });

    test('a documents index that is lost alone is filled again; the folders stay as they are', async () => {
      await ask(engine.server.url, 'DELETE', '/library_docs');
      const { stdout, stderr } = await crawl();
      expect(stderr).toContain('The index is not the one of the last run');
      expect(stdout).toContain('indexed [299], deleted [0]');
      expect(await storedPaths(engine.server.url, 'library_docs')).toEqual(tree.paths.slice(1));
      expect(await storedPaths(engine.server.url, 'library_folder')).toHaveLength(11);
    });
  });

  describe('on a server that is not there', () => {
    const noServer = ['--set', 'engine.urls=http://127.0.0.1:9', '--set', 'engine.start_timeout=2s'];

    test('waits, then ends with one sentence and exit code 1', async () => {
      const tree = jobs.makeTree(engine.server.url, 'away', 1);
      const { code, stderr } = await runCrawler([...tree.args, ...noServer, '--loop', '1']);
      expect(code).toBe(1);
      expect(stderr).toContain('Waiting for the search engine at [http://127.0.0.1:9]');
      expect(stderr).toContain('was not ready within 2 s');
      expect(stderr).not.toContain('    at ');
    });

    test('with --rest the service is up, says that the engine is not, and connects when it comes', async () => {
      const port = engine.server.port;
      await engine.server.stop();
      const tree = jobs.makeTree(engine.server.url, 'late', 20);
      const service = await jobs.startService([...tree.args, '--set', 'engine.start_timeout=2s', '--loop', '1']);
      expect((await call(service, 'GET', '/')).body).toMatchObject({ ok: true, engine: 'unavailable' });
      const search = await call(service, 'GET', '/_search?q=word');
      expect(search.status).toBe(503);
      expect(search.body).toMatchObject({ ok: false, message: expect.stringContaining('search engine') });
      expect(await upload(service, 'refused.txt')).toMatchObject({ ok: false });
      engine.server = await startOpenSearch({ home: engine.home, port });
      await status(service, ({ state }) => state === 'COMPLETED');
      expect(await storedPaths(engine.server.url, 'late_docs')).toEqual(tree.paths);
      expect((await call(service, 'GET', '/_search?q=word')).body).toMatchObject({ ok: true, total: 20 });
      expect(await stop(service)).toBe(0);
    });
  });
});
