import { renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { CrawlerError } from '../../../src/base/errors.js';
import { ScanBench } from '../../support/scan-bench.js';

/**
 * The process dies when the index has changed, and the catalog does not know it yet. Before the next run the folder is again as
 * it was, to the last date: renaming a folder changes nothing in its files.
 */
let bench: ScanBench;

beforeEach(async () => {
  bench = new ScanBench();
  bench.file('one/a.txt', 'A');
  bench.file('one/b.txt', 'B');
  await bench.run();
});
afterEach(() => bench.dispose());

const aside = (): string => bench.path('../aside');

test('a file that was another one while it was read is read again, although it is back as it was listed', async () => {
  bench.file('one/a.txt', 'changed');
  bench.port.barrier = (path) => {
    bench.port.barrier = () => Promise.resolve();
    expect(path).toBe(bench.path('one/a.txt'));
    renameSync(bench.path('one'), aside());
    bench.file('one/a.txt', 'C');
    return Promise.resolve();
  };
  await bench.run();
  rmSync(bench.path('one'), { recursive: true });
  renameSync(aside(), bench.path('one'));
  await bench.run();
  expect(bench.extracted()).toEqual(['one/a.txt']);
  await bench.run();
  expect(bench.extracted()).toEqual([]);
});

describe('a document that changed in the moment of a crash is made again from the file', () => {
  test('after it was written', async () => {
    renameSync(bench.path('one'), aside());
    bench.file('one/a.txt', 'C');
    const ingest = bench.port.ingest.bind(bench.port);
    bench.port.ingest = async (request) => {
      await ingest(request);
      bench.scan?.stop();
      return { status: 'dropped' };
    };
    expect((await bench.run()).kind).toBe('stopped');
    bench.port.ingest = ingest;
    rmSync(bench.path('one'), { recursive: true });
    renameSync(aside(), bench.path('one'));
    await bench.run();
    expect(bench.extracted()).toContain('one/a.txt');
  });

  test('after it was removed', async () => {
    const write = bench.port.write.bind(bench.port);
    bench.port.write = async (operations) => {
      await write(operations);
      throw new CrawlerError('unavailable', 'The process is gone.');
    };
    bench.set('fs.excludes=*/a.txt');
    expect((await bench.run()).kind).toBe('failed');
    bench.port.write = write;
    bench.set();
    expect(bench.indexed()).toEqual(['one/b.txt']);
    await bench.run();
    expect(bench.indexed()).toEqual(['one/a.txt', 'one/b.txt']);
  });

  test('after it was given to a file elsewhere', async () => {
    renameSync(bench.path('one'), bench.path('two'));
    const move = bench.port.move.bind(bench.port);
    bench.port.move = async (request) => {
      await move(request);
      bench.scan?.stop();
      return { status: 'dropped' };
    };
    expect((await bench.run()).kind).toBe('stopped');
    bench.port.move = move;
    renameSync(bench.path('two'), bench.path('one'));
    await bench.run();
    expect(bench.indexed()).toEqual(['one/a.txt', 'one/b.txt']);
  });
});
