import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runCrawler, startCrawler } from '../support/crawler-process.js';
import { tempDir } from '../support/temp-dir.js';

/** A small disk of its own, where the system lets an ordinary user mount one in a namespace. */
const IN_NAMESPACE = ['unshare', '-rm', 'sh', '-c'];
const [program = '', ...args] = IN_NAMESPACE;
const canMount = spawnSync(program, [...args, 'mount -t tmpfs tmpfs "$0"', tempDir()]).status === 0;
const testOnSmallDisk = canMount ? test : test.skip;

testOnSmallDisk(
  'on a disk that is full already, a run says to free space, and nothing of a lock',
  async () => {
    const [docs, config, logs] = ['docs', 'config', 'logs'].map((name) => join(tempDir(), name));
    if (docs === undefined || config === undefined) throw new Error('unreachable');
    for (const folder of [docs, config]) mkdirSync(folder);
    writeFileSync(join(docs, 'a.txt'), 'a');
    const once = `mount -t tmpfs -o size=2m tmpfs '${config}' && "$0" "$@" && cat /dev/zero > '${config}/rest'; "$0" "$@"`;
    const crawl = [docs, '--config_dir', config, '--loop', '1'];
    const run = await startCrawler(crawl, { env: { LOG_DIR: logs } }, [...IN_NAMESPACE, once]).finished;
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('indexed [1]');
    const last = run.stderr.trimEnd().split('\n').at(-1) ?? '';
    expect(last).toContain(`The disk of [${join(config, 'docs')}] is full or rejects writes`);
    expect(last).toContain('Free some space.');
    expect(run.stderr).not.toContain('lock file');
  },
  60_000,
);

testOnSmallDisk(
  'a backup to a disk that is too small says so and leaves nothing',
  async () => {
    const [docs, config, small] = ['docs', 'config', 'small'].map((name) => join(tempDir(), name));
    if (docs === undefined || config === undefined || small === undefined) throw new Error('unreachable');
    for (const folder of [docs, small]) mkdirSync(folder);
    writeFileSync(join(docs, 'a.txt'), 'a');
    const crawled = await runCrawler([docs, '--config_dir', config, '--loop', '1']);
    expect(crawled.code).toBe(0);
    const backup = `mount -t tmpfs -o size=64k tmpfs '${small}' && { "$0" "$@"; code=$?; ls '${small}'; exit $code; }`;
    const args = ['backup', docs, '--to', join(small, 'backup'), '--config_dir', config];
    const run = await startCrawler(args, {}, [...IN_NAMESPACE, backup]).finished;
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toContain(`The disk of [${join(small, 'backup.partial')}] is full or rejects writes`);
    expect(run.stderr).toContain('Free some space. Nothing of the backup was kept.');
  },
  60_000,
);
