import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { indexedPaths, runCrawler, startCrawler } from '../support/crawler-process.js';

/**
 * The real binary, killed with SIGKILL at random points of a crawl and started again, until it ends by itself: the index
 * must then hold every file once. The seed is printed, so that a failing series can be repeated.
 */
const KILLS = 20;
const FILES = 1500;
/** Documents that may be under way when the process dies: see maxUnderWay in app/job.ts. */
const UNDER_WAY = 3 * 20 + 4 * 64;

const seed = Number(process.env['CRAWLER_TEST_SEED'] ?? Date.now() % 1_000_000);

let directory: string;
let docs: string;
let config: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-kill-'));
  docs = join(directory, 'docs');
  config = join(directory, 'config');
  for (let at = 0; at < FILES; at += 1) {
    const folder = join(docs, `folder-${at % 30}`);
    mkdirSync(folder, { recursive: true });
    // Texts are extracted by the crawl's own thread, pages by the processes.
    const name = `document-${at}.${at % 2 === 0 ? 'txt' : 'html'}`;
    writeFileSync(join(folder, name), `${at % 2 === 0 ? '' : '<p>'}Document number ${at}. ${'word '.repeat(200)}`);
  }
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function allFiles(): string[] {
  return readdirSync(docs)
    .flatMap((folder) => readdirSync(join(docs, folder)).map((name) => join(docs, folder, name)))
    .sort();
}

let written = FILES;

/** New files, changed files, deleted files, and a renamed folder: so that every run has work of all kinds. */
function churn(random: () => number): void {
  const files = allFiles();
  const pick = (): string => files[Math.floor(random() * files.length)] ?? '';
  for (let at = 0; at < 80; at += 1) {
    writeFileSync(join(pick(), '..', `new-${written}.txt`), `Arrived as number ${written}. ${'word '.repeat(100)}`);
    written += 1;
  }
  for (let at = 0; at < 40; at += 1) {
    writeFileSync(pick(), `Changed: ${random()} ${'other '.repeat(150)}`);
    written += 1;
  }
  for (let at = 0; at < 30; at += 1) rmSync(pick(), { force: true });
  const folders = readdirSync(docs);
  const folder = folders[Math.floor(random() * folders.length)] ?? '';
  renameSync(join(docs, folder), join(docs, `renamed-${Math.floor(random() * 1e9)}`));
}

/** Linear congruential: the same seed gives the same series. */
function randomSeries(): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe(`killed at ${KILLS} random points (CRAWLER_TEST_SEED=${seed})`, () => {
  test('loses no document, holds none twice, and reads only again what was under way', async () => {
    const random = randomSeries();
    const args = [docs, '--config_dir', config, '--loop', '1', '--set', 'engine.bulk_size=20'];
    const env = { DOC_LEVEL: 'debug' };
    let kills = 0;
    while (kills < KILLS) {
      churn(random);
      const running = startCrawler(args, { env });
      const delayMs = 200 + random() * 700;
      const timer = setTimeout(() => running.child.kill('SIGKILL'), delayMs);
      const { signal } = await running.finished;
      clearTimeout(timer);
      if (signal === 'SIGKILL') kills += 1;
    }
    const last = await runCrawler(args, { env });
    expect(last.code).toBe(0);
    const expected = allFiles();
    expect(await indexedPaths(docs, config)).toEqual(expected);
    const log = readFileSync(join(config, 'logs', 'documents.log'), 'utf8');
    const extractions = log.split('\n').filter((line) => line.endsWith('] Indexed')).length;
    expect(extractions).toBeLessThanOrEqual(written + KILLS * UNDER_WAY);
    const again = await runCrawler(args, { env });
    expect(again.stdout).toContain('indexed [0], deleted [0]');
  });
});
