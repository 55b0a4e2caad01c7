import { renameSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LocalSource } from '../../../src/source/local/local-source.js';
import { ScanBench } from '../../support/scan-bench.js';

let bench: ScanBench;

beforeEach(() => {
  bench = new ScanBench();
});
afterEach(() => bench.dispose());

function stateOf(name: string): string | undefined {
  return bench.catalog.records.fileByPath(dirname(bench.path(name)), basename(name))?.state;
}

describe('a file that takes the old name of a moved one keeps its document and its record', () => {
  test('as logs do that are rotated', async () => {
    for (const name of ['report-0.txt', 'report-1.txt']) bench.file(name);
    await bench.run();
    renameSync(bench.path('report-1.txt'), bench.path('report-2.txt'));
    renameSync(bench.path('report-0.txt'), bench.path('report-1.txt'));
    bench.file('report-0.txt', 'a new one');
    await bench.run();
    const names = ['report-0.txt', 'report-1.txt', 'report-2.txt'];
    expect(bench.indexed()).toEqual(names);
    expect(bench.extracted()).toEqual(names);
    expect(names.map(stateOf)).toEqual(['indexed', 'indexed', 'indexed']);
    await bench.run();
    expect(bench.extracted()).toEqual([]);
  });

  test('where it is written while the move is under way', async () => {
    bench.file('a/other.txt');
    await bench.run();
    // Folders are scanned in the order in which they were found.
    bench.file('b/report.txt', 'old');
    await bench.run();
    renameSync(bench.path('b/report.txt'), bench.path('a/moved.txt'));
    const order: string[] = [];
    const happened = async (what: string): Promise<void> => {
      while (!order.includes(what)) await delay(5);
    };
    const move = bench.port.move.bind(bench.port);
    bench.port.move = async (request) => {
      bench.file('b/report.txt', 'new');
      order.push('move begins');
      await happened('listed');
      const outcome = await move(request);
      order.push('moved');
      return outcome;
    };
    bench.port.barrier = (path) => Promise.resolve(void order.push(path.slice(bench.root.length + 1)));
    const source = new LocalSource({ followSymlinks: false });
    bench.source = source;
    const list = source.list.bind(source);
    source.list = async function* (folder, signal) {
      if (folder === bench.path('b')) await happened('move begins');
      yield* list(folder, signal);
      // Time enough to send the file, if nothing made it wait.
      if (folder === bench.path('b')) setTimeout(() => order.push('listed'), 100);
    };
    await bench.run();
    expect(order).toEqual(['move begins', 'listed', 'moved', 'b/report.txt']);
    expect(bench.indexed()).toEqual(['a/moved.txt', 'a/other.txt', 'b/report.txt']);
    expect(['a/moved.txt', 'b/report.txt'].map(stateOf)).toEqual(['indexed', 'indexed']);
  });
});
