import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tempDir } from '../../support/temp-dir.js';
import { checkFile, startWriting } from './writing-process.js';

interface Report {
  readonly refused: readonly { readonly number: number; readonly answers: readonly string[] }[];
  readonly later: readonly unknown[];
  readonly whileFull: number;
  readonly expectedWhileFull: number;
  readonly afterwards: number;
  readonly reopened: number;
  readonly expected: number;
}

/** A small disk of its own, where the system lets an ordinary user mount one in a namespace. */
const MOUNT = 'mount -t tmpfs -o size=8m tmpfs "$0" && exec "$@"';
const NAMESPACE = ['unshare', '-rm', 'sh', '-c', MOUNT];
const [program = '', ...args] = NAMESPACE;
const canMount = spawnSync(program, [...args, tempDir(), 'true']).status === 0;
const testOnSmallDisk = canMount ? test : test.skip;

testOnSmallDisk(
  'on a full disk nothing is half written; with free space again the same documents are taken',
  async () => {
    const directory = tempDir();
    const { ended } = startWriting(join(directory, 'job'), 'full', 'doc', [...NAMESPACE, directory]);
    const report = JSON.parse(await ended) as Report;
    const [refusal] = report.refused;
    expect(refusal?.answers).toEqual([
      expect.stringMatching(/^false unavailable The index \[.*\] failed: the disk is full\./),
    ]);
    expect(report.whileFull).toBe(report.expectedWhileFull);
    expect(report.later).toEqual([]);
    expect(report.afterwards).toBe(report.expected);
    expect(report.reopened).toBe(report.expected);
  },
);

const testWithLimits = process.platform === 'win32' ? test.skip : test;

testWithLimits('a limit of the file size is answered like a full disk, and the file stays whole', async () => {
  const directory = join(tempDir(), 'job');
  mkdirSync(directory);
  const { ended } = startWriting(directory, 'full', 'doc', ['sh', '-c', 'ulimit -f 8192 && exec "$0" "$@"']);
  const report = JSON.parse(await ended) as Report;
  expect(report.refused[0]?.answers).toEqual([
    expect.stringMatching(/^false unavailable The index \[.*\] failed: .*space\./),
  ]);
  expect(report.whileFull).toBe(report.expectedWhileFull);
  const { documents, integrity } = checkFile(join(directory, 'index.db'));
  expect(integrity).toBe('ok');
  expect(documents).toBe(report.expected);
});
