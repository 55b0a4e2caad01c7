import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { indexedPaths, runCrawler } from './crawler-process.js';
import { isAlive, until } from './misbehaving-sandbox.js';
import { extractions, linesOf, noServer, stopWhen, textFiles, type StoppingBench } from './stopping-bench.js';

/** What is tried with one signal, moment or command by `npm test`, and with all of them by test/full. */

/** In the middle of a crawl: what is in hand is finished, the queue is dropped, nothing is lost or done twice. */
export async function expectCrawlStops(bench: StoppingBench, signal: NodeJS.Signals): Promise<void> {
  const { docs, config, job, args } = bench.place();
  textFiles(docs, 600);
  const options = { env: { DOC_LEVEL: 'debug' } };
  const crawler = bench.start([...args, '--set', 'engine.bulk_size=10'], options);
  await until(() => extractions(config).length > 50, 60_000);
  crawler.child.kill(signal);
  const { code, signal: endedBy, stdout, stderr } = await crawler.finished;
  // What it has printed says more of a stop that went wrong than a code that is not there.
  expect([code, endedBy, code === 0 ? '' : stdout + stderr]).toEqual([0, null, '']);
  expect(stdout).toMatch(/Stopping: (no document is being processed|1 document is|\d+ documents are)/);
  const last = /Stopped\. This run indexed ([\d,]+) documents; .+ pending\. The next start resumes\.$/.exec(
    linesOf(stdout).at(-1) ?? '',
  );
  const indexed = Number(last?.[1]?.replace(',', ''));
  expect(await indexedPaths(docs, config)).toHaveLength(indexed);
  expect(indexed).toBeLessThan(600);
  expect(JSON.parse(readFileSync(join(job, '_checkpoint.json'), 'utf8'))).toMatchObject({
    state: 'STOPPED',
    files_processed: indexed,
  });
  const rest = await runCrawler([...args, '--loop', '1'], options);
  expect(rest.code).toBe(0);
  expect(rest.stdout).toContain(
    `indexed [600], deleted [0], of them [${600 - indexed}] indexed since the scan was resumed.`,
  );
  const ids = extractions(config);
  expect([ids.length, new Set(ids).size]).toEqual([600, 600]);
  expect((await runCrawler(['verify', docs, '--config_dir', config])).stdout).toContain('agree');
}

/** The second signal ends the program by that signal, with everything that it has started. */
export async function expectSecondSignalEnds(bench: StoppingBench, signal: NodeJS.Signals): Promise<void> {
  const { args, pictures } = bench.place();
  const slow = await pictures(['a.png', 'b.png'], 'exec sleep 300');
  const crawler = bench.start([...args, ...slow.settings]);
  await until(() => slow.processes.length === 4, 30_000);
  const processes = slow.processes;
  crawler.child.kill(signal);
  await crawler.printed('Stopping: 2 documents are being finished');
  // What follows within a twentieth of a second is taken for the same signal: on a busy machine that may take longer.
  await delay(500);
  crawler.child.kill(signal);
  expect(await crawler.finished).toMatchObject({ code: null, signal });
  await until(() => !processes.some(isAlive));
  const again = await runCrawler([...args, '--loop', '1', '--set', 'fs.ocr.enabled=false']);
  expect(again.stdout).toContain('indexed [2], deleted [0]');
}

/** While the search engine is waited for. */
export async function expectWaitForEngineStops(bench: StoppingBench, signal: NodeJS.Signals): Promise<void> {
  const { args } = bench.place();
  const crawler = bench.start([...args, '--loop', '1', '--set', `engine.urls=${await noServer()}`]);
  const { code, stdout } = await stopWhen(crawler, 'Waiting for the search engine', signal);
  expect(code).toBe(0);
  expect(linesOf(stdout).at(-1)).toMatch(/INFO {2}Stopped\.$/);
}

/** Soon after the start. */
export async function expectStartStops(bench: StoppingBench, ms: number): Promise<void> {
  const { docs, config, args } = bench.place();
  textFiles(docs, 40);
  const crawler = bench.start([...args, '--loop', '1']);
  await delay(ms);
  crawler.child.kill('SIGTERM');
  const { code, signal } = await crawler.finished;
  // Before the program itself has begun, the system ends it.
  expect(signal ?? code).toEqual(signal === null ? 0 : 'SIGTERM');
  const next = await runCrawler([...args, '--loop', '1']);
  expect(next.code).toBe(0);
  expect(await indexedPaths(docs, config)).toHaveLength(40);
}

/** Command, options, what it prints while it waits, and its last line. */
export type StoppedCommand = readonly [command: string, options: readonly string[], waiting: string, sentence: string];

/** A command ends with the code of the signal. */
export async function expectCommandStops(
  bench: StoppingBench,
  [command, options, waiting, sentence]: StoppedCommand,
): Promise<void> {
  const { docs, config, args } = bench.place();
  const file = join(docs, 'a.txt');
  writeFileSync(file, 'a');
  await runCrawler([...args, '--loop', '1']);
  const url = await noServer();
  const target = command === 'push' ? ['--to', url] : ['--set', `extractor.tika.url=${url}`];
  const subject = command === 'why' ? file : docs;
  const crawler = bench.start([command, subject, '--config_dir', config, ...options, ...target]);
  const { code, stderr } = await stopWhen(crawler, waiting, 'SIGTERM');
  expect(code).toBe(143);
  expect(linesOf(stderr).at(-1)).toBe(sentence);
}
