import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startOpenSearch } from '../engines/start-opensearch.mjs';
import { runCrawler } from '../support/crawler-process.js';
import {
  call,
  EngineJobs,
  status,
  stop,
  storedPaths,
  storedUploads,
  upload,
  type Json,
  type Service,
} from '../support/engine-jobs.js';
import { describeOwnEngine } from '../support/real-engines.js';
import { ScriptedProxy, type ProxyStep } from '../support/scripted-proxy.js';

/** The real binary while its search engine fails: nothing is lost or doubled, and every answer is true. */
const jobs = new EngineJobs();
afterAll(() => jobs.end());

/** Uploads on four lanes, one after the other on each, until `stop` says so; the answers by name. */
function uploadOn(service: Service, isOver: () => boolean): Promise<Map<string, Json>> {
  const answers = new Map<string, Json>();
  const lane = async (name: number): Promise<void> => {
    for (let at = 0; !isOver(); at += 1) {
      const file = `upload-${name}-${at}.txt`;
      answers.set(file, await upload(service, file));
      // A person who is told that it failed waits a moment.
      if (answers.get(file)?.['ok'] !== true) await delay(100);
    }
  };
  return Promise.all([0, 1, 2, 3].map(lane)).then(() => answers);
}

function namesOf(answers: ReadonlyMap<string, Json>, ok: boolean): string[] {
  return [...answers]
    .filter(([, answer]) => answer['ok'] === ok)
    .map(([name]) => name)
    .sort();
}

describeOwnEngine('an outage', (engine) => {
  test('a server killed in the middle of a crawl and of uploads: told truthfully, and nothing lost or doubled', async () => {
    const tree = jobs.makeTree(engine.server.url, 'outage', 2500);
    const slow = ['--set', 'engine.bulk_size=10', '--set', 'extractor.processes=1', '--loop', '1'];
    const service = await jobs.startService([...tree.args, ...slow]);
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
    expect(await storedPaths(engine.server.url, 'outage_docs')).toEqual(tree.paths);
    expect(await storedPaths(engine.server.url, 'outage_folder')).toHaveLength(11);
    const { body } = await call(service, 'GET', '/_search?q=Uploaded+late');
    expect([answer['ok'], body['total']]).toEqual(answer['ok'] === true ? [true, 1] : [false, expect.any(Number)]);
    expect(await upload(service, 'after.txt')).toMatchObject({ ok: true });
    expect(await stop(service)).toBe(0);
    expect(JSON.parse(readFileSync(join(tree.config, 'outage', '_checkpoint.json'), 'utf8'))).toMatchObject({
      state: 'COMPLETED',
      files_processed: 2500,
    });
    expect((await runCrawler([...tree.args, '--loop', '1'])).stdout).toContain('indexed [0], deleted [0]');
  });

  test('uploads without a pause while the server is killed and comes back: what was answered with ok is there, once', async () => {
    const tree = jobs.makeTree(engine.server.url, 'uploads', 1);
    const service = await jobs.startService([...tree.args, '--loop', '0']);
    await service.crawler.printed('now connected to the search engine');
    let isOver = false;
    const uploading = uploadOn(service, () => isOver);
    await delay(1_000);
    await engine.server.kill();
    // Longer than an upload waits for an engine that is away.
    await delay(12_000);
    engine.server = await startOpenSearch({ home: engine.home, port: engine.server.port });
    expect(await upload(service, 'back.txt')).toMatchObject({ ok: true });
    await delay(1_000);
    isOver = true;
    const answers = await uploading;
    const stored = await storedUploads(engine.server.url, 'uploads_docs');
    const accepted = [...namesOf(answers, true), 'back.txt'].sort();
    const refused = namesOf(answers, false);
    expect(accepted.filter((name) => !stored.includes(name))).toEqual([]);
    expect(new Set(stored).size).toBe(stored.length);
    expect(stored.filter((name) => !accepted.includes(name) && !refused.includes(name))).toEqual([]);
    expect(refused.length).toBeGreaterThan(0);
    for (const name of refused) expect(answers.get(name)?.['message']).toContain(engine.server.url);
    expect(await stop(service)).toBe(0);
  });

  describe('of a kind that only a proxy can make', () => {
    const bulk = /^POST .*\/_bulk/;
    const busy = { error: { type: 'es_rejected_execution_exception', reason: 'rejected execution' }, status: 429 };
    /** Every second document of the answer is said to have been rejected for lack of space. */
    const everySecond = (text: string): string => {
      const { items } = JSON.parse(text) as { items: { index: { _id: string } }[] };
      const changed = items.map(({ index }, at) => (at % 2 === 0 ? { index } : { index: { _id: index._id, ...busy } }));
      return JSON.stringify({ items: changed });
    };
    const faults: [string, ProxyStep][] = [
      ['429 for whole requests', { on: bulk, times: 3, act: { kind: 'answer', status: 429, body: busy } }],
      ['429 for every second document', { on: bulk, times: 3, act: { kind: 'rewrite', change: everySecond } }],
      ['answers that break off in the middle', { on: bulk, times: 3, act: { kind: 'cut_within', share: 0.5 } }],
      ['answers that never come', { on: bulk, times: 3, act: { kind: 'cut_after' } }],
      ['connections that break before the request', { on: bulk, times: 3, act: { kind: 'cut_before' } }],
      [
        'a proxy that has lost its server',
        { on: bulk, times: 3, act: { kind: 'answer', status: 502, body: '<html>' } },
      ],
    ];
    let proxy: ScriptedProxy;
    let run = 0;

    beforeEach(async () => {
      proxy = await ScriptedProxy.start({ target: engine.server.url });
      run += 1;
    });
    afterEach(() => proxy.close());

    test.each(faults)('%s: the crawl and the uploads come through, each document once', async (_, fault) => {
      const tree = jobs.makeTree(proxy.url, `odd-${run}`, 400);
      const service = await jobs.startService([...tree.args, '--loop', '1', '--set', 'engine.bulk_size=20']);
      await service.crawler.printed('now connected to the search engine');
      proxy.script(fault);
      const names = Array.from({ length: 12 }, (__, at) => `upload-${at}.txt`);
      const answers = await Promise.all(names.map((name) => upload(service, name)));
      expect(answers.filter(({ ok }) => ok !== true)).toEqual([]);
      const done = await status(service, ({ state }) => state !== 'RUNNING');
      expect(done).toMatchObject({ state: 'COMPLETED', files_processed: 400, files_failed: 0, last_error: null });
      expect(await storedPaths(engine.server.url, `odd-${run}_docs`)).toEqual(tree.paths);
      expect(await storedUploads(engine.server.url, `odd-${run}_docs`)).toEqual(names.sort());
      expect(await stop(service)).toBe(0);
    });

    test('a document that is refused in the middle of a storm is reported, and the others are not held up', async () => {
      const tree = jobs.makeTree(proxy.url, `odd-${run}`, 1);
      const service = await jobs.startService([...tree.args, '--loop', '0']);
      await service.crawler.printed('now connected to the search engine');
      const refusal = { type: 'mapper_parsing_exception', reason: 'failed to parse field [x]' };
      const refuse = (text: string): string => {
        const { items } = JSON.parse(text) as { items: { index: { _id: string } }[] };
        const [first, ...others] = items.map(({ index }) => ({ index }));
        return JSON.stringify({
          items: [{ index: { _id: first?.index._id, status: 400, error: refusal } }, ...others],
        });
      };
      proxy.script({ on: bulk, act: { kind: 'answer', status: 429, body: busy } });
      proxy.script({ on: bulk, act: { kind: 'rewrite', change: refuse } });
      const answers = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => upload(service, name)));
      const refused = answers.filter(({ ok }) => ok !== true);
      expect(refused).toEqual([
        expect.objectContaining({ message: expect.stringContaining('failed to parse field [x]') }),
      ]);
      expect(await stop(service)).toBe(0);
    });
  });
});
