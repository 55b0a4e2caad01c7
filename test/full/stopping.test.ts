import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { runCrawler } from '../support/crawler-process.js';
import { isAlive, until } from '../support/misbehaving-sandbox.js';
import { extractions, linesOf, noServer, StoppingBench, stopWhen, textFiles } from '../support/stopping-bench.js';
import {
  expectSecondSignalEnds,
  expectCommandStops,
  expectCrawlStops,
  expectStartStops,
  expectWaitForEngineStops,
  type StoppedCommand,
} from '../support/expect-stops.js';

/** What test/full/e2e/stopping.test.ts tries with one signal, with all of them; and what takes its time. */
const bench = new StoppingBench();
afterEach(() => bench.endAll());
afterAll(() => bench.remove());

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  test('in the middle of a crawl loses nothing and does nothing twice', async () => {
    await expectCrawlStops(bench, signal);
  }, 120_000);

  test('ends the program when it comes twice, with everything that it has started', async () => {
    await expectSecondSignalEnds(bench, signal);
  }, 60_000);

  test('is obeyed while the search engine is waited for', async () => {
    await expectWaitForEngineStops(bench, signal);
  }, 60_000);
});

describe('the first signal', () => {
  test('gives a document up that takes too long: it stays pending', async () => {
    const { docs, config, args, pictures } = bench.place();
    const slow = await pictures(['endless.png'], 'exec sleep 300');
    writeFileSync(join(docs, 'quick.txt'), 'quick');
    const crawler = bench.start([...args, ...slow.settings], { env: { DOC_LEVEL: 'debug' } });
    await until(() => slow.processes.length === 2 && extractions(config).length === 1, 30_000);
    const processes = slow.processes;
    crawler.child.kill('SIGINT');
    const { code, stdout, stderr } = await crawler.finished;
    expect(code).toBe(0);
    expect(stderr).toContain(`Gave up after 25 s; still pending: [${join(docs, 'endless.png')}].`);
    expect(stdout).toContain('This run indexed 1 document; ');
    await until(() => !processes.some(isAlive));
    const why = await runCrawler(['why', join(docs, 'endless.png'), '--config_dir', config]);
    expect(why.stdout).toContain('waiting for the next scan');
  }, 90_000);
});

describe('a signal is obeyed', () => {
  test('while the service waits for it', async () => {
    const { args } = bench.place();
    const settings = ['--set', `engine.urls=${await noServer()}`, '--set', 'rest.url=http://127.0.0.1:0'];
    const crawler = bench.start([...args, '--rest', ...settings]);
    const { code, stdout } = await stopWhen(crawler, 'Waiting for the search engine', 'SIGTERM');
    expect(code).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatch(/Stopped\. This run indexed 0 documents; .* The next start resumes\.$/);
  });

  test('while a lost catalog is rebuilt: the next run rebuilds it, and reads nothing again', async () => {
    const { docs, config, job, args } = bench.place();
    textFiles(docs, 600);
    await runCrawler([...args, '--loop', '1']);
    rmSync(join(job, 'catalog.db'));
    const crawler = bench.start([...args, '--loop', '1']);
    const { code } = await stopWhen(crawler, 'starting...', 'SIGTERM');
    expect(code).toBe(0);
    const next = await runCrawler([...args, '--loop', '1']);
    expect(next.stdout).toContain('indexed [0], deleted [0]');
    expect((await runCrawler(['verify', docs, '--config_dir', config])).stdout).toContain('agree');
  }, 120_000);

  test.each([0, 50, 100, 200, 300, 400, 600, 800, 1000, 1300])(
    'at the start, %i ms after it',
    async (ms) => {
      await expectStartStops(bench, ms);
    },
    60_000,
  );

  test.each<StoppedCommand>([
    ['push', [], 'Waiting for the search engine', 'The copy was stopped. The same command resumes it.'],
    ['verify', ['--set', 'extractor.provider=tika'], 'Waiting for the Tika server', 'Stopped.'],
    ['plan', ['--set', 'extractor.provider=tika'], 'Waiting for the Tika server', 'Stopped.'],
    ['why', ['--set', 'extractor.provider=tika'], 'Waiting for the Tika server', 'Stopped.'],
  ])(
    'by crawler %s, which ends with the code of the signal',
    async (...command) => {
      await expectCommandStops(bench, command);
    },
    60_000,
  );
});
