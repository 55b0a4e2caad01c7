import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger, type LogFields } from '../../../src/base/logger.js';
import { defaultLimits, type ExtractionLimits, type WorkerLimits } from '../../../src/extract/limits.js';
import { ExtractionPool } from '../../../src/extract/runtime/pool/extraction-pool.js';
import { requestFor } from '../../support/extraction-request.js';
import { MisbehavingSandbox, until } from '../../support/misbehaving-sandbox.js';
import { tempDir } from '../../support/temp-dir.js';

const MIB = 1024 * 1024;
const never = new AbortController().signal;
const root = tempDir();
let sandbox: MisbehavingSandbox;
let pool: ExtractionPool | undefined;

beforeEach(() => {
  sandbox = new MisbehavingSandbox(mkdtempSync(join(root, 'sandbox-')));
});

afterEach(async () => {
  await pool?.close();
  pool = undefined;
});

function makePool(size: number, limits: Partial<WorkerLimits> = {}, logger = silentLogger): ExtractionPool {
  const all: ExtractionLimits = { ...defaultLimits, worker: { ...defaultLimits.worker, ...limits } };
  pool = new ExtractionPool({ size, logger, limits: all, sandboxModule: sandbox.module });
  return pool;
}

function names(count: number, prefix = 'document'): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

async function extractAll(from: ExtractionPool, all: readonly string[]): Promise<(string | undefined)[]> {
  const results = await Promise.all(all.map((name) => from.extract(requestFor(name), never)));
  return results.map(({ problem, text }) => problem?.reason ?? text);
}

test('a document that comes while the last answer leaves is not forgotten', async () => {
  const one = makePool(1, { documentMs: 20_000 });
  for (const name of names(200)) expect(await extractAll(one, [name])).toEqual([name]);
  // Otherwise the process was ended after its time, and another one has done the work.
  expect(sandbox.pids).toHaveLength(1);
});

describe('work', () => {
  test('every request gets the extraction of its own document', async () => {
    const all = names(500);
    expect(await extractAll(makePool(2), all)).toEqual(all);
  });

  test('one process works through its documents in the order of the requests', async () => {
    const one = makePool(1);
    const results = await Promise.all(names(40).map((name) => one.extract(requestFor(name), never)));
    expect(results.map(({ metadata }) => Number(metadata['number']?.[0]))).toEqual(
      results.map((_, index) => index + 1),
    );
  });

  test('nothing is started while nothing is extracted', async () => {
    await makePool(2).close();
    expect(sandbox.pids).toHaveLength(0);
  });

  test('one document after the other is work for one process', async () => {
    const one = makePool(4);
    for (const name of names(20)) await one.extract(requestFor(name), never);
    expect(sandbox.pids).toHaveLength(1);
  });

  test('documents that have to wait start further processes, up to the size of the pool', async () => {
    await extractAll(makePool(3), names(60, 'slow:20:'));
    expect(sandbox.pids).toHaveLength(3);
  });

  test('documents behind a slow one are given to another process', async () => {
    const two = makePool(2);
    const finished: string[] = [];
    const all = ['slow:4000', ...names(12)];
    await Promise.all(
      all.map(async (name) => {
        await two.extract(requestFor(name), never);
        finished.push(name);
      }),
    );
    expect(finished.at(-1)).toBe('slow:4000');
  });

  test('a signal that is shared by many documents is listened to once', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    await extractAll(makePool(1), names(50));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
});

describe('documents that misbehave', () => {
  test.each([
    ['never ends in a loop', 'hang', 'timed_out'],
    ['waits for something that never comes', 'doze', 'timed_out'],
    ['aborts its process', 'crash', 'crashed'],
    ['exits its process', 'exit', 'crashed'],
    ['throws where nobody can catch it', 'later', 'crashed'],
    ['exhausts the heap', 'heap', 'too_large'],
    ['eats memory outside of the heap', 'buffers', 'too_large'],
  ])('a document that %s comes back with its reason, and the others come back whole', async (_deed, name, reason) => {
    // Long enough for the others on a busy machine, and for the memory to be used up before the time is.
    const documentMs = reason === 'timed_out' ? 3_000 : 60_000;
    const two = makePool(2, { documentMs, heapMib: 48, memoryBytes: 300 * MIB });
    const others = names(20);
    const results = await extractAll(two, [...others.slice(0, 5), name, ...others.slice(5)]);
    expect(results).toEqual([...others.slice(0, 5), reason, ...others.slice(5)]);
  });

  test('what can be known of a document without its process is in its extraction', async () => {
    const failed = await makePool(1).extract(requestFor('crash:.pdf', 'twelve bytes'), never);
    expect(failed).toMatchObject({
      text: '',
      contentType: 'application/pdf',
      size: 12,
      metadata: { resourceName: ['crash:.pdf'] },
    });
    expect(failed.problem?.message).toMatch(/crashed on it \(signal SIGABRT\)/);
  });

  test.each(['once:hang:a', 'once:crash:b', 'once:exit:c'])(
    'a document that fails once (%s) succeeds when it is tried again',
    async (name) => {
      const extraction = await makePool(1, { documentMs: 3_000 }).extract(requestFor(name), never);
      expect(extraction).toMatchObject({ text: name, problem: undefined });
    },
  );

  test('a second attempt is made alone in a fresh process', async () => {
    const one = makePool(1);
    const all = ['document', 'once:crash:x', ...names(30)];
    const results = await Promise.all(all.map((name) => one.extract(requestFor(name), never)));
    expect(results[1]?.metadata['number']).toEqual(['1']);
  });

  test('two documents that kill their process one behind the other do not take each other along', async () => {
    const all = ['crash:1', 'a', 'crash:2', 'crash:3', 'b'];
    expect(await extractAll(makePool(1), all)).toEqual(['crashed', 'a', 'crashed', 'crashed', 'b']);
  });

  test('an answer that was given before a document hangs does not wait for it', async () => {
    const one = makePool(1, { documentMs: 3_000 });
    const finished: string[] = [];
    const names = ['before', 'hang'];
    const work = names.map(async (name) => {
      const { problem } = await one.extract(requestFor(name), never);
      finished.push(problem?.reason ?? name);
    });
    await work[0];
    expect(finished).toEqual(['before']);
    await Promise.all(work);
    expect(finished).toEqual(['before', 'timed_out']);
  });

  test('what a process prints goes to the debug log only', async () => {
    const printed: unknown[] = [];
    const debug = (_message: string, fields?: LogFields): void => void printed.push(fields?.['line']);
    await makePool(1, {}, { ...silentLogger, debug }).extract(requestFor('print'), never);
    await pool?.close();
    expect(printed).toEqual(expect.arrayContaining(['a word on stdout', 'a word on stderr']));
  });

  test('a program that does not start is an error of the program, not of the document', async () => {
    pool = new ExtractionPool({ size: 1, logger: silentLogger, sandboxModule: '/does/not/exist.mjs' });
    await expect(pool.extract(requestFor('document'), never)).rejects.toMatchObject({ code: 'internal' });
  });
});

describe('cancellation', () => {
  test('a document whose signal is already aborted is refused', async () => {
    const work = makePool(1).extract(requestFor('document'), AbortSignal.abort());
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
    expect(sandbox.pids).toHaveLength(0);
  });

  test('waiting and running documents end at once, and the process that is stuck is replaced', async () => {
    const one = makePool(1);
    const controller = new AbortController();
    const work = ['hang', ...names(5)].map((name) => one.extract(requestFor(name), controller.signal));
    const outcome = Promise.allSettled(work);
    await until(() => sandbox.pids.length === 1);
    controller.abort();
    expect((await outcome).map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
    expect(await extractAll(one, ['after'])).toEqual(['after']);
    expect(sandbox.pids).toHaveLength(2);
  });

  test('close cancels what is under way and what comes later', async () => {
    const one = makePool(1);
    const work = Promise.allSettled(['hang', 'behind'].map((name) => one.extract(requestFor(name), never)));
    await until(() => sandbox.pids.length === 1);
    await one.close();
    const late = Promise.allSettled([one.extract(requestFor('late'), never)]);
    for (const result of [...(await work), ...(await late)]) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'cancelled' } });
    }
  });
});

describe('processes', () => {
  test('none is left after close, whatever they were doing', async () => {
    const three = makePool(3);
    const work = Promise.allSettled(
      ['hang', 'doze', ...names(30, 'slow:50:')].map((name) => three.extract(requestFor(name), never)),
    );
    await until(() => sandbox.pids.length === 3);
    await three.close();
    await work;
    expect(sandbox.alive).toEqual([]);
  });

  test('a process is replaced after so many documents', async () => {
    const one = makePool(1, { recycleDocuments: 5 });
    for (const name of names(20, 'slow:60:')) await one.extract(requestFor(name), never);
    expect(sandbox.pids.length).toBeGreaterThan(1);
    expect(await extractAll(one, ['after'])).toEqual(['after']);
  });

  test('a process that has grown is replaced when it has finished its document', async () => {
    const one = makePool(1, { recycleBytes: 1 });
    const results = [];
    for (const name of names(3, 'slow:250:')) results.push(await one.extract(requestFor(name), never));
    expect(results.every(({ problem }) => problem === undefined)).toBe(true);
    expect(new Set(results.map(({ metadata }) => metadata['pid']?.[0])).size).toBe(3);
  });

  test('an idle process ends by itself, and the next document starts another', async () => {
    const one = makePool(1, { idleMs: 100 });
    await one.extract(requestFor('first'), never);
    await until(() => sandbox.alive.length === 0);
    expect(await extractAll(one, ['second'])).toEqual(['second']);
    expect(sandbox.pids).toHaveLength(2);
  });
});
