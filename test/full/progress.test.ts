import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCrawler, type RunningCrawler } from '../support/crawler-process.js';
import { PdfBuilder } from '../support/pdf-builder.js';
import { onPage, pictureOfText } from '../support/picture-of-text.js';
import { SlowPictures } from '../support/slow-pictures.js';
import { inTerminal } from '../support/terminal.js';

/** What the real binary says of how far it has come is what is so. */
const PICTURES = Array.from({ length: 40 }, (_, at) => `picture-${at}.png`);

let directory: string;
let made = 0;
const started: RunningCrawler[] = [];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-progress-'));
});
afterAll(() => {
  for (const { child } of started) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

async function slowTree(names: readonly string[], deed: string): Promise<{ docs: string; args: string[] }> {
  made += 1;
  const docs = join(directory, `docs-${made}`);
  const bin = join(directory, `bin-${made}`);
  for (const folder of [docs, bin]) mkdirSync(folder);
  const pictures = await SlowPictures.make(docs, bin, names, deed);
  return { docs, args: [docs, '--config_dir', join(directory, `config-${made}`), ...pictures.settings] };
}

interface Run {
  readonly settled: number;
  readonly indexed: number;
  readonly total: number | null;
  readonly percent: number | null;
  readonly resumed: boolean;
}

interface Status {
  readonly state: string;
  readonly files_processed: number;
  readonly activity: {
    readonly run: Run | null;
    readonly remaining_time: string | null;
    readonly current: readonly { readonly page?: number; readonly pages?: number }[];
  };
}

interface Service {
  readonly crawler: RunningCrawler;
  /** Asks until the answer is as wanted. */
  readonly until: (wanted: (status: Status) => boolean) => Promise<Status>;
}

async function startService(args: readonly string[]): Promise<Service> {
  const crawler = startCrawler([...args, '--rest', '--set', 'rest.url=http://127.0.0.1:0']);
  started.push(crawler);
  let output = '';
  crawler.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await crawler.printed('Rest service started on');
  const url = /Rest service started on \[([^\]]+)\]/.exec(output)?.[1] ?? '';
  const until = async (wanted: (status: Status) => boolean): Promise<Status> => {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const status = (await (await fetch(`${url}/_crawler/status`)).json()) as Status;
      if (wanted(status)) return status;
      await delay(100);
    }
    throw new Error('The status did not become what was wanted.');
  };
  return { crawler, until };
}

test('a bar in a terminal: what is done of all files, the share, a file in hand, and never nothing left to wait for', async () => {
  const { docs, args } = await slowTree(PICTURES, 'sleep 0.4; echo words');
  const terminal = inTerminal([...args, '--loop', '1']);
  expect(await terminal.code).toBe(0);
  const output = terminal.output();
  const counts = [...output.matchAll(/\[(#*)(-*)\] (\d+)\/(\d+) \((\d+)%\)/g)].map(([, full, empty, ...numbers]) => ({
    full: full?.length,
    width: `${full}${empty}`.length,
    numbers: numbers.map(Number),
  }));
  expect(counts.length).toBeGreaterThan(5);
  let before = 0;
  for (const { full, width, numbers } of counts) {
    const [done = 0, total = 0, percent] = numbers;
    expect(total).toBe(PICTURES.length);
    expect(percent).toBe(Math.floor((done / total) * 100));
    expect([full, width]).toEqual([Math.floor((done / total) * 20), 20]);
    expect(done).toBeGreaterThanOrEqual(before);
    before = done;
  }
  expect(output).toMatch(/about \d+s left/);
  expect(output).not.toContain('about 0s left');
  expect(output).toMatch(/ – \S*picture-\d+\.png/);
  expect(output).toContain(`The index holds ${PICTURES.length} documents: ${PICTURES.length} png.`);
  expect(docs).toContain('docs-');
}, 90_000);

test('the status counts the files of this run, also when it resumes a scan', async () => {
  const { args } = await slowTree(PICTURES, 'sleep 0.4; echo words');
  const first = await startService([...args, '--loop', '1']);
  const running = await first.until(({ activity: { run } }) => run?.total !== null && (run?.settled ?? 0) >= 6);
  expect(running.activity.run).toMatchObject({ total: PICTURES.length, resumed: false });
  await first.until(({ activity }) => activity.remaining_time !== null);
  first.crawler.child.kill('SIGTERM');
  const { stdout } = await first.crawler.finished;
  const indexed = Number(/This run indexed (\d+) documents/.exec(stdout)?.[1]);
  expect(stdout).toContain(`; ${PICTURES.length - indexed} files are pending. The next start resumes.`);

  const second = await startService([...args, '--loop', '1']);
  const resumed = await second.until(({ activity: { run } }) => run?.total !== null && (run?.settled ?? 0) >= 1);
  const rest = PICTURES.length - indexed;
  expect(resumed.activity.run).toMatchObject({ total: rest, resumed: true });
  expect(resumed.files_processed).toBe(indexed + (resumed.activity.run?.indexed ?? 0));
  const done = await second.until(({ state }) => state === 'COMPLETED');
  expect(done.activity.run).toMatchObject({ settled: rest, indexed: rest, total: rest, percent: 100 });
  expect(done.activity.remaining_time).toBeNull();
  expect(done.files_processed).toBe(PICTURES.length);
  second.crawler.child.kill('SIGTERM');
  expect((await second.crawler.finished).code).toBe(0);
}, 120_000);

test('the page that is being recognised is reported, on the terminal and in the status', async () => {
  const { docs, args } = await slowTree([], 'sleep 1; echo words');
  const picture = await pictureOfText('Scanned words');
  const builder = new PdfBuilder();
  const pages = Array.from({ length: 8 }, () => ({ lines: [], ...onPage(builder, picture) }));
  writeFileSync(join(docs, 'scan.pdf'), builder.build({ pages }));
  const service = await startService([...args, '--loop', '1']);
  const status = await service.until(({ activity }) => (activity.current[0]?.page ?? 0) > 2);
  expect(status.activity.current[0]).toMatchObject({ pages: 8, page: expect.any(Number) });
  service.crawler.child.kill('SIGKILL');
  await service.crawler.finished;
  const terminal = inTerminal([...args, '--loop', '1']);
  expect(await terminal.code).toBe(0);
  expect(terminal.output()).toMatch(/s in \S*scan\.pdf, recognising page \d of 8/);
}, 90_000);
