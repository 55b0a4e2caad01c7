import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import type { CrawlerError } from '../../../src/base/errors.js';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.js';
import { tempDir } from '../../support/temp-dir.js';
import { openEmbedded, SIGNAL } from '../../unit/engine/embedded/library.js';

/** Every document holds every word, so that a search for all of them takes seconds. */
const WORDS = Array.from({ length: 500 }, (_, at) => `w${at}`).join(' ');
const ENDLESS = { query: { match: { content: WORDS } } };

/** The search once more for each of its buckets: minutes on the fastest machine, longer than closing waits for anything. */
const MINUTES = {
  ...ENDLESS,
  aggs: Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`again_${at}`, { filter: ENDLESS.query }])),
};

const directory = tempDir();

beforeAll(async () => {
  const engine = openEmbedded(directory);
  const documents = Array.from({ length: 4000 }, (_, at) => {
    return { kind: 'index', index: 'docs', id: `d${at}`, document: { content: WORDS, external: { at } } } as const;
  });
  await engine.write(documents, SIGNAL);
  await engine.close();
}, 60_000);

function open(searchTimeoutMs?: number): EmbeddedEngine {
  const timeout = searchTimeoutMs === undefined ? {} : { searchTimeoutMs };
  return new EmbeddedEngine({ directory, baseUrl: () => undefined, version: '0', logger: silentLogger, ...timeout });
}

/** Fails as soon as one of them is answered. */
async function codesOf(searches: readonly Promise<unknown>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(searches);
  return outcomes.map((outcome) =>
    outcome.status === 'rejected' ? (outcome.reason as CrawlerError).code : 'answered',
  );
}

describe('a search that nobody waits for any more', () => {
  const engine = open();
  afterAll(() => engine.close());

  test.each<[string, object]>([
    ['of words', ENDLESS],
    ['with an aggregation', { ...ENDLESS, size: 0, aggs: { at: { terms: { field: 'external.at' } } } }],
    ['that only filters', { query: { bool: { filter: [ENDLESS.query] } }, sort: ['external.at'] }],
    [
      'in fields of different weights',
      { query: { multi_match: { query: WORDS, fields: ['content^2', 'meta.title'] } } },
    ],
    ['of words and values', { query: { bool: { should: [ENDLESS.query, { range: { 'external.at': { gte: 1 } } }] } } }],
  ])('%s is ended, and its thread takes the next one', async (_what, body) => {
    const [kept, dropped] = [new AbortController(), new AbortController()];
    let keptHasEnded = false;
    const long = engine.search({ index: 'docs', body: { ...body } }, kept.signal).finally(() => {
      keptHasEnded = true;
    });
    const others = [1, 2].map(() => engine.search({ index: 'docs', body: { ...body } }, dropped.signal));
    const ended = codesOf([long, ...others]);
    setTimeout(() => dropped.abort(), 100);
    // The other thread continues: only the one that was asked to end can answer.
    expect(await engine.count('docs', undefined, SIGNAL)).toBe(4000);
    expect(keptHasEnded).toBe(false);
    kept.abort();
    expect(await ended).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  test('a request with a timeout of its own is answered as Elasticsearch answers it', async () => {
    expect(await engine.search({ index: 'docs', body: { ...ENDLESS, timeout: '100ms' } }, SIGNAL)).toMatchObject({
      timed_out: true,
      hits: { total: { value: 0, relation: 'gte' }, max_score: null, hits: [] },
    });
    expect(await engine.search({ index: 'docs', body: { timeout: '1m', size: 1 } }, SIGNAL)).toMatchObject({
      timed_out: false,
      hits: { total: { value: 4000 } },
    });
  });

  test('one that begins with an aborted signal does not begin', async () => {
    const search = engine.search({ index: 'docs', body: ENDLESS }, AbortSignal.abort());
    await expect(search).rejects.toMatchObject({ code: 'cancelled' });
  });
});

test('the time of searches is limited, also while they wait for a thread', async () => {
  const engine = open(300);
  const calls = [1, 2, 3, 4].map(() => engine.search({ index: 'docs', body: ENDLESS }, SIGNAL));
  expect(await codesOf(calls)).toEqual(Array.from({ length: 4 }, () => 'timed_out'));
  await expect(calls[0]).rejects.toThrow(/^The search was ended after 0\.3 s, the limit of engine\.search_timeout\./);
  await engine.close();
});

test('the time of a count is limited, also while it waits for a thread', async () => {
  // Counting is far quicker than searching: half a second.
  const query = { bool: { must: [{ match_phrase: { content: WORDS } }, ENDLESS.query] } };
  const engine = open(20);
  const counts = [1, 2, 3, 4].map(() => engine.count('docs', query, SIGNAL));
  expect(await codesOf(counts)).toEqual(Array.from({ length: 4 }, () => 'timed_out'));
  await engine.close();
});

test('the time of a list of hits is limited, and it ends when nobody waits for it', async () => {
  const engine = open(1500);
  const dropped = new AbortController();
  const lists = [SIGNAL, dropped.signal].map((signal) => engine.listHits({ index: 'docs', body: ENDLESS }, signal));
  setTimeout(() => dropped.abort(), 100);
  expect(await codesOf(lists)).toEqual(['timed_out', 'cancelled']);
  const list = await engine.listHits({ index: 'docs', body: { size: 10 } }, SIGNAL);
  expect(list.total).toEqual({ value: 4000, relation: 'eq' });
  await engine.close();
});

test('a request cannot take longer than the engine lets it', async () => {
  const engine = open(300);
  const search = engine.search({ index: 'docs', body: { ...ENDLESS, timeout: '1h' } }, SIGNAL);
  expect(await codesOf([search])).toEqual(['timed_out']);
  await engine.close();
});

test('closing ends searches that go on', async () => {
  const engine = open();
  const ended = codesOf([1, 2, 3].map(() => engine.search({ index: 'docs', body: MINUTES }, SIGNAL)));
  await engine.close();
  expect(await ended).toEqual(['cancelled', 'cancelled', 'cancelled']);
});

test('a thread that SQLite holds is replaced, and does not keep the engine from closing', async () => {
  const engine = new EmbeddedEngine({
    directory: join(directory, 'stuck'),
    baseUrl: () => undefined,
    version: '0',
    logger: silentLogger,
    searchTimeoutMs: 200,
  });
  // One document, so that no row comes out before the whole of it is compared: nothing can be asked meanwhile.
  const document = { content: 'a '.repeat(2_000_000) };
  await engine.write([{ kind: 'index', index: 'docs', id: 'long', document }], SIGNAL);
  const body = { query: { match_phrase: { content: `${'a '.repeat(1000)}b` } } };
  expect(await codesOf([1, 2].map(() => engine.search({ index: 'docs', body }, SIGNAL)))).toEqual([
    'timed_out',
    'timed_out',
  ]);
  await expect(engine.get('docs', 'long', SIGNAL)).resolves.toBeDefined();
  await engine.close();
});
