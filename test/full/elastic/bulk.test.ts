import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ElasticEngine } from '../../../src/engine/elastic/elastic-engine.js';
import { bulkItems } from '../../../src/engine/elastic/bulk-answer.js';
import type { StoredDocument, WriteOperation } from '../../../src/engine/engine.js';
import { InstantClock } from '../../support/instant-clock.js';
import { ask, describeRealEngines } from '../../support/real-engines.js';
import { RecordingLogger } from '../../support/recording-logger.js';
import { ScriptedProxy } from '../../support/scripted-proxy.js';
import { elasticEngine } from './elastic-harness.js';

const { signal } = new AbortController();
const bulk = /^POST .*\/_bulk/;

interface Item {
  readonly index: { _id: string; status: number; error?: unknown };
}

/** Changes the items of a bulk answer on its way back. */
function rewriteItems(change: (items: Item[]) => unknown) {
  const rewrite = (text: string): string => {
    const answer = JSON.parse(text) as { items: Item[] };
    return JSON.stringify({ ...answer, items: change(answer.items) });
  };
  return { on: bulk, act: { kind: 'rewrite', change: rewrite } } as const;
}

function answer(status: number, body?: unknown) {
  return { on: bulk, act: { kind: 'answer', status, body } } as const;
}

describeRealEngines('writing', (url) => {
  let proxy: ScriptedProxy;
  let clock: InstantClock;
  let logger: RecordingLogger;
  let engine: ElasticEngine;
  let index = '';
  const indices: string[] = [];

  beforeAll(async () => {
    proxy = await ScriptedProxy.start({ target: url() });
  });
  afterAll(async () => {
    await proxy.close();
    for (const each of indices) await ask(url(), 'DELETE', `/${each}?ignore_unavailable=true`);
  });

  beforeEach(async () => {
    index = `bulk_${randomBytes(6).toString('hex')}`;
    indices.push(index);
    clock = new InstantClock();
    logger = new RecordingLogger();
    engine = elasticEngine({ urls: [proxy.url], templates: { pushTemplates: false, index }, clock, logger });
    await engine.prepare(signal);
    proxy.reset();
  });

  afterEach(async () => {
    proxy.reset();
    await engine.close();
  });

  function put(id: string, document: Record<string, unknown> = { n: 1 }): WriteOperation {
    return { kind: 'index', index, id, document };
  }
  function puts(...ids: readonly string[]): WriteOperation[] {
    return ids.map((id) => put(id));
  }
  function remove(id: string): WriteOperation {
    return { kind: 'delete', index, id };
  }
  /** The ids of every bulk request that arrived, in order. */
  function sent(): string[][] {
    return proxy.bodies(bulk).map((body) => [...body.matchAll(/"_id":"([^"]*)"/g)].map(([, id]) => id ?? ''));
  }
  async function stored(): Promise<StoredDocument[]> {
    const documents: StoredDocument[] = [];
    for await (const page of engine.scan(index, signal)) documents.push(...page);
    return documents.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
  function ok(...ids: readonly string[]): unknown[] {
    return ids.map((id) => ({ ok: true, id }));
  }

  test('gives one outcome for each operation, in the same order', async () => {
    await engine.write(puts('old'), signal);
    const operations: WriteOperation[] = [
      put('a'),
      { kind: 'index', index, id: 'old', document: { n: 2 }, mode: 'create' },
      remove('missing'),
      put('b', { n: { not: 'a number' } }),
      remove('old'),
      { kind: 'delete', index: `${index}_missing`, id: 'x' },
      { kind: 'index', index: 'UPPER', id: 'y', document: {} },
      put('c'),
    ];
    expect(await engine.write(operations, signal)).toEqual([
      { ok: true, id: 'a' },
      { ok: true, id: 'old' },
      { ok: false, id: 'missing', code: 'not_found', message: `Document ${index}/missing does not exist` },
      { ok: false, id: 'b', code: 'rejected', message: expect.stringMatching(/\[n\]/) },
      { ok: true, id: 'old' },
      { ok: false, id: 'x', code: 'not_found', message: expect.any(String) },
      { ok: false, id: 'y', code: 'rejected', message: expect.stringContaining('must be lowercase') },
      { ok: true, id: 'c' },
    ]);
    expect((await stored()).map(({ id, source }) => [id, source['n']])).toEqual([
      ['a', 1],
      ['c', 1],
    ]);
    expect(clock.slept).toEqual([]);
  });

  test('of operations on one index is one request to that index, of several one to all', async () => {
    await engine.write(puts('a', 'b'), signal);
    indices.push(`${index}_2`);
    await engine.write([put('a'), { kind: 'index', index: `${index}_2`, id: 'a', document: {} }], signal);
    expect(proxy.requests.map(({ line }) => line.replace(/\?.*/, ''))).toEqual([`POST /${index}/_bulk`, 'POST /_bulk']);
  });

  test('of nothing sends no request', async () => {
    expect(await engine.write([], signal)).toEqual([]);
    expect(proxy.requests).toEqual([]);
  });

  test('takes any id and text as it is', async () => {
    const ids = ['a"b', 'a/b c%?#{}', 'é日本\u{1f600}', '\\n', ' '];
    const outcomes = await engine.write(
      ids.map((id) => put(id, { text: `"${id}"\n\r\u2028\0` })),
      signal,
    );
    expect(outcomes).toEqual(ok(...ids));
    for (const id of ids) {
      expect(await engine.get(index, id, signal)).toMatchObject({ id, source: { text: `"${id}"\n\r\u2028\0` } });
    }
  });

  test('visible to get and search when it resolves, in an order that callers choose', async () => {
    await engine.write([put('a', { n: 1 }), put('a', { n: 2 }), remove('b')], signal);
    expect(await engine.get(index, 'a', signal)).toMatchObject({ source: { n: 2 }, version: 2 });
    expect(await engine.count(index, undefined, signal)).toBe(1);
    await engine.write([remove('a')], signal);
    expect(await engine.get(index, 'a', signal)).toBeUndefined();
    expect(await engine.count(index, undefined, signal)).toBe(0);
  });

  test('waits through a storm of 429 and stores every document once', async () => {
    proxy.script({ ...answer(429, { error: { type: 'es_rejected_execution_exception', reason: 'full' } }), times: 6 });
    expect(await engine.write(puts('a', 'b', 'c'), signal)).toEqual(ok('a', 'b', 'c'));
    expect(clock.slept).toEqual([1000, 2000, 4000, 8000, 16000, 30000]);
    expect((await stored()).map(({ id, version }) => [id, version])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ]);
    expect(logger.messages('warn')).toHaveLength(1);
  });

  test('reports a storm of 429 that does not end within five minutes, and works afterwards', async () => {
    proxy.script({ ...answer(429), times: 16 });
    expect(await engine.write(puts('a'), signal)).toEqual([
      { ok: false, id: 'a', code: 'rate_limited', message: expect.stringContaining('429') },
    ]);
    expect(clock.slept.reduce((sum, each) => sum + each, 0)).toBe(300_000);
    expect(await engine.write(puts('a'), signal)).toEqual(ok('a'));
  });

  test.each([429, 503])('sends only the documents again that were answered with %s', async (status) => {
    const busy = (items: Item[]): unknown =>
      items.map((item) => (['b', 'd'].includes(item.index._id) ? { index: { _id: item.index._id, status } } : item));
    proxy.script(
      rewriteItems(busy),
      rewriteItems((items) => [items[0], { index: { _id: 'd', status } }]),
    );
    expect(await engine.write(puts('a', 'b', 'c', 'd'), signal)).toEqual(ok('a', 'b', 'c', 'd'));
    expect(sent()).toEqual([['a', 'b', 'c', 'd'], ['b', 'd'], ['d']]);
    expect(clock.slept).toEqual([1000, 2000]);
  });

  test.each([
    ['items that are missing', rewriteItems((items) => items.slice(0, 2))],
    ['items of other documents', rewriteItems((items) => [items[0], items[1], items[3], items[2]])],
  ])('sends only the unanswered again after %s', async (_, step) => {
    proxy.script(step);
    expect(await engine.write(puts('a', 'b', 'c', 'd'), signal)).toEqual(ok('a', 'b', 'c', 'd'));
    expect(sent()).toEqual([
      ['a', 'b', 'c', 'd'],
      ['c', 'd'],
    ]);
  });

  test.each([0, 0.3, 0.6, 0.99])('sends only the unanswered again when %d of the answer has arrived', async (share) => {
    const ids = Array.from({ length: 20 }, (_, i) => `id${i}`);
    proxy.script({ on: bulk, act: { kind: 'cut_within', share } });
    expect(await engine.write(puts(...ids), signal)).toEqual(ok(...ids));
    const [first, second] = sent();
    expect(first).toEqual(ids);
    expect(second).toEqual(ids.slice(ids.length - (second?.length ?? 0)));
    expect(second?.length).toBeLessThanOrEqual(Math.ceil(ids.length * (1 - share)) + 1);
    expect((await stored()).map(({ version }) => version).sort()).toEqual(
      ids.map((id) => (second?.includes(id) === true ? 2 : 1)).sort(),
    );
  });

  test('tells the truth when the answer to it was lost', async () => {
    await engine.write(puts('gone', 'kept'), signal);
    proxy.script({ on: bulk, act: { kind: 'cut_after' } });
    const operations: WriteOperation[] = [
      remove('gone'),
      { kind: 'index', index, id: 'new', document: {}, mode: 'create' },
      { kind: 'index', index, id: undefined, document: { n: 7 } },
    ];
    const outcomes = await engine.write(operations, signal);
    expect(outcomes).toEqual([
      { ok: true, id: 'gone' },
      { ok: true, id: 'new' },
      { ok: true, id: expect.any(String) },
    ]);
    expect((await stored()).map(({ id }) => id)).toEqual(['kept', 'new', outcomes[2]?.id].sort());
  });

  test('still says that a document never existed when the first request did not arrive', async () => {
    proxy.script(answer(429));
    expect(await engine.write([remove('never')], signal)).toMatchObject([{ ok: false, code: 'not_found' }]);
  });

  test.each([
    ['a connection that is cut', { on: bulk, act: { kind: 'cut_before' } } as const],
    ['a page of a proxy', answer(502, '<html><h1>Bad gateway</h1></html>')],
    ['a server error', answer(500, { error: { type: 'exception', reason: 'oops' } })],
    ['a cold proxy', answer(404, '<html>Not found</html>')],
    ['a page instead of an answer', answer(200, '<html>Please log in</html>')],
  ])('tries again after %s, and gives up in time', async (_, step) => {
    proxy.script({ ...step, times: 3 });
    expect(await engine.write(puts('a', 'b'), signal)).toEqual(ok('a', 'b'));
    expect(clock.slept).toEqual([500, 1000, 2000]);
    expect((await stored()).map(({ version }) => version)).toEqual([1, 1]);

    clock.slept.splice(0);
    proxy.script({ ...step, times: 6 });
    const outcomes = await engine.write(puts('a', 'b'), signal);
    expect(outcomes).toEqual(
      ['a', 'b'].map((id) => ({ ok: false, id, code: 'unavailable', message: expect.any(String) })),
    );
    expect(clock.slept).toEqual([500, 1000, 2000, 4000, 2500]);
    expect(await engine.write(puts('a', 'b'), signal)).toEqual(ok('a', 'b'));
  });

  test('is retried again in a second outage when the first one was over', async () => {
    const few = (kept: number) => rewriteItems((items) => items.slice(0, kept));
    proxy.script({ ...answer(503), times: 4 }, few(1), { ...answer(503), times: 4 }, few(1));
    expect(await engine.write(puts('a', 'b', 'c'), signal)).toEqual(ok('a', 'b', 'c'));
    expect(clock.slept).toEqual([500, 1000, 2000, 4000, 500, 1000, 2000, 4000, 2500, 500]);
  });

  test('does not wait for a key that has expired to become valid', async () => {
    proxy.script(answer(401, { error: { type: 'security_exception', reason: 'key expired' } }));
    expect(await engine.write(puts('a'), signal)).toEqual([
      { ok: false, id: 'a', code: 'unavailable', message: expect.stringMatching(/key expired: check engine\.api_key/) },
    ]);
    expect(clock.slept).toEqual([]);
  });

  test.each([
    ['index_not_found_exception', 404],
    ['cluster_block_exception', 403],
    ['security_exception', 403],
  ])('does not blame a document for %s', async (type, status) => {
    proxy.script(rewriteItems(() => [{ index: { _id: 'a', status, error: { type, reason: 'the reason' } } }]));
    expect(await engine.write(puts('a'), signal)).toMatchObject([{ ok: false, code: 'unavailable' }]);
  });

  test('sends a document alone that makes a request too large, and refuses it then with the reason', async () => {
    proxy.script({ ...answer(413), times: 100, largerThan: 20_000 });
    const ids = ['a', 'b', 'c', 'big', 'd', 'e'];
    const operations = ids.map((id) => put(id, { text: 'x'.repeat(id === 'big' ? 50_000 : 5_000) }));
    const outcomes = await engine.write(operations, signal);
    expect(outcomes.map(({ ok: isOk, id }) => [id, isOk])).toEqual(ids.map((id) => [id, id !== 'big']));
    expect(outcomes[3]).toMatchObject({ code: 'rejected', message: expect.stringContaining('max_content_length') });

    const requests = sent().length;
    expect(await engine.write(puts('f', 'g'), signal)).toEqual(ok('f', 'g'));
    expect(sent().slice(requests)).toEqual([['f', 'g']]);
    expect((await stored()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  test('refuses a document alone that a server with little memory will never take', async () => {
    const sizes = 'all_bytes=0, coordinating_operation_bytes=50100, max_coordinating_bytes=40000';
    const reason = `rejected execution of coordinating operation [${sizes}]`;
    const error = { type: 'es_rejected_execution_exception', reason };
    proxy.script({ ...answer(429, { error, status: 429 }), times: 100, largerThan: 40_000 });
    const outcomes = await engine.write([put('a'), put('big', { text: 'x'.repeat(50_000) }), put('b')], signal);
    expect(outcomes).toEqual([
      { ok: true, id: 'a' },
      { ok: false, id: 'big', code: 'rejected', message: expect.stringContaining('indexing_pressure.memory.limit') },
      { ok: true, id: 'b' },
    ]);
    expect(clock.slept).toEqual([]);
  });

  test('isolates a document that makes the server refuse the whole request', async () => {
    const impossible = 'x'.repeat(513);
    const outcomes = await engine.write(puts('a', 'b', impossible, 'c', 'd'), signal);
    expect(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.code))).toEqual(['ok', 'ok', 'rejected', 'ok', 'ok']);
    expect(outcomes[2]).toMatchObject({ message: expect.stringContaining('512 bytes') });
  });

  test('keeps the order of two operations on one document, whatever is retried', async () => {
    proxy.script(rewriteItems(() => [{ index: { _id: 'a', status: 429 } }]));
    expect(await engine.write([put('a', { n: 1 }), put('a', { n: 2 }), remove('a')], signal)).toEqual(
      ok('a', 'a', 'a'),
    );
    expect(await engine.get(index, 'a', signal)).toBeUndefined();
  });

  test('counts its retries for each request: what was overcome does not count any more', async () => {
    const away = { on: bulk, act: { kind: 'cut_before' }, times: 4 } as const;
    // Two operations on one document make two requests.
    proxy.script(
      away,
      rewriteItems((items) => items),
      away,
    );
    expect(await engine.write([put('a'), put('a', { n: 2 })], signal)).toEqual(ok('a', 'a'));
    expect(clock.slept).toEqual([500, 1000, 2000, 4000, 500, 1000, 2000, 4000]);
    expect((await stored()).map(({ source }) => source)).toEqual([{ n: 2 }]);
  });

  test('sends what is left of a request together with what comes after it', async () => {
    proxy.script(rewriteItems((items) => items.slice(0, 1)));
    expect(await engine.write([...puts('a', 'b'), put('a', { n: 2 })], signal)).toEqual(ok('a', 'b', 'a'));
    expect(sent()).toEqual([
      ['a', 'b'],
      ['b', 'a'],
    ]);
    expect((await stored()).map(({ source }) => source)).toEqual([{ n: 2 }, { n: 1 }]);
  });

  test('ends at once when it is cancelled', async () => {
    const controller = new AbortController();
    proxy.script({ on: bulk, act: { kind: 'cut_before' }, times: 2 });
    const slow = elasticEngine({ urls: [proxy.url], templates: { pushTemplates: false, index } });
    await slow.prepare(signal);
    const writing = slow.write(puts('a'), controller.signal);
    setImmediate(() => controller.abort());
    await expect(writing).rejects.toMatchObject({ code: 'cancelled' });
    await slow.close();
  });

  test('reads the answer of a real server as it is', async () => {
    const body = `{"index":{"_id":"a"}}\n{"n":1}\n{"index":{"_id":"b"}}\n{"n":{}}\n`;
    const response = await fetch(`${url()}/${index}/_bulk`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(bulkItems(await response.text())).toMatchObject([
      { id: 'a', status: 201 },
      { id: 'b', status: 400, error: { type: expect.stringMatching(/mapper_parsing|document_parsing/) } },
    ]);
  });
});
