import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SearchEngine, StoredDocument, WriteOperation, WriteOutcome } from '../../src/engine/engine.js';
import type { DocumentSource } from '../../src/model/document.js';

/**
 * What every search engine promises, in the words of engine/engine.ts. An adapter's test calls this with a function that
 * opens an engine for a job whose documents go to the given index, which does not exist yet. Only what all of them can
 * promise stands here: the order of hits is left to each engine's scores.
 */
const SIGNAL = new AbortController().signal;
const RUN = Date.now().toString(36);

export type OpenForIndex = (index: string) => Promise<SearchEngine>;

export function engineContract(name: string, open: OpenForIndex): void {
  describe(`${name} keeps the contract of a search engine`, () => {
    describe('identity', () => {
      identityContract(openFor('identity', open));
    });
    describe('writing', () => {
      writeContract(openFor('write', open));
    });
    describe('ids', () => {
      idContract(openFor('ids', open));
    });
    describe('texts', () => {
      textContract(openFor('texts', open));
    });
    describe('searching', () => {
      searchContract(openFor('search', open));
    });
    describe('scanning', () => {
      scanContract(openFor('scan', open));
    });
    describe('many calls at once', () => {
      concurrencyContract(openFor('many', open));
    });
  });
}

function openFor(section: string, open: OpenForIndex): OpenedEngine {
  const opened = new OpenedEngine(`contract-${RUN}-${section}`);
  beforeAll(() => opened.open(open));
  afterAll(() => opened.engine.close());
  return opened;
}

/** Calls in the short words of a test. */
class OpenedEngine {
  readonly index: string;
  #engine: SearchEngine | undefined;

  constructor(index: string) {
    this.index = index;
  }

  async open(open: OpenForIndex): Promise<void> {
    this.#engine = await open(this.index);
    await this.#engine.prepare(SIGNAL);
  }

  get engine(): SearchEngine {
    if (this.#engine === undefined) throw new Error('The engine is not open yet.');
    return this.#engine;
  }

  async write(...operations: WriteOperation[]): Promise<readonly WriteOutcome[]> {
    return this.engine.write(operations, SIGNAL);
  }

  async get(index: string, id: string): Promise<StoredDocument | undefined> {
    return this.engine.get(index, id, SIGNAL);
  }

  async find(index: string, query: object): Promise<string[]> {
    const { hits } = await this.engine.search({ index, body: { query, size: 100 } }, SIGNAL);
    return hits.hits.map(({ _id }) => _id).sort();
  }

  async all(index: string): Promise<StoredDocument[]> {
    const documents: StoredDocument[] = [];
    for await (const page of this.engine.scan(index, SIGNAL)) documents.push(...page);
    return documents;
  }
}

function put(index: string, id: string | undefined, document: DocumentSource): WriteOperation {
  return { kind: 'index', index, id, document };
}

function identityContract(opened: OpenedEngine): void {
  test('its identity stays while the index stays', async () => {
    const first = await opened.engine.prepare(SIGNAL);
    await expect(opened.engine.prepare(SIGNAL)).resolves.toEqual(first);
    expect(first.identity).not.toBe('');
    await expect(opened.engine.version(SIGNAL)).resolves.not.toBe('');
  });
}

function writeContract(opened: OpenedEngine): void {
  const { index } = opened;

  test('a written document can be got, counted and found at once', async () => {
    const document = { content: 'fresh bread', file: { filename: 'bread.txt', filesize: 11 } };
    await expect(opened.write(put(index, 'bread', document))).resolves.toEqual([{ ok: true, id: 'bread' }]);
    await expect(opened.get(index, 'bread')).resolves.toEqual({ index, id: 'bread', version: 1, source: document });
    await expect(opened.engine.count(index, { match: { content: 'bread' } }, SIGNAL)).resolves.toBe(1);
    await expect(opened.find(index, { match: { content: 'bread' } })).resolves.toEqual(['bread']);
  });

  test('writing the same id again replaces the document and raises its version', async () => {
    await opened.write(put(index, 'twice', { content: 'first' }));
    await opened.write(put(index, 'twice', { content: 'second' }));
    await expect(opened.get(index, 'twice')).resolves.toMatchObject({ version: 2, source: { content: 'second' } });
    await expect(opened.find(index, { match: { content: 'first' } })).resolves.toEqual([]);
    await expect(opened.find(index, { match: { content: 'second' } })).resolves.toEqual(['twice']);
  });

  test('create keeps a document that is there, and counts as success', async () => {
    const create = (id: string, content: string): WriteOperation => {
      return { kind: 'index', index, id, document: { content }, mode: 'create' };
    };
    await expect(opened.write(create('once', 'kept'))).resolves.toEqual([{ ok: true, id: 'once' }]);
    await expect(opened.write(create('once', 'dropped'))).resolves.toEqual([{ ok: true, id: 'once' }]);
    await expect(opened.get(index, 'once')).resolves.toMatchObject({ source: { content: 'kept' } });
  });

  test('a deleted document is gone; deleting it again is not_found', async () => {
    const remove: WriteOperation = { kind: 'delete', index, id: 'gone' };
    await opened.write(put(index, 'gone', { content: 'vanishing' }));
    await expect(opened.write(remove)).resolves.toEqual([{ ok: true, id: 'gone' }]);
    await expect(opened.get(index, 'gone')).resolves.toBeUndefined();
    await expect(opened.find(index, { match: { content: 'vanishing' } })).resolves.toEqual([]);
    await expect(opened.write(remove)).resolves.toMatchObject([{ ok: false, id: 'gone', code: 'not_found' }]);
  });

  test('deleting from an index that does not exist is not_found', async () => {
    const outcomes = await opened.write({ kind: 'delete', index: `contract-${RUN}-nothing`, id: 'x' });
    expect(outcomes).toMatchObject([{ ok: false, id: 'x', code: 'not_found' }]);
  });

  test('outcomes come in the order of the operations, and a bad document costs only itself', async () => {
    const outcomes = await opened.write(
      put(index, 'a', { content: 'ordered' }),
      put(index, 'b', { content: 'ordered', file: { created: 'no date at all' } }),
      { kind: 'delete', index, id: 'never-there' },
      put(index, 'c', { content: 'ordered' }),
    );
    expect(outcomes).toMatchObject([
      { ok: true, id: 'a' },
      { ok: false, id: 'b', code: 'rejected' },
      { ok: false, id: 'never-there', code: 'not_found' },
      { ok: true, id: 'c' },
    ]);
    const [, refused] = outcomes;
    expect(refused?.ok === false && refused.message).toBeTruthy();
    await expect(opened.find(index, { match: { content: 'ordered' } })).resolves.toEqual(['a', 'c']);
  });

  test('operations on one id in one call are carried out in their order', async () => {
    const outcomes = await opened.write(
      put(index, 'same', { content: 'one' }),
      { kind: 'delete', index, id: 'same' },
      put(index, 'same', { content: 'two' }),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    await expect(opened.get(index, 'same')).resolves.toMatchObject({ source: { content: 'two' } });
    await expect(opened.find(index, { match: { content: 'two' } })).resolves.toEqual(['same']);
  });

  test('an index name in capitals is rejected', async () => {
    const outcomes = await opened.write(put('UPPER', 'x', { content: 'x' }));
    expect(outcomes).toMatchObject([{ ok: false, id: 'x', code: 'rejected' }]);
  });

  test('nothing to write is no work', async () => {
    await expect(opened.write()).resolves.toEqual([]);
  });

  test('a cancelled call throws', async () => {
    const cancelled = AbortSignal.abort();
    await expect(opened.engine.write([put(index, 'x', {})], cancelled)).rejects.toMatchObject({ code: 'cancelled' });
  });
}

function idContract(opened: OpenedEngine): void {
  const { index } = opened;

  test('without an id each document gets one of its own that a URL can hold', async () => {
    const outcomes = await opened.write(
      ...Array.from({ length: 20 }, () => put(index, undefined, { content: 'auto' })),
    );
    const ids = outcomes.map(({ id }) => id ?? '');
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(id).toMatch(/^[\w-]{20}$/);
    await expect(opened.find(index, { match: { content: 'auto' } })).resolves.toEqual([...ids].sort());
  });

  const odd = ['a b', 'ä/ö?x=1&y#z', '100%', 'a:b@c;d,e', '"quoted"', `it's`, '手紙', '😀', '../up', 'x'.repeat(512)];
  test.each(odd)('id %s', async (id) => {
    await expect(opened.write(put(index, id, { content: 'odd' }))).resolves.toEqual([{ ok: true, id }]);
    await expect(opened.get(index, id)).resolves.toMatchObject({ id, source: { content: 'odd' } });
    await expect(opened.find(index, { ids: { values: [id] } })).resolves.toEqual([id]);
    const url = new URL(opened.engine.urlOf(index, id));
    expect(decodeURIComponent(url.pathname.split('/').at(-1) ?? '')).toBe(id);
    expect(url.search + url.hash).toBe('');
    await expect(opened.write({ kind: 'delete', index, id })).resolves.toEqual([{ ok: true, id }]);
  });

  test('an id longer than 512 bytes is rejected', async () => {
    const id = 'é'.repeat(257);
    await expect(opened.write(put(index, id, {}))).resolves.toMatchObject([{ ok: false, id, code: 'rejected' }]);
  });
}

function textContract(opened: OpenedEngine): void {
  const { index } = opened;

  test.each([
    ['German', 'Die Prüfung der Bücher', 'prüfung'],
    ['Japanese', '東京都に住んでいる', '東京'],
    ['Russian', 'Годовой отчёт компании', 'отчёт'],
    ['an emoji between words', 'good 😀 morning', 'morning'],
    ['line breaks and tabs', 'first\r\nsecond\tthird', 'third'],
    ['signs of query languages', 'a "quoted" (word) AND *star* col:on', 'quoted'],
  ])('%s is stored as it is and found', async (_what, content, word) => {
    await opened.write(put(index, 'text', { content }));
    await expect(opened.get(index, 'text')).resolves.toMatchObject({ source: { content } });
    await expect(opened.find(index, { match: { content: word } })).resolves.toEqual(['text']);
  });

  test('NUL characters are stored and part words', async () => {
    const content = 'before\0after';
    await expect(opened.write(put(index, 'nul', { content }))).resolves.toMatchObject([{ ok: true }]);
    await expect(opened.get(index, 'nul')).resolves.toMatchObject({ source: { content } });
    await expect(opened.find(index, { match: { content: 'after' } })).resolves.toEqual(['nul']);
  });

  test('a large document is stored whole and found by its last word', async () => {
    const content = `${'lorem ipsum dolor sit amet '.repeat(200_000)}omega`;
    await expect(opened.write(put(index, 'large', { content }))).resolves.toMatchObject([{ ok: true }]);
    const stored = await opened.get(index, 'large');
    expect((stored?.source['content'] as string).length).toBe(content.length);
    await expect(opened.find(index, { match: { content: 'omega' } })).resolves.toEqual(['large']);
  });
}

function searchContract(opened: OpenedEngine): void {
  const { index } = opened;
  const documents: Record<string, DocumentSource> = {
    one: {
      content: 'The annual report shows a profit.',
      file: { filename: 'one.pdf', extension: 'pdf', filesize: 100, last_modified: '2024-01-10T00:00:00Z' },
      path: { virtual: '/finance/one.pdf', real: '/data/finance/one.pdf' },
    },
    two: {
      content: 'A report about the annual festival.',
      file: { filename: 'two.txt', extension: 'txt', filesize: 200, last_modified: '2024-02-10T00:00:00Z' },
      path: { virtual: '/culture/two.txt', real: '/data/culture/two.txt' },
    },
    three: {
      content: 'Nothing of that kind.',
      file: { filename: 'three.txt', extension: 'txt', filesize: 300, last_modified: '2024-03-10T00:00:00Z' },
      path: { virtual: '/culture/old/three.txt', real: '/data/culture/old/three.txt' },
      external: { tags: ['draft', 'old'], project: { code: 7 } },
    },
  };
  beforeAll(() => opened.write(...Object.entries(documents).map(([id, document]) => put(index, id, document))));

  test.each<[string, object, string[]]>([
    ['match', { match: { content: 'festival profit' } }, ['one', 'two']],
    ['match with and', { match: { content: { query: 'annual profit', operator: 'and' } } }, ['one']],
    ['match_phrase', { match_phrase: { content: 'annual report' } }, ['one']],
    ['match_phrase_prefix', { match_phrase_prefix: { content: 'annual fest' } }, ['two']],
    ['multi_match', { multi_match: { query: 'kind', fields: ['content', 'meta.title^2'] } }, ['three']],
    ['term', { term: { 'file.extension': 'txt' } }, ['three', 'two']],
    ['terms', { terms: { 'file.filename': ['one.pdf', 'three.txt'] } }, ['one', 'three']],
    ['a folder', { term: { 'path.virtual.tree': '/culture' } }, ['three', 'two']],
    ['prefix', { prefix: { 'path.virtual': '/culture/o' } }, ['three']],
    ['wildcard', { wildcard: { 'file.filename': 't*.txt' } }, ['three', 'two']],
    ['exists', { exists: { field: 'external.tags' } }, ['three']],
    ['a range of numbers', { range: { 'file.filesize': { gt: 100, lte: 200 } } }, ['two']],
    ['a range of dates', { range: { 'file.last_modified': { gte: '2024-02-01', lt: '2024-03-01' } } }, ['two']],
    ['a dynamic text', { match: { 'external.tags': 'draft' } }, ['three']],
    ['the exact view of a dynamic text', { term: { 'external.tags.keyword': 'old' } }, ['three']],
    ['a dynamic number', { range: { 'external.project.code': { gte: 7 } } }, ['three']],
    ['ids', { ids: { values: ['one', 'nothing'] } }, ['one']],
    [
      'must and filter',
      { bool: { must: { match: { content: 'report' } }, filter: { term: { 'file.extension': 'pdf' } } } },
      ['one'],
    ],
    [
      'must_not',
      { bool: { must: { match: { content: 'report' } }, must_not: { match: { content: 'festival' } } } },
      ['one'],
    ],
    [
      'should',
      { bool: { should: [{ match: { content: 'festival' } }, { term: { 'file.filesize': 300 } }] } },
      ['three', 'two'],
    ],
    ['constant_score', { constant_score: { filter: { match: { content: 'kind' } } } }, ['three']],
    ['match_all', { match_all: {} }, ['one', 'three', 'two']],
    ['match_none', { match_none: {} }, []],
    ['query_string', { query_string: { query: 'content:report AND NOT file.extension:pdf' } }, ['two']],
    [
      'simple_query_string',
      { simple_query_string: { query: '"annual report" | festival', fields: ['content'] } },
      ['one', 'two'],
    ],
  ])('finds by %s', async (_what, query, ids) => {
    await expect(opened.find(index, query)).resolves.toEqual(ids);
    await expect(opened.engine.count(index, query as Record<string, unknown>, SIGNAL)).resolves.toBe(ids.length);
  });

  test('tells how many there are, and gives a page of them in the asked order', async () => {
    const body = {
      query: { match_all: {} },
      sort: [{ 'file.filesize': 'desc' }],
      size: 1,
      from: 1,
      _source: ['file.filename'],
    };
    const { hits, timed_out, took } = await opened.engine.search({ index, body }, SIGNAL);
    expect(hits.total).toEqual({ value: 3, relation: 'eq' });
    expect(hits.hits).toMatchObject([
      { _index: index, _id: 'two', sort: [200], _source: { file: { filename: 'two.txt' } } },
    ]);
    expect(hits.hits[0]?._source).toEqual({ file: { filename: 'two.txt' } });
    expect(timed_out).toBe(false);
    expect(took).toBeGreaterThanOrEqual(0);
  });

  test('continues behind the last hit', async () => {
    const body = { sort: [{ 'file.filesize': 'asc' }], search_after: [100] };
    const { hits } = await opened.engine.search({ index, body }, SIGNAL);
    expect(hits.hits.map(({ _id }) => _id)).toEqual(['two', 'three']);
  });

  test('highlights what was found', async () => {
    const body = {
      query: { match: { content: 'festival' } },
      highlight: { pre_tags: ['<b>'], post_tags: ['</b>'], fields: { content: {} } },
    };
    const { hits } = await opened.engine.search({ index, body }, SIGNAL);
    expect(hits.hits[0]?.highlight).toEqual({ content: ['A report about the annual <b>festival</b>.'] });
    expect(hits.max_score).toBeGreaterThan(0);
  });

  test('counts by value and by month', async () => {
    const aggs = {
      types: { terms: { field: 'file.extension' } },
      months: { date_histogram: { field: 'file.last_modified', calendar_interval: 'month' } },
    };
    const { aggregations } = await opened.engine.search({ index, body: { size: 0, aggs } }, SIGNAL);
    expect(aggregations).toMatchObject({
      types: {
        buckets: [
          { key: 'txt', doc_count: 2 },
          { key: 'pdf', doc_count: 1 },
        ],
      },
      months: { buckets: [{ doc_count: 1 }, { doc_count: 1 }, { doc_count: 1 }] },
    });
  });

  test('a query that nobody knows is refused', async () => {
    const search = opened.engine.search({ index, body: { query: { no_such_query: {} } } }, SIGNAL);
    await expect(search).rejects.toMatchObject({ name: 'CrawlerError' });
  });

  test('an index that does not exist is not_found', async () => {
    const search = opened.engine.search({ index: `contract-${RUN}-nothing`, body: {} }, SIGNAL);
    await expect(search).rejects.toMatchObject({ code: 'not_found' });
    await expect(opened.get(`contract-${RUN}-nothing`, 'x')).resolves.toBeUndefined();
  });

  test('lists its indices and tells the mapping', async () => {
    const summaries = await opened.engine.indices(SIGNAL);
    expect(summaries.find((summary) => summary.index === index)).toMatchObject({ documents: 3 });
    const mapping = (await opened.engine.mapping(index, SIGNAL)) as {
      properties: Record<string, { properties?: object }>;
    };
    expect(mapping.properties['external']?.properties).toHaveProperty('tags');
  });
}

function scanContract(opened: OpenedEngine): void {
  const { index } = opened;
  const count = 2500;

  test('a scan gives every document once, also of a large index', async () => {
    for (let at = 0; at < count; at += 250) {
      await opened.write(
        ...Array.from({ length: 250 }, (_, more) => put(index, `d${at + more}`, { external: { n: at + more } })),
      );
    }
    const documents = await opened.all(index);
    expect(documents).toHaveLength(count);
    expect(new Set(documents.map(({ id }) => id)).size).toBe(count);
    const sample = documents.find(({ id }) => id === 'd1234');
    expect(sample).toEqual({ index, id: 'd1234', version: 1, source: { external: { n: 1234 } } });
  });

  test('what is there before, while and after it is written elsewhere is given once', async () => {
    const seen: string[] = [];
    for await (const page of opened.engine.scan(index, SIGNAL)) {
      seen.push(...page.map(({ id }) => id));
      const [first] = page;
      if (first !== undefined) await opened.write(put(index, first.id, { external: { again: true } }));
    }
    const own = seen.filter((id) => id.startsWith('d'));
    expect(own).toHaveLength(count);
    expect(new Set(own).size).toBe(count);
  });

  test('a scan can be left and cancelled', async () => {
    for await (const page of opened.engine.scan(index, SIGNAL)) {
      expect(page.length).toBeGreaterThan(0);
      break;
    }
    await expect(opened.engine.scan(index, AbortSignal.abort())[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
}

function concurrencyContract(opened: OpenedEngine): void {
  const { index } = opened;

  test('many calls at once each get their own outcomes, and every document is there', async () => {
    const calls = Array.from({ length: 100 }, (_, call) => {
      return opened.write(put(index, `a${call}`, { content: 'many' }), put(index, `b${call}`, { content: 'many' }));
    });
    const outcomes = await Promise.all(calls);
    outcomes.forEach((each, call) => {
      expect(each).toEqual([
        { ok: true, id: `a${call}` },
        { ok: true, id: `b${call}` },
      ]);
    });
    await expect(opened.engine.count(index, { match: { content: 'many' } }, SIGNAL)).resolves.toBe(200);
  });

  test('reading continues while it is written', async () => {
    const writes = Promise.all(
      Array.from({ length: 50 }, (_, call) => opened.write(put(index, `c${call}`, { content: 'more' }))),
    );
    const counts = await Promise.all(
      Array.from({ length: 20 }, () => opened.engine.count(index, { match: { content: 'many' } }, SIGNAL)),
    );
    await writes;
    expect(new Set(counts)).toEqual(new Set([200]));
    await expect(opened.engine.count(index, { match: { content: 'more' } }, SIGNAL)).resolves.toBe(50);
  });

  test('calls that race for one id leave one document', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, version) => opened.write(put(index, 'raced', { external: { version } }))),
    );
    await expect(opened.get(index, 'raced')).resolves.toMatchObject({ version: 20 });
    await expect(opened.find(index, { exists: { field: 'external.version' } })).resolves.toEqual(['raced']);
  });
}
