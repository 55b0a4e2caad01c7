import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { runCrawler, searchDocuments, type Finished } from '../support/crawler-process.js';
import { EngineJobs, stop, type Service } from '../support/engine-jobs.js';
import { tempDir } from '../support/temp-dir.js';

const jobs = new EngineJobs();
afterAll(() => jobs.end());

/** Forty crawled files and five uploads in one index. */
class DamagedJob {
  readonly #folder = tempDir();
  readonly root = join(this.#folder, 'docs');
  readonly index = join(this.#folder, 'config', 'docs', 'index.db');
  readonly #config = ['--config_dir', join(this.#folder, 'config')];

  async fill(): Promise<void> {
    mkdirSync(this.root);
    for (let at = 0; at < 40; at += 1) {
      writeFileSync(join(this.root, `${at}.txt`), `file${at} ${`word${at} `.repeat(500)}`);
    }
    expect((await this.run()).code).toBe(0);
    const service = await this.serve();
    for (let at = 0; at < 5; at += 1) {
      const form = new FormData();
      form.append('file', new Blob([`letter${at} zebrafish ${`line${at} `.repeat(500)}`]), `letter${at}.txt`);
      const answer = await fetch(`${service.url}/_document`, { method: 'POST', body: form });
      expect(await answer.json()).toMatchObject({ ok: true });
    }
    await stop(service);
  }

  run(): Promise<Finished> {
    return runCrawler([this.root, '--loop', '1', ...this.#config]);
  }

  verify(...more: readonly string[]): Promise<Finished> {
    return runCrawler(['verify', 'docs', ...more, ...this.#config]);
  }

  /** A service whose index is ready. */
  async serve(): Promise<Service> {
    const service = await jobs.startService([this.root, '--loop', '0', ...this.#config]);
    while ((await fetch(`${service.url}/_search`)).status === 503) await sleep(50);
    return service;
  }

  async found(word: string): Promise<number> {
    return (await searchDocuments([this.root, word, '--size', '100', ...this.#config])).length;
  }

  damage(change: (bytes: Buffer) => Buffer): void {
    writeFileSync(this.index, change(readFileSync(this.index)));
  }
}

test('a damaged index is noticed, repaired by the next run, and told of until somebody has read it', async () => {
  const job = new DamagedJob();
  await job.fill();
  expect(await job.verify()).toMatchObject({ code: 0 });
  job.damage((bytes) => bytes.fill(0, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 4 * 8192));
  const noticed = await job.verify();
  expect(noticed.code).toBe(1);
  expect(noticed.stderr).toMatch(/The index \[.*\] is damaged: .* The next run of the job repairs it\./);

  // A file that has changed has to be written to the damaged index.
  writeFileSync(join(job.root, '0.txt'), 'file0 has changed');
  const run = await job.run();
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/WARN .* was damaged: .* documents were recovered\./);
  expect(await job.found('file*')).toBe(40);

  const after = await job.verify();
  expect(after.code).toBe(1);
  expect(after.stdout).toContain('Tree, catalog and index agree.');
  expect(after.stdout).toMatch(/\[crawler verify docs --acknowledge.*\] confirms that you have read this\./);
  const acknowledged = await job.verify('--acknowledge');
  expect(acknowledged).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Acknowledged: The index/) });
  expect((await job.verify()).code).toBe(0);
}, 120_000);

test('uploads that went with the index are reported by the status until somebody has acknowledged them', async () => {
  const job = new DamagedJob();
  await job.fill();
  expect(await job.found('zebrafish')).toBe(5);
  rmSync(job.index);
  const run = await job.run();
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/is gone or was replaced\. It held 46 documents, 5 of them without a file behind them/);
  expect((await job.verify()).code).toBe(1);

  const service = await job.serve();
  const status = async (): Promise<unknown> => (await fetch(`${service.url}/_crawler/status`)).json();
  expect(await status()).toMatchObject({ index_incidents: [{ documents: 46, recovered: 0, lost: 5, kept: null }] });
  const acknowledge = (): Promise<Response> => fetch(`${service.url}/_crawler/acknowledge`, { method: 'POST' });
  expect(await (await acknowledge()).json()).toEqual({ ok: true, message: 'Acknowledged: 1.' });
  expect(await (await acknowledge()).json()).toEqual({ ok: true, message: 'Nothing to acknowledge.' });
  expect(await status()).toMatchObject({ index_incidents: null });
  await stop(service);
  expect((await job.verify()).code).toBe(0);
}, 120_000);
