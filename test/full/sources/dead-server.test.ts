import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { Crawler } from '../../../src/crawler/crawler.js';
import type { ScanEnd, ScanRequest, ScanRunner } from '../../../src/crawler/scan/scan-runner.js';
import type { TreeSource } from '../../../src/source/source.js';
import { CheckpointFile } from '../../../src/state/checkpoint-file.js';
import { FtpServer } from '../../support/ftp-server.js';
import { InstantClock } from '../../support/instant-clock.js';
import { describeWith } from '../../support/program.js';
import { ftpSource, sshSource } from '../../support/remote-sources.js';
import { ScanBench } from '../../support/scan-bench.js';
import { SshServer } from '../../support/ssh-server.js';

/** Real scans, in this thread; nobody pauses them, and nothing is watched. */
class BenchRunner implements Pick<ScanRunner, 'unfinished' | 'run' | 'heldDeletions' | 'close'> {
  readonly #bench: ScanBench;
  readonly requests: ScanRequest[] = [];
  /** Called before each scan. */
  onRun: (time: number) => Promise<void> = () => Promise.resolve();

  constructor(bench: ScanBench, clock: InstantClock) {
    this.#bench = bench;
    bench.clock = clock;
  }

  unfinished(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async run(request: ScanRequest): Promise<ScanEnd> {
    this.requests.push(request);
    await this.onRun(this.requests.length);
    return await this.#bench.newScan().run(request);
  }

  heldDeletions(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

interface DeadServer {
  readonly files: string;
  readonly root: string;
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

function suite(name: string, startServer: () => Promise<{ server: DeadServer; source: TreeSource }>): void {
  describe(name, () => {
    let server: DeadServer;
    let source: TreeSource;
    let bench: ScanBench;
    let clock: InstantClock;
    let runner: BenchRunner;
    let folder: string;
    let crawler: Crawler;
    let checkpoints: CheckpointFile;

    beforeEach(async () => {
      ({ server, source } = await startServer());
      bench = new ScanBench().set(`fs.url=${server.root}`);
      bench.source = source;
      folder = mkdtempSync(join(tmpdir(), 'dead-server-'));
      checkpoints = new CheckpointFile(folder);
      clock = new InstantClock();
      runner = new BenchRunner(bench, clock);
      crawler = new Crawler({
        job: 'job',
        root: server.root,
        updateRateMs: 60_000,
        updateRateText: '1m',
        rules: { loops: 1, staysUp: false },
        continueOnError: true,
        watches: false,
        runner: runner as unknown as ScanRunner,
        checkpoints,
        clock,
        logger: silentLogger,
      });
    });
    afterEach(async () => {
      await source.close();
      await server.stop();
      bench.dispose();
      rmSync(folder, { recursive: true, force: true });
    });

    test('the tenth failure in a row ends the run in ERROR, after waits that double from one second', async () => {
      await server.down();
      await crawler.start(false);
      expect(await crawler.ended).toEqual({ failed: true });
      expect(runner.requests).toHaveLength(10);
      expect(clock.slept.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256].map((seconds) => seconds * 1000));
      expect(crawler.status()).toMatchObject({
        state: 'ERROR',
        lastError: expect.stringContaining('127.0.0.1') as unknown,
      });
      expect(await checkpoints.load()).toMatchObject({ state: 'ERROR', last_error: crawler.status().lastError });
    });

    test('a server that is back at the ninth retry is crawled as if nothing had been', async () => {
      await server.down();
      runner.onRun = (time) => (time === 10 ? server.up() : Promise.resolve());
      await crawler.start(false);
      expect(await crawler.ended).toEqual({ failed: false });
      expect(runner.requests.slice(1).every(({ resume }) => resume)).toBe(true);
      expect(crawler.status()).toMatchObject({ state: 'COMPLETED', filesProcessed: 0 });
    });
  });
}

describeWith(['sshd'], 'A crawl over SSH', () => {
  suite('of a server that does not answer', async () => {
    const server = await SshServer.start();
    return { server: Object.assign(server, { root: server.files }), source: sshSource(server) };
  });
});

describeWith(['proftpd'], 'A crawl over FTP', () => {
  suite('of a server that does not answer', async () => {
    const server = await FtpServer.start();
    return { server, source: ftpSource(server) };
  });
});
