import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { indexedPaths, runCrawler, startCrawler, type Finished } from '../support/crawler-process.js';

/**
 * The real binary on disks that take no more. A full disk is played by a limit of the file size (`ulimit -f`), which needs no
 * rights and no mount, and which the program and SQLite meet in the same calls; and by /dev/full for the console.
 */
let directory: string;
let made = 0;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-disk-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));

function place(files: number): { docs: string; config: string; args: string[] } {
  made += 1;
  const docs = join(directory, `docs-${made}`);
  const config = join(directory, `config-${made}`);
  mkdirSync(docs);
  for (let at = 0; at < files; at += 1) {
    writeFileSync(join(docs, `${at}.txt`), `Document number ${at}. ${`word${at} `.repeat(400)}`);
  }
  return { docs, config, args: [docs, '--config_dir', config, '--loop', '1', '--set', 'fs.ocr.enabled=false'] };
}

/** No file may grow beyond this. */
function runWithin(kilobytes: number, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return startCrawler(args, { env }, ['sh', '-c', `ulimit -f ${kilobytes * 2} && exec "$0" "$@"`]).finished;
}

/** No stack, no abort: a person is told in sentences. */
function expectSentences({ signal, stderr }: Finished): void {
  expect(signal).toBeNull();
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+|Fatal error|node:internal/m);
}

describe('a log that cannot be written ends nothing', () => {
  test('on a full disk', async () => {
    const { docs, config, args } = place(20);
    const logs = join(directory, 'full-logs');
    mkdirSync(logs);
    // Today's files, and tomorrow's for a test at midnight, are as large as a file may be already.
    for (const days of [0, 1]) {
      const moment = Date.now() + days * 86_400_000 - new Date().getTimezoneOffset() * 60_000;
      const day = new Date(moment).toISOString().slice(0, 10);
      for (const name of ['crawler', 'documents'])
        writeFileSync(join(logs, `${name}-${day}.log`), Buffer.alloc(2 ** 20));
    }
    const run = await runWithin(1024, args, { LOG_DIR: logs, DOC_LEVEL: 'debug' });
    expectSentences(run);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(`The log [${logs}/crawler.log] cannot be written: EFBIG`);
    expect(await indexedPaths(docs, config)).toHaveLength(20);
  }, 60_000);

  test.each([
    ['in a folder that cannot be made', '/proc/crawler-logs'],
    ['below a file', '/dev/null/logs'],
  ])('%s', async (_, logs) => {
    const { docs, config, args } = place(3);
    const run = await runCrawler(args, { env: { LOG_DIR: logs } });
    expectSentences(run);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(
      `The log [${logs}/crawler.log] cannot be written: The folder of the logs (LOG_DIR) [${logs}] cannot be made`,
    );
    expect(await indexedPaths(docs, config)).toHaveLength(3);
  });

  test('on a console that is full', async () => {
    const { docs, config, args } = place(3);
    const full = openSync('/dev/full', 'w');
    const run = await runCrawler(args, { stdio: ['ignore', full, full] });
    expect(run).toMatchObject({ code: 0, signal: null });
    expect(await indexedPaths(docs, config)).toHaveLength(3);
  });

  test('on a console that has gone', async () => {
    const { docs, config, args } = place(3);
    const crawler = startCrawler(args);
    crawler.child.stdout?.destroy();
    crawler.child.stderr?.destroy();
    expect(await crawler.finished).toMatchObject({ code: 0, signal: null });
    expect(await indexedPaths(docs, config)).toHaveLength(3);
  });
});

describe('a config folder on a disk that is full', () => {
  test.each([
    [2, 'before anything'],
    [40, 'when the job is started'],
    [200, 'in the middle of a run'],
    [1500, 'late in a run'],
  ])(
    'at %i KB, %s: a sentence with the folder, exit code 1, and the next run resumes',
    async (kilobytes) => {
      const { docs, config, args } = place(1200);
      const run = await runWithin(kilobytes, args, { LOG_DIR: join(directory, 'other-disk') });
      expectSentences(run);
      expect(run.code).toBe(1);
      const last = run.stderr.trimEnd().split('\n').at(-1) ?? '';
      expect(last).toContain(config);
      expect(last).toMatch(/full|free space/);
      const next = await runCrawler(args);
      expect(next.code).toBe(0);
      expect(await indexedPaths(docs, config)).toHaveLength(1200);
      expect((await runCrawler(['verify', ...args.filter((each) => !/^--loop$|^1$/.test(each))])).stdout).toContain(
        'agree',
      );
    },
    90_000,
  );
});

describe('an upload on a full disk', () => {
  test('is a 507 with a sentence, for the disk of uploads and for that of the index; the service lives on', async () => {
    const { args } = place(1);
    const service = startCrawler([...args, '--rest', '--set', 'rest.url=http://127.0.0.1:0'], {}, [
      'sh',
      '-c',
      'ulimit -f 2048 && exec "$0" "$@"',
    ]);
    let output = '';
    service.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    try {
      await service.printed('Rest service started on');
      const url = /Rest service started on \[([^\]]+)\]/.exec(output)?.[1] ?? '';
      const large = await upload(url, 'large.txt', 'large '.repeat(400_000));
      expect(large).toMatchObject({ status: 507, body: { ok: false } });
      expect(large.body['message']).toContain('(fs.temp_dir) is full. Free some space, and send it again.');
      let refused = await upload(url, '0.txt', '0');
      // Until the disk is full: each document adds some hundred kilobytes of words that are its own.
      for (let at = 1; at < 60 && refused.status === 200; at += 1) {
        const words = Array.from({ length: 6_000 }, (_, word) => `w${at}x${word * 7919}`).join(' ');
        refused = await upload(url, `${at}.txt`, words);
      }
      expect(refused).toMatchObject({ status: 507, body: { ok: false } });
      expect(refused.body['message']).toMatch(
        /^Can not index document \[\d+\.txt\]: The index \[.*\] failed: .*space\.$/,
      );
      expect((await fetch(`${url}/_crawler/status`)).status).toBe(200);
    } finally {
      service.child.kill('SIGTERM');
    }
    expect((await service.finished).code).toBe(0);
  }, 120_000);

  async function upload(
    url: string,
    name: string,
    content: string,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const form = new FormData();
    form.append('file', new Blob([content]), name);
    const response = await fetch(`${url}/_document`, { method: 'POST', body: form });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
});
