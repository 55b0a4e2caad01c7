import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rmSync } from 'node:fs';
import { Repairer } from '../../../src/operations/verify/repairer.js';
import type { Finding } from '../../../src/operations/verify/findings.js';
import { MemoryEngine } from '../../support/memory-engine.js';
import { ScanBench } from '../../support/scan-bench.js';

let bench: ScanBench;

beforeEach(() => {
  bench = new ScanBench();
});
afterEach(() => bench.dispose());

async function repair(path: string): Promise<void> {
  const rules = bench.rules();
  const repairer = new Repairer({
    catalog: bench.catalog,
    engine: new MemoryEngine(),
    rules,
    signal: new AbortController().signal,
  });
  const id = rules.documentId(bench.root, path);
  const orphan: Finding = {
    kind: 'orphan',
    path: bench.path(path),
    what: 'file',
    pending: false,
    overlooked: true,
    id,
  };
  repairer.add(orphan);
  await repairer.finish();
}

test('a document whose file is gone is removed by the next scan', async () => {
  bench.file('a.txt');
  bench.file('b.txt');
  await bench.run();
  rmSync(bench.path('a.txt'));
  await repair('a.txt');
  expect(bench.indexed()).toEqual(['a.txt', 'b.txt']);
  await bench.run();
  expect(bench.indexed()).toEqual(['b.txt']);
});

test('a document whose file was missing when it was looked for, and was indexed again meanwhile, stays', async () => {
  bench.file('a.txt');
  await bench.run();
  await repair('a.txt');
  await bench.run();
  expect(bench.indexed()).toEqual(['a.txt']);
  expect(bench.catalog.records.fileByPath(bench.root, 'a.txt')?.state).toBe('indexed');
});
