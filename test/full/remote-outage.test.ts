import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Checkpoint } from '../../src/state/checkpoint.js';
import { indexedPaths, startCrawler, type RunningCrawler } from '../support/crawler-process.js';
import { CuttingProxy } from '../support/cutting-proxy.js';
import { describeWith } from '../support/program.js';
import { SshServer } from '../support/ssh-server.js';

/** The real binary crawls over SFTP from a real server that goes away in the middle, and comes back. */
const FOLDERS = 40;
const PER_FOLDER = 20;
const FILES = FOLDERS * PER_FOLDER;

describeWith(['sshd'], 'a server that goes away in the middle of a crawl', () => {
  let server: SshServer;
  let proxy: CuttingProxy;
  let config: string;

  beforeAll(async () => {
    server = await SshServer.start();
    proxy = await CuttingProxy.start({ ports: [server.port] });
    config = mkdtempSync(join(tmpdir(), 'crawler-outage-'));
    for (let at = 0; at < FILES; at += 1) {
      const folder = join(server.files, `folder-${at % FOLDERS}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `document-${at}.txt`), `Document number ${at}. ${'word '.repeat(2000)}`);
    }
    const job = join(config, 'share');
    mkdirSync(job);
    const settings = {
      fs: { url: server.files, provider: 'ssh' },
      server: { hostname: '127.0.0.1', port: proxy.port, username: server.user, pem_path: server.key },
      engine: { bulk_size: 20 },
    };
    writeFileSync(join(job, '_settings.json'), JSON.stringify(settings));
  });
  afterAll(async () => {
    await proxy.stop();
    await server.stop();
    rmSync(config, { recursive: true, force: true, maxRetries: 10 });
  });

  const start = (): RunningCrawler =>
    startCrawler(['share', '--loop', '1', '--config_dir', config], { env: { DOC_LEVEL: 'debug' } });

  /** Takes the server away when so many bytes have come from it. */
  const goAwayAfter = (afterBytes: number): Promise<void> =>
    new Promise((resolve, reject) => {
      proxy.plan({ kind: 'tell', afterBytes, then: () => void server.down().then(resolve, reject) });
    });

  const everyFile = (): string[] =>
    readdirSync(server.files)
      .flatMap((folder) => readdirSync(join(server.files, folder)).map((name) => join(server.files, folder, name)))
      .sort();

  const checkpoint = (): Partial<Checkpoint> => {
    try {
      return JSON.parse(readFileSync(join(config, 'share', '_checkpoint.json'), 'utf8')) as Checkpoint;
    } catch {
      return {};
    }
  };

  async function untilRetried(times: number, running: RunningCrawler): Promise<Partial<Checkpoint>> {
    while ((checkpoint().retry_count ?? 0) < times && running.child.exitCode === null) await delay(50);
    return checkpoint();
  }

  const timesIndexed = (): number =>
    readFileSync(join(config, 'logs', 'documents.log'), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('] Indexed')).length;

  test('the first crawl waits, says so, resumes where it stopped, and has every document once', async () => {
    const gone = goAwayAfter(FILES * 10_000 * 0.5);
    const running = start();
    await gone;
    const waiting = await untilRetried(2, running);
    expect(waiting).toMatchObject({
      state: 'RUNNING',
      last_error: expect.stringContaining(`127.0.0.1:${proxy.port}`) as unknown,
    });
    const before = timesIndexed();
    expect([before > 0, before < FILES]).toEqual([true, true]);
    await server.up();
    const { code, stdout, stderr } = await running.finished;
    expect([code, stdout]).toEqual([0, expect.stringContaining('deleted [0]')]);
    expect(stderr).toMatch(/Network error while crawling .*retry 1\/10 follows: .*retry 2\/10 follows: /s);
    expect(await indexedPaths('share', config)).toEqual(everyFile());
    // What had its outcome before is not read again.
    expect(timesIndexed()).toBe(FILES);
    expect(checkpoint()).toMatchObject({ state: 'COMPLETED', retry_count: 0 });
  });

  test('a scan that is broken off, and a process that is ended meanwhile, remove nothing', async () => {
    rmSync(join(server.files, 'folder-0', 'document-0.txt'));
    const gone = goAwayAfter(8_000);
    const running = start();
    await gone;
    const waiting = await untilRetried(1, running);
    expect(waiting.files_deleted).toBe(0);
    running.child.kill('SIGTERM');
    await running.finished;
    expect(checkpoint()).toMatchObject({ state: 'STOPPED' });
    expect(await indexedPaths('share', config)).toHaveLength(FILES);

    await server.up();
    const { code, stdout } = await start().finished;
    expect([code, stdout]).toEqual([0, expect.stringContaining('indexed [0], deleted [1]')]);
    expect(await indexedPaths('share', config)).toEqual(everyFile());
  });
});
