import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { runCrawler, searchDocuments } from '../../support/crawler-process.js';
import { isAlive, until } from '../../support/misbehaving-sandbox.js';
import { freePort } from '../../support/program.js';
import { linesOf, noServer, StoppingBench, stopWhen, textFiles } from '../../support/stopping-bench.js';
import {
  expectSecondSignalEnds,
  expectCommandStops,
  expectCrawlStops,
  expectStartStops,
  expectWaitForEngineStops,
} from '../../support/expect-stops.js';
import { CTRL_C, inTerminal } from '../../support/terminal.js';

/** The real binary and the signals that end it, in everything that it may be doing when they come. test/full/stopping.test.ts has more. */
const bench = new StoppingBench();
afterEach(() => bench.endAll());
afterAll(() => bench.remove());

describe('the first signal', () => {
  test('finishes what is in hand and drops the queue: nothing is lost or done twice', async () => {
    await expectCrawlStops(bench, 'SIGTERM');
  }, 120_000);

  test('waits for the documents in hand, and for no other', async () => {
    const { docs, config, args, pictures } = bench.place();
    const names = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png'];
    const slow = await pictures(names, 'sleep 2; echo finished words');
    const crawler = bench.start([...args, ...slow.settings]);
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
    const { docs, config, args, pictures } = bench.place();
    const deed = '[ -e "$0".again ] && { echo finished words; exit; }; touch "$0".again; exec sleep 60';
    const slow = await pictures(['a.png'], deed);
    const crawler = bench.start([...args, ...slow.settings]);
    // The process is there before it has done its first deed.
    await until(() => slow.processes.length === 2 && existsSync(`${slow.path}.again`), 30_000);
    for (const pid of [crawler.child.pid!, ...slow.processes]) process.kill(pid, 'SIGTERM');
    expect((await crawler.finished).code).toBe(0);
    expect(await searchDocuments([docs, 'finished', '--config_dir', config])).toHaveLength(1);
  }, 60_000);
});

describe('the second signal', () => {
  test('ends the program by that signal, with everything that it has started', async () => {
    await expectSecondSignalEnds(bench, 'SIGINT');
  }, 60_000);

  test('is not the same one once more, as npm and timeout pass it on', async () => {
    const { args, pictures } = bench.place();
    const slow = await pictures(['a.png'], 'sleep 1; echo words');
    const crawler = bench.start([...args, ...slow.settings]);
    await until(() => slow.processes.length === 2, 30_000);
    crawler.child.kill('SIGINT');
    crawler.child.kill('SIGINT');
    expect(await crawler.finished).toMatchObject({ code: 0, stdout: expect.stringContaining('indexed 1 document;') });
  }, 60_000);
});

describe('a signal is obeyed', () => {
  test('while the search engine is waited for', async () => {
    await expectWaitForEngineStops(bench, 'SIGHUP');
  });

  test('while a Tika server is waited for', async () => {
    const { args } = bench.place();
    const tika = ['--set', 'extractor.provider=tika', '--set', `extractor.tika.url=${await noServer()}`];
    const { code } = await stopWhen(bench.start([...args, ...tika]), 'Waiting for the Tika server', 'SIGTERM');
    expect(code).toBe(0);
  });

  test('while a source that is away is backed off from', async () => {
    const { config } = bench.place();
    const job = join(config, 'share');
    mkdirSync(job, { recursive: true });
    const server = { hostname: '127.0.0.1', port: await freePort(), username: 'nobody', password: 'none' };
    writeFileSync(join(job, '_settings.json'), JSON.stringify({ fs: { url: '/data', provider: 'ftp' }, server }));
    const crawler = bench.start(['share', '--config_dir', config]);
    const { code } = await stopWhen(crawler, 'retry 2/10 follows', 'SIGINT');
    expect(code).toBe(0);
  });

  test('while an engine that is busy is backed off from: what it has not taken stays pending', async () => {
    const { docs, args } = bench.place();
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
      const crawler = bench.start([...args, ...url]);
      const { code, stdout } = await stopWhen(crawler, 'HTTP status 429. Trying again in', 'SIGTERM');
      expect(code).toBe(0);
      expect(linesOf(stdout).at(-1)).toMatch(/This run indexed 0 documents; .* pending\. The next start resumes\.$/);
    } finally {
      engine.closeAllConnections();
      engine.close();
    }
  }, 60_000);

  test('between two runs', async () => {
    const { docs, args } = bench.place();
    writeFileSync(join(docs, 'a.txt'), 'a');
    const { code, stdout } = await stopWhen(bench.start(args), 'Will restart at', 'SIGTERM');
    expect(code).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatch(/Its last scan was complete: nothing is pending\.$/);
  });

  test('at the start', async () => {
    await expectStartStops(bench, 300);
  }, 60_000);

  test('by crawler verify, which ends with the code of the signal', async () => {
    const tika = ['--set', 'extractor.provider=tika'];
    await expectCommandStops(bench, ['verify', tika, 'Waiting for the Tika server', 'Stopped.']);
  }, 60_000);

  test('after a library has left a timer behind', async () => {
    const { config } = bench.place();
    const args = ['uploads', '--loop', '0', '--rest', '--config_dir', config];
    const service = bench.start([...args, '--set', 'rest.url=http://127.0.0.1:0']);
    let output = '';
    service.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await service.printed('Rest service started on');
    const url = /Rest service started on \[([^\]]+)\]/.exec(output)?.[1] ?? '';
    // A key that no header takes: the client of S3 fails at once, and its timers go on.
    const s3 = { url: 'http://127.0.0.1:9', bucket: 'b', object: 'a.pdf', access_key: '\u2026', secret_key: 's' };
    const body = JSON.stringify({ type: 's3', s3 });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/_document`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ ok: false });
    service.child.kill('SIGTERM');
    expect(await service.finished).toMatchObject({ code: 0, signal: null });
  }, 60_000);

  test('by crawler search, while the engine is asked again', async () => {
    const { docs, config, args } = bench.place();
    writeFileSync(join(docs, 'a.txt'), 'a');
    await runCrawler([...args, '--loop', '1']);
    // It takes the question and never answers.
    let asked: () => void = () => undefined;
    const question = new Promise<void>((resolve) => (asked = resolve));
    const engine = createServer(() => asked());
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
    const { port } = engine.address() as { port: number };
    const url = `engine.urls=http://127.0.0.1:${port}`;
    const crawler = bench.start(['search', docs, 'a', '--config_dir', config, '--set', url]);
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
  const { docs, config, job, args } = bench.place();
  writeFileSync(join(docs, 'a.txt'), 'a');
  await runCrawler([...args, '--loop', '1']);
  renameSync(docs, `${docs}-away`);
  const { code, stdout, stderr } = await runCrawler([basename(job), '--config_dir', config, '--loop', '1']);
  expect(code).toBe(1);
  expect(stdout).toContain('The index holds 1 document: 1 txt.');
  expect(linesOf(stderr).at(-1)).toBe(`Nothing was scanned: [${docs}] does not exist (any more).`);
});

/** CTRL+C in a terminal: the whole foreground process group is signalled, by the terminal and not by a person's `kill`. */
describe('in a terminal', () => {
  test('CTRL+C finishes the document in hand, whose processes do not hear it', async () => {
    const { docs, config, args, pictures } = bench.place();
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
    const { args, pictures } = bench.place();
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
