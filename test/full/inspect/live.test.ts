import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { retryFailures } from '../../../src/operations/failures/job-failures.js';
import { requestNextScan } from '../../../src/operations/job/next-scan.js';
import type { Job } from '../../../src/app/job.js';
import { InspectedTree } from '../../support/inspected-tree.js';

let tree: InspectedTree;
let job: Job | undefined;

beforeEach(() => {
  tree = new InspectedTree();
});
afterEach(async () => {
  await job?.stop();
  job = undefined;
  tree.dispose();
});

interface Checkpoint {
  readonly state: string;
  readonly scan_id?: string;
  readonly files_processed: number;
}

function checkpoint(): Checkpoint | undefined {
  try {
    return JSON.parse(readFileSync(`${tree.jobDirectory}/_checkpoint.json`, 'utf8')) as Checkpoint;
  } catch {
    return undefined;
  }
}

/** A run in which a file failed ends in ERROR. */
async function untilScanned(after?: string): Promise<string> {
  for (;;) {
    const now = checkpoint();
    const isOver = now?.state === 'COMPLETED' || now?.state === 'ERROR';
    if (isOver && now.scan_id !== undefined && now.scan_id !== after) return now.scan_id;
    await delay(50);
  }
}

/** A crawler that scans once and then waits for a quarter of an hour. */
async function startCrawler(): Promise<string> {
  job = await tree.start(-1);
  return await untilScanned();
}

describe('on a live job', () => {
  test('what the next scan will see is pending, and no difference', async () => {
    tree.file('a.txt');
    tree.file('b.txt');
    await startCrawler();
    expect(await tree.verify()).toMatchObject({ live: true, findings: [], pending: {} });
    tree.file('a.txt', 'changed');
    tree.file('new.txt');
    const answer = await tree.verify();
    expect(answer).toMatchObject({ live: true, differences: {}, pending: { changed: 1, unseen: 1 } });
    expect(await tree.why('new.txt')).toMatchObject({ standing: 'waiting', live: true });
    expect((await tree.why('new.txt')).nextScan).toBeDefined();
  });

  test('what no scan would see is a difference, and --fix has the running crawler repair it', async () => {
    tree.file('a.txt');
    tree.file('b.txt');
    await startCrawler();
    const { id } = await tree.why('a.txt');
    await job?.engine.write([{ kind: 'delete', index: 'job_docs', id }], new AbortController().signal);
    expect(await tree.verify()).toMatchObject({ live: true, differences: { missing: 1 }, pending: {} });
    await tree.verify({ fix: true });
    expect(await tree.verify()).toMatchObject({ live: true, findings: [] });
    expect(await tree.why('a.txt')).toMatchObject({ standing: 'indexed' });
  });

  test('what is under way while it is looked at is no difference', async () => {
    for (let at = 0; at < 300; at += 1) tree.file(`first/file-${at}.txt`);
    const scanned = await startCrawler();
    for (let at = 0; at < 1500; at += 1) tree.file(`second/file-${at}.txt`, `some text ${at}`);
    const { signal, settings, jobDirectory, logger } = tree.place();
    await requestNextScan({ settings, jobDirectory, logger, signal });
    let checks = 0;
    while (checkpoint()?.scan_id === scanned || checkpoint()?.state !== 'COMPLETED') {
      const { differences, findings } = await tree.verify();
      expect({ differences, kinds: findings.filter(({ pending }) => !pending) }).toEqual({
        differences: {},
        kinds: [],
      });
      checks += 1;
    }
    expect(checks).toBeGreaterThan(0);
    expect(await tree.verify()).toMatchObject({ findings: [], counts: { selected: 1800, documents: 1800 } });
  });

  test('--retry begins the next scan at once', async () => {
    tree.file('bad.json', '{');
    tree.set('fs.json_support=true');
    const first = await startCrawler();
    const before = (await tree.why('bad.json')).record?.atMs ?? 0;
    expect(await retryFailures(tree.place(), { reason: undefined, all: false })).toEqual({ queued: 1, live: true });
    await untilScanned(first);
    expect((await tree.why('bad.json')).record?.atMs).toBeGreaterThan(before);
  });
});
