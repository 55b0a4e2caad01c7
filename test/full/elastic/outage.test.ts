import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ElasticEngine } from '../../../src/engine/elastic/elastic-engine.js';
import type { RetryPolicy } from '../../../src/engine/elastic/retry-state.js';
import type { WriteOutcome } from '../../../src/engine/engine.js';
import { startOpenSearch } from '../../engines/start-opensearch.mjs';
import { describeOwnEngine } from '../../support/real-engines.js';
import { elasticEngine } from './elastic-harness.js';

const { signal } = new AbortController();
const rhythm = { firstMs: 100, maxMs: 1_000, totalMs: 120_000 };
const patient: RetryPolicy = { fault: rhythm, throttle: rhythm };
const hasty: RetryPolicy = { fault: { ...rhythm, totalMs: 300 }, throttle: rhythm };

describeOwnEngine('an outage', (server) => {
  let index = '';
  let engine: ElasticEngine;

  beforeEach(() => {
    index = `outage_${Date.now()}`;
  });
  afterEach(() => engine.close());

  async function open(retry: RetryPolicy, requestTimeoutMs?: number): Promise<ElasticEngine> {
    engine = elasticEngine({
      urls: [server.server.url],
      connection: { requestTimeoutMs },
      templates: { pushTemplates: false, index },
      retry,
    });
    await engine.prepare(signal);
    return engine;
  }

  async function restart(): Promise<void> {
    server.server = await startOpenSearch({ home: server.home, port: server.server.port });
  }

  /** Writes batch after batch of 50 documents on four lanes until `stop` says so; returns the ids of all that were sent. */
  function writeOn(stop: () => boolean): Promise<{ ids: string[]; outcomes: WriteOutcome[] }> {
    const ids: string[] = [];
    const outcomes: WriteOutcome[] = [];
    const lane = async (name: number): Promise<void> => {
      for (let batch = 0; !stop(); batch += 1) {
        const own = Array.from({ length: 50 }, (_, i) => `${name}-${batch}-${i}`);
        ids.push(...own);
        const operations = own.map((id) => ({ kind: 'index' as const, index, id, document: { id } }));
        outcomes.push(...(await engine.write(operations, signal)));
      }
    };
    return Promise.all([0, 1, 2, 3].map(lane)).then(() => ({ ids, outcomes }));
  }

  async function storedIds(): Promise<string[]> {
    const ids: string[] = [];
    for await (const page of engine.scan(index, signal)) ids.push(...page.map(({ id }) => id));
    return ids.sort();
  }

  test('by a kill in the middle of writing loses nothing and doubles nothing', async () => {
    await open(patient);
    let isOver = false;
    const writing = writeOn(() => isOver);
    await delay(500);
    await server.server.kill();
    await delay(1_000);
    await restart();
    await delay(500);
    isOver = true;
    const { ids, outcomes } = await writing;
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    expect(await storedIds()).toEqual(ids.sort());
  });

  test('by a restart in good order loses nothing either', async () => {
    await open(patient);
    let isOver = false;
    const writing = writeOn(() => isOver);
    await delay(300);
    await server.server.stop();
    await restart();
    await delay(300);
    isOver = true;
    const { ids, outcomes } = await writing;
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    expect(await storedIds()).toEqual(ids.sort());
  });

  test('that is longer than the retries is reported truthfully, and is over when it is over', async () => {
    await open(hasty);
    const put = (id: string) => engine.write([{ kind: 'index', index, id, document: { id } }], signal);
    expect(await put('before')).toEqual([{ ok: true, id: 'before' }]);
    await server.server.kill();
    expect(await put('during')).toEqual([
      { ok: false, id: 'during', code: 'unavailable', message: expect.stringContaining('ECONNREFUSED') },
    ]);
    await expect(engine.get(index, 'before', signal)).rejects.toMatchObject({ code: 'unavailable' });
    await restart();
    expect(await put('after')).toEqual([{ ok: true, id: 'after' }]);
    expect(await storedIds()).toEqual(['after', 'before']);
  });

  test('of a server that stands still is bridged by the time-out', async () => {
    await open(patient, 1_000);
    const put = (id: string) => engine.write([{ kind: 'index', index, id, document: { id } }], signal);
    await put('before');
    server.server.pause();
    const writing = put('during');
    await delay(2_500);
    server.server.resume();
    expect(await writing).toEqual([{ ok: true, id: 'during' }]);
    expect(await storedIds()).toEqual(['before', 'during']);
  });
});
