import type { SpawnOptions } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  indexedPaths,
  runCrawler,
  searchDocuments,
  startCrawler,
  type Finished,
  type RunningCrawler,
} from '../support/crawler-process.js';
import { isAlive, until } from '../support/misbehaving-sandbox.js';
import { freePort } from '../support/program.js';
import { SlowPictures } from '../support/slow-pictures.js';
import { CTRL_C, inTerminal } from '../support/terminal.js';

/** The real binary and the signals that end it, in everything that it may be doing when they come. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let directory: string;
let made = 0;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-stop-'));
});
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));

interface Place {
  readonly docs: string;
  readonly config: string;
  readonly args: readonly string[];
  /** Pictures among the documents. */
  readonly pictures: (names: readonly string[], deed: string) => Promise<SlowPictures>;
}

/** A folder of documents and a config folder of its own. */
function place(): Place {
  made += 1;
  const docs = join(directory, `docs-${made}`);
  const config = join(directory, `config-${made}`);
  const bin = join(directory, `bin-${made}`);
  for (const folder of [docs, bin]) mkdirSync(folder);
  const pictures = (names: readonly string[], deed: string): Promise<SlowPictures> =>
    SlowPictures.make(docs, bin, names, deed);
  return { docs, config, args: [docs, '--config_dir', config], pictures };
}

/** A failed test may have left a process behind. */
const started: RunningCrawler[] = [];

function start(args: readonly string[], options: SpawnOptions = {}): RunningCrawler {
  const crawler = startCrawler(args, options);
  started.push(crawler);
  return crawler;
}

function textFiles(docs: string, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const folder = join(docs, `folder-${at % 20}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.html`), `<p>Document ${at}. ${'Some words of it. '.repeat(300)}</p>`);
  }
}

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

/** Documents of the log that were indexed, by id. */
function extractions(config: string): string[] {
  const path = join(config, 'logs', 'documents.log');
  const log = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return linesOf(log).flatMap((line) => /\[DEBUG\] \[(\w+)\]\[.*\] Indexed$/.exec(line)?.[1] ?? []);
}

async function stopWhen(crawler: RunningCrawler, text: string, signal: NodeJS.Signals): Promise<Finished> {
  await crawler.printed(text);
  crawler.child.kill(signal);
  return await crawler.finished;
}

describe('the first signal', () => {
  test.each(SIGNALS)(
    '%s in the middle of a crawl: what is in hand is finished, the queue is dropped, nothing is lost or done twice',
    async (signal) => {
      const { docs, config, args } = place();
      textFiles(docs, 600);
      const options = { env: { DOC_LEVEL: 'debug' } };
      const crawler = start([...args, '--set', 'engine.bulk_size=10'], options);
      await until(() => extractions(config).length > 50, 60_000);
      crawler.child.kill(signal);
      const { code, stdout } = await crawler.finished;
      expect(code).toBe(0);
      expect(stdout).toMatch(/Stopping: (no document is in hand|1 document is|\d+ documents are)/);
      const last = /Stopped\. This run indexed ([\d,]+) documents; .+ pending\. The next start resumes\.$/.exec(
        linesOf(stdout).at(-1) ?? '',
      );
      const indexed = Number(last?.[1]?.replace(',', ''));
      expect(await indexedPaths(docs, config)).toHaveLength(indexed);
      expect(indexed).toBeLessThan(600);
      expect(JSON.parse(readFileSync(join(config, `docs-${made}`, '_checkpoint.json'), 'utf8'))).toMatchObject({
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
    },
    120_000,
  );

  test('waits for the documents in hand, and for no other', async () => {
    const { docs, config, args, pictures } = place();
    const names = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png'];
    const slow = await pictures(names, 'sleep 2; echo finished words');
    const crawler = start([...args, ...slow.settings]);
    await until(() => slow.processes.length === 4, 30_000);
    crawler.child.kill('SIGTERM');
    await crawler.printed('Stopping: 2 documents are being finished; a second signal ends now.');
    const { code, stdout } = await crawler.finished;
    expect(code).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatch(/This run indexed 2 documents; .* pending\. The next start resumes\.$/);
    expect(slow.begun).toBe(2);
    const documents = await searchDocuments([docs, 'finished', '--config_dir', config]);
    expect(documents).toHaveLength(2);
  }, 60_000);

  test('that reaches every process of the service, as supervisors send it, spoils no document', async () => {
    const { docs, config, args, pictures } = place();
    const deed = '[ -e "$0".again ] && { echo finished words; exit; }; touch "$0".again; exec sleep 60';
    const slow = await pictures(['a.png'], deed);
    const crawler = start([...args, ...slow.settings]);
    await until(() => slow.processes.length === 2, 30_000);
    for (const pid of [crawler.child.pid!, ...slow.processes]) process.kill(pid, 'SIGTERM');
    expect((await crawler.finished).code).toBe(0);
    expect(await searchDocuments([docs, 'finished', '--config_dir', config])).toHaveLength(1);
  }, 60_000);

  test('gives a document up that takes too long: it stays pending', async () => {
    const { docs, config, args, pictures } = place();
    const slow = await pictures(['endless.png'], 'exec sleep 300');
    writeFileSync(join(docs, 'quick.txt'), 'quick');
    const crawler = start([...args, ...slow.settings]);
    await until(() => slow.processes.length === 2, 30_000);
    const processes = slow.processes;
    crawler.child.kill('SIGINT');
    const { code, stdout, stderr } = await crawler.finished;
    expect(code).toBe(0);
    expect(stderr).toContain(`Given up after 25 s and pending: [${join(docs, 'endless.png')}].`);
    expect(stdout).toContain('This run indexed 1 document; ');
    await until(() => !processes.some(isAlive));
    const why = await runCrawler(['why', join(docs, 'endless.png'), '--config_dir', config]);
    expect(why.stdout).toContain('waiting for the next scan');
  }, 90_000);
});

describe('the second signal', () => {
  test.each(SIGNALS)(
    '%s ends the program by that signal, with everything that it has started',
    async (signal) => {
      const { args, pictures } = place();
      const slow = await pictures(['a.png', 'b.png'], 'exec sleep 300');
      const crawler = start([...args, ...slow.settings]);
      await until(() => slow.processes.length === 4, 30_000);
      const processes = slow.processes;
      crawler.child.kill(signal);
      await crawler.printed('Stopping: 2 documents are being finished');
      await delay(100);
      crawler.child.kill(signal);
      expect(await crawler.finished).toMatchObject({ code: null, signal });
      await until(() => !processes.some(isAlive));
      const again = await runCrawler([...args, '--loop', '1', '--set', 'fs.ocr.enabled=false']);
      expect(again.stdout).toContain('indexed [2], deleted [0]');
    },
    60_000,
  );

  test('is not the same one once more, as npm and timeout pass it on', async () => {
    const { args, pictures } = place();
    const slow = await pictures(['a.png'], 'sleep 1; echo words');
    const crawler = start([...args, ...slow.settings]);
    await until(() => slow.processes.length === 2, 30_000);
    crawler.child.kill('SIGINT');
    crawler.child.kill('SIGINT');
    expect(await crawler.finished).toMatchObject({ code: 0, stdout: expect.stringContaining('indexed 1 document;') });
  }, 60_000);
});

describe('a signal is obeyed', () => {
  const noServer = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;

  test.each(SIGNALS)('%s while the search engine is waited for', async (signal) => {
    const { args } = place();
    const crawler = start([...args, '--loop', '1', '--set', `engine.urls=${await noServer()}`]);
    const { code, stdout } = await stopWhen(crawler, 'Waiting for the search engine', signal);
    expect(code).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatch(/INFO {2}Stopped\.$/);
  });

  test('while the service waits for it', async () => {
    const { args } = place();
    const settings = ['--set', `engine.urls=${await noServer()}`, '--set', 'rest.url=http://127.0.0.1:0'];
    const crawler = start([...args, '--rest', ...settings]);
    const { code, stdout } = await stopWhen(crawler, 'Waiting for the search engine', 'SIGTERM');
    expect(code).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatch(/Stopped\. This run indexed 0 documents; .* The next start resumes\.$/);
  });

  test('while a Tika server is waited for', async () => {
    const { args } = place();
    const tika = ['--set', 'extractor.provider=tika', '--set', `extractor.tika.url=${await noServer()}`];
    const { code } = await stopWhen(start([...args, ...tika]), 'Waiting for the Tika server', 'SIGTERM');
    expect(code).toBe(0);
  });

  test('while a source that is away is backed off from', async () => {
    const { config } = place();
    const job = join(config, 'share');
    mkdirSync(job, { recursive: true });
    const server = { hostname: '127.0.0.1', port: await freePort(), username: 'nobody', password: 'none' };
    writeFileSync(join(job, '_settings.json'), JSON.stringify({ fs: { url: '/data', provider: 'ftp' }, server }));
    const crawler = start(['share', '--config_dir', config]);
    const { code } = await stopWhen(crawler, 'retry 2/10 follows', 'SIGINT');
    expect(code).toBe(0);
  });

  test('while an engine that is busy is backed off from: what it has not taken stays pending', async () => {
    const { docs, args } = place();
    textFiles(docs, 20);
    const engine = createServer((request, response) => {
      request.resume();
      const isBulk = request.url?.includes('_bulk') === true;
      response.writeHead(isBulk ? 429 : 200, {
        'content-type': 'application/json',
        'x-elastic-product': 'Elasticsearch',
      });
      const root = { version: { number: '8.15.0', build_flavor: 'default' } };
      const one = { settings: { index: { uuid: 'one' } }, hits: { total: { value: 0 }, hits: [] } };
      response.end(
        JSON.stringify(
          request.url === '/' ? root : { ...one, one, _shards: { total: 1, failed: 0 }, _scroll_id: 'none' },
        ),
      );
    });
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
    const { port } = engine.address() as { port: number };
    const url = ['--set', `engine.urls=http://127.0.0.1:${port}`, '--set', 'engine.push_templates=false'];
    try {
      const crawler = start([...args, ...url]);
      const { code, stdout } = await stopWhen(crawler, 'HTTP status 429. Trying again in', 'SIGTERM');
      expect(code).toBe(0);
      expect(linesOf(stdout).at(-1)).toMatch(/This run indexed 0 documents; .* pending\. The next start resumes\.$/);
    } finally {
      engine.closeAllConnections();
      engine.close();
    }
  }, 60_000);

  test('between two runs', async () => {
    const { docs, args } = place();
    writeFileSync(join(docs, 'a.txt'), 'a');
    const { code, stdout } = await stopWhen(start(args), 'Will restart at', 'SIGTERM');
    expect(code).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatch(/Its last scan was complete: nothing is pending\.$/);
  });

  test('while a lost catalog is rebuilt: the next run rebuilds it, and reads nothing again', async () => {
    const { docs, config, args } = place();
    textFiles(docs, 600);
    await runCrawler([...args, '--loop', '1']);
    rmSync(join(config, `docs-${made}`, 'catalog.db'));
    const crawler = start([...args, '--loop', '1']);
    const { code } = await stopWhen(crawler, 'starting...', 'SIGTERM');
    expect(code).toBe(0);
    const next = await runCrawler([...args, '--loop', '1']);
    expect(next.stdout).toContain('indexed [0], deleted [0]');
    expect((await runCrawler(['verify', docs, '--config_dir', config])).stdout).toContain('agree');
  }, 120_000);

  test.each([0, 50, 100, 200, 300, 400, 600, 800, 1000, 1300])(
    'at the start, %i ms after it',
    async (ms) => {
      const { docs, config, args } = place();
      textFiles(docs, 40);
      const crawler = start([...args, '--loop', '1']);
      await delay(ms);
      crawler.child.kill('SIGTERM');
      const { code, signal } = await crawler.finished;
      // Before the program itself has begun, the system ends it.
      expect(signal ?? code).toEqual(signal === null ? 0 : 'SIGTERM');
      const next = await runCrawler([...args, '--loop', '1']);
      expect(next.code).toBe(0);
      expect(await indexedPaths(docs, config)).toHaveLength(40);
    },
    60_000,
  );

  test.each<[string, readonly string[], string, string]>([
    ['push', [], 'Waiting for the search engine', 'The copy was stopped. The same command resumes it.'],
    ['verify', ['--set', 'extractor.provider=tika'], 'Waiting for the Tika server', 'Stopped.'],
    ['plan', ['--set', 'extractor.provider=tika'], 'Waiting for the Tika server', 'Stopped.'],
    ['why', ['--set', 'extractor.provider=tika'], 'Waiting for the Tika server', 'Stopped.'],
  ])(
    'by crawler %s, which ends with the code of the signal',
    async (command, options, waiting, sentence) => {
      const { docs, config, args } = place();
      const file = join(docs, 'a.txt');
      writeFileSync(file, 'a');
      await runCrawler([...args, '--loop', '1']);
      const url = await noServer();
      const target = command === 'push' ? ['--to', url] : ['--set', `extractor.tika.url=${url}`];
      const subject = command === 'why' ? file : docs;
      const crawler = start([command, subject, '--config_dir', config, ...options, ...target]);
      const { code, stderr } = await stopWhen(crawler, waiting, 'SIGTERM');
      expect(code).toBe(143);
      expect(linesOf(stderr).at(-1)).toBe(sentence);
    },
    60_000,
  );

  test('by crawler search, while the engine is asked again', async () => {
    const { docs, config, args } = place();
    writeFileSync(join(docs, 'a.txt'), 'a');
    await runCrawler([...args, '--loop', '1']);
    // It takes the question and never answers.
    let asked: () => void = () => undefined;
    const question = new Promise<void>((resolve) => (asked = resolve));
    const engine = createServer(() => asked());
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
    const { port } = engine.address() as { port: number };
    const url = `engine.urls=http://127.0.0.1:${port}`;
    const crawler = start(['search', docs, 'a', '--config_dir', config, '--set', url]);
    try {
      await question;
      crawler.child.kill('SIGINT');
      expect(await crawler.finished).toMatchObject({ code: 130, stderr: 'Stopped.\n' });
    } finally {
      engine.closeAllConnections();
      engine.close();
    }
  }, 60_000);
});

test('a root that is missing is said, with exit code 1, and nothing is removed', async () => {
  const { docs, config, args } = place();
  writeFileSync(join(docs, 'a.txt'), 'a');
  await runCrawler([...args, '--loop', '1']);
  renameSync(docs, `${docs}-away`);
  const { code, stdout, stderr } = await runCrawler([`docs-${made}`, '--config_dir', config, '--loop', '1']);
  expect(code).toBe(1);
  expect(stdout).toContain('The index holds 1 document: 1 txt.');
  expect(linesOf(stderr).at(-1)).toBe(`Nothing was scanned: [${docs}] does not exist (any more).`);
});

/** CTRL+C in a terminal: the whole foreground process group is signalled, by the terminal and not by a person's `kill`. */
describe('in a terminal', () => {
  test('CTRL+C finishes the document in hand, whose processes do not hear it', async () => {
    const { docs, config, args, pictures } = place();
    const slow = await pictures(['a.png'], 'sleep 2; echo finished words');
    const terminal = inTerminal([...args, ...slow.settings]);
    await until(() => slow.processes.length === 2, 30_000);
    terminal.press(CTRL_C);
    expect(await terminal.code).toBe(0);
    expect(terminal.output()).toContain('Stopping: 1 document is being finished; CTRL+C again ends now.');
    expect(terminal.output()).toContain('Stopped. This run indexed 1 document;');
    expect(slow.begun).toBe(1);
    expect(await searchDocuments([docs, 'finished', '--config_dir', config])).toHaveLength(1);
  }, 60_000);

  test('CTRL+C twice ends at once, with all processes', async () => {
    const { args, pictures } = place();
    const slow = await pictures(['a.png', 'b.png'], 'exec sleep 300');
    const terminal = inTerminal([...args, ...slow.settings]);
    await until(() => slow.processes.length === 4, 30_000);
    const processes = slow.processes;
    terminal.press(CTRL_C);
    await until(() => terminal.output().includes('CTRL+C again ends now.'));
    await delay(100);
    terminal.press(CTRL_C);
    expect(await terminal.code).toBe(130);
    await until(() => !processes.some(isAlive));
  }, 60_000);
});
