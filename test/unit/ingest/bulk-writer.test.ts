import { describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import type { SearchEngine, WriteOperation, WriteOutcome } from '../../../src/engine/engine.js';
import { BulkWriter } from '../../../src/ingest/bulk-writer.js';

/** An engine that notes its batches and answers when it is asked to. */
class StepEngine {
  readonly batches: (readonly WriteOperation[])[] = [];
  answer: (operation: WriteOperation) => WriteOutcome = ({ id }) => ({ ok: true, id: id ?? '?' });
  #release: (() => void)[] = [];
  stepwise = false;

  async write(operations: readonly WriteOperation[]): Promise<readonly WriteOutcome[]> {
    this.batches.push(operations);
    if (this.stepwise) await new Promise<void>((resolve) => this.#release.push(resolve));
    return operations.map((operation) => this.answer(operation));
  }

  releaseOne(): void {
    this.#release.shift()?.();
  }
}

function open(options: { bulkSize?: number; byteSize?: number; flushIntervalMs?: number } = {}): {
  engine: StepEngine;
  writer: BulkWriter;
} {
  const engine = new StepEngine();
  const writer = new BulkWriter({
    engine: engine as unknown as SearchEngine,
    bulkSize: 3,
    byteSize: 0,
    flushIntervalMs: 60_000,
    logger: silentLogger,
    ...options,
  });
  return { engine, writer };
}

function put(id: string, content = ''): WriteOperation {
  return { kind: 'index', index: 'i', id, document: { content } };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('a batch leaves', () => {
  test('when it holds bulk_size operations, and not before', async () => {
    const { engine, writer } = open();
    const outcomes = ['a', 'b'].map((id) => writer.write(put(id)));
    await turn();
    expect(engine.batches).toHaveLength(0);
    outcomes.push(writer.write(put('c')));
    expect(await Promise.all(outcomes)).toEqual(['a', 'b', 'c'].map((id) => ({ ok: true, id })));
    expect(engine.batches.map((batch) => batch.length)).toEqual([3]);
  });

  test('when it holds byte_size bytes; the operation that crosses the limit is in it', async () => {
    const { engine, writer } = open({ bulkSize: 100, byteSize: 5000 });
    const first = writer.write(put('a', 'x'.repeat(1000)));
    await turn();
    expect(engine.batches).toHaveLength(0);
    const second = writer.write(put('b', 'x'.repeat(9000)));
    await Promise.all([first, second]);
    expect(engine.batches.map((batch) => batch.length)).toEqual([2]);
  });

  test('when the flush interval is over', async () => {
    const { engine, writer } = open({ flushIntervalMs: 10 });
    await writer.write(put('a'));
    expect(engine.batches).toHaveLength(1);
  });

  test('when somebody asks, and the flush ends when all that was written before it is answered', async () => {
    const { engine, writer } = open();
    engine.stepwise = true;
    let flushed = false;
    const outcome = writer.write(put('a'));
    const flush = writer.flush().then(() => (flushed = true));
    await turn();
    expect(flushed).toBe(false);
    engine.releaseOne();
    expect(await outcome).toEqual({ ok: true, id: 'a' });
    await flush;
    expect(flushed).toBe(true);
  });
});

describe('while batches are with the engine', () => {
  /** Numbers of operations in the batches so far. */
  const sizes = (engine: StepEngine): number[] => engine.batches.map((batch) => batch.length);
  const writeMany = (writer: BulkWriter, ...ids: readonly string[]): Promise<WriteOutcome>[] =>
    ids.map((id) => writer.write(put(id)));

  test.each([
    ['second', 2, (writer: BulkWriter) => void writer.flush()],
    ['fourth, when somebody waits for them,', 4, (writer: BulkWriter) => writer.hurry()],
  ])('single writes gather behind the %s one, and go together', async (_name, most, send) => {
    const { engine, writer } = open({ bulkSize: 100 });
    engine.stepwise = true;
    const outcomes = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => {
      const outcome = writer.write(put(id));
      send(writer);
      return outcome;
    });
    const single = Array.from({ length: most }, () => 1);
    await turn();
    expect(sizes(engine)).toEqual(single);
    engine.releaseOne();
    await turn();
    expect(sizes(engine)).toEqual([...single, 7 - most]);
    engine.stepwise = false;
    for (let at = 0; at < most; at += 1) engine.releaseOne();
    expect(await Promise.all(outcomes)).toHaveLength(7);
  });

  test('full batches follow until four of them are there', async () => {
    const { engine, writer } = open({ bulkSize: 2 });
    engine.stepwise = true;
    const outcomes = writeMany(writer, ...Array.from({ length: 12 }, (_, at) => String(at)));
    await turn();
    expect(sizes(engine)).toEqual([2, 2, 2, 2]);
    engine.releaseOne();
    await turn();
    expect(sizes(engine)).toEqual([2, 2, 2, 2, 2]);
    engine.stepwise = false;
    for (let at = 0; at < 4; at += 1) engine.releaseOne();
    expect(await Promise.all(outcomes)).toHaveLength(12);
    expect(engine.batches.flat().map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, at) => String(at)));
  });

  test('batches of byte_size bytes are never more than two', async () => {
    const { engine, writer } = open({ bulkSize: 100, byteSize: 5000 });
    engine.stepwise = true;
    const outcomes = ['a', 'b', 'c', 'd'].map((id) => writer.write(put(id, 'x'.repeat(6000))));
    await turn();
    expect(sizes(engine)).toEqual([1, 1]);
    engine.releaseOne();
    await turn();
    expect(sizes(engine)).toEqual([1, 1, 1]);
    engine.stepwise = false;
    engine.releaseOne();
    engine.releaseOne();
    expect(await Promise.all(outcomes)).toHaveLength(4);
  });
});

test('what is still with the engine when the grace is over is answered as unavailable', async () => {
  const engine = {
    write: (_: unknown, signal: AbortSignal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled')))),
  } as unknown as SearchEngine;
  const writer = new BulkWriter({ engine, bulkSize: 1, byteSize: 0, flushIntervalMs: 1, logger: silentLogger });
  const outcome = writer.write(put('a'));
  await writer.close(1);
  expect(await outcome).toMatchObject({ ok: false, code: 'unavailable' });
});

test('every caller gets the outcome of its own operation', async () => {
  const { engine, writer } = open();
  engine.answer = ({ id }) =>
    id === 'b' ? { ok: false, id, code: 'rejected', message: 'no' } : { ok: true, id: id ?? '?' };
  const outcomes = await Promise.all(['a', 'b', 'c'].map((id) => writer.write(put(id))));
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
});

test('an engine that throws is an outcome for each operation, and the next batch is tried again', async () => {
  const { engine, writer } = open({ bulkSize: 1 });
  engine.answer = () => {
    throw new Error('gone');
  };
  expect(await writer.write(put('a'))).toEqual({ ok: false, id: 'a', code: 'unavailable', message: 'gone' });
  engine.answer = ({ id }) => ({ ok: true, id: id ?? '?' });
  expect(await writer.write(put('b'))).toEqual({ ok: true, id: 'b' });
});

test('an answer that misses an operation is never taken for success', async () => {
  const engine = { write: () => Promise.resolve([]) } as unknown as SearchEngine;
  const writer = new BulkWriter({ engine, bulkSize: 1, byteSize: 0, flushIntervalMs: 1, logger: silentLogger });
  expect(await writer.write(put('a'))).toMatchObject({ ok: false, code: 'unavailable' });
});
