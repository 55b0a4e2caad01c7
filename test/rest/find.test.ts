import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CrawlerError } from '../../src/base/errors.js';
import { startEngineRest, type EngineHarness } from './engine-harness.js';
import { call, startRest, type Answer } from './rest-harness.js';

/** `GET /_find` and its companions over the embedded index; test/contract/find-contract.ts has what they find. */
let api: EngineHarness;

beforeAll(async () => {
  api = await startEngineRest();
  const documents = Array.from({ length: 25 }, (_, at) => {
    const name = `f${String(at).padStart(2, '0')}.txt`;
    const file = { filename: name, extension: 'txt', content_type: 'text/plain', filesize: at };
    return [
      `d${at}`,
      { content: `harbour number ${at}`, file, path: { real: `/r/${name}`, virtual: `/${name}`, root: 'r' } },
    ];
  });
  await api.write(Object.fromEntries(documents) as Record<string, object>);
  await api.write(HOSTILE);
});
afterAll(() => api.close());

const SCRIPT =
  '<script>alert(1)</script> "><svg onload=alert(1)> <em>forged</em> \u0002x\u0003 \uE000y\uE001 \u202e wicks';
const HOSTILE = {
  '../a b/ü': {
    content: `before ${SCRIPT} after`,
    pages: [0, 10],
    meta: { title: SCRIPT, author: SCRIPT },
    file: { filename: `${SCRIPT}.html`, content_type: 'text/html' },
  },
};

const ask = (path: string, init?: RequestInit): Promise<Answer> => call(`${api.rest.url}${path}`, init);

describe('GET /_find', () => {
  test('gives hits, the best first, with a cursor', async () => {
    const names: string[] = [];
    let after = '';
    do {
      const { status, body } = await ask(`/_find?q=harbour&sort=name&size=10&after=${after}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ ok: true, total: 25, total_relation: 'eq' });
      names.push(...(body['hits'] as { name: string }[]).map(({ name }) => name));
      after = (body['next'] as string | null) ?? '';
    } while (after !== '');
    expect(names).toEqual(Array.from({ length: 25 }, (_, at) => `f${String(at).padStart(2, '0')}.txt`));
  });

  test('takes a filter several times', async () => {
    const { body } = await ask('/_find?ext=txt&ext=pdf&size_from=3&size_to=5&sort=largest');
    expect((body['hits'] as { size: number }[]).map(({ size }) => size)).toEqual([5, 4, 3]);
  });

  test.each([
    ['?size=51', 'The parameter [size] must be a whole number from 0 to 50.'],
    ['?sort=best', 'The parameter [sort] must be one of relevance, newest'],
    ['?sort=name&sort=path', 'The parameter [sort] is given 2 times.'],
    ['?in=title', 'The parameter [in] must be one of all, name.'],
    ['?folders=/a', 'There is no parameter [folders] here. Did you mean [folder]?'],
    ['?from=10', 'There is no parameter [from] here.'],
    ['?type=pfd', 'There is no type [pfd]. Did you mean [pdf]?'],
    ['?modified_from=soon', '[soon] is no date for [modified_from]'],
    ['?problem=damaged', 'There is no problem [damaged]. The problems are excluded, '],
    ['?size_from=-1', '[-1] is no number of bytes for [size_from].'],
    ['?tag=team:a', '[team:a] is no tag.'],
    ['?q=typ:pdf', 'There is no field [typ:]. Did you mean [type:]?'],
    ['?q=(a', 'The parenthesis at character 1 of the search is not closed.'],
    ['?after=e30', 'The cursor [after] is not one of this search.'],
    [`?q=${'x'.repeat(5001)}`, 'A search may have 5000 characters'],
    [`?q=${'('.repeat(30)}`, 'more than 20 parentheses'],
    [`?q=${'a '.repeat(2000)}`, 'clauses'],
  ])('%.60s is a 400 with a sentence', async (query, sentence) => {
    const { status, body } = await ask(`/_find${query}`);
    expect({ status, ok: body['ok'] }).toEqual({ status: 400, ok: false });
    expect(body['message']).toContain(sentence);
  });

  test('a hostile text is text, and what was found is marked beside it', async () => {
    const { body } = await ask('/_find?q=wicks');
    const [hit] = body['hits'] as { title: string; marks: { title: string[] }; snippets: { segments: string[] }[] }[];
    expect(hit?.title).toBe(SCRIPT);
    for (const segments of [hit?.marks.title ?? [], hit?.snippets[0]?.segments ?? []]) {
      expect(segments.join('')).toContain(SCRIPT);
      expect(segments.filter((_, at) => at % 2 === 1)).toEqual(['wicks']);
    }
  });

  test('is refused to a page of another site', async () => {
    expect((await ask('/_find', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect((await ask('/_document/d1', { headers: { origin: 'http://evil.example' } })).status).toBe(403);
  });
});

test('an engine that goes away later is a 503 that says when to ask again', async () => {
  const rest = await startRest();
  rest.engine.search = () => Promise.reject(new CrawlerError('unavailable', 'The search engine does not answer.'));
  const { status, headers, body } = await call(`${rest.url}/_find?q=x`);
  await rest.close();
  expect([status, headers.get('retry-after'), body]).toEqual([
    503,
    '5',
    { ok: false, message: 'The search engine does not answer.' },
  ]);
});

describe('GET /_find/facets', () => {
  test('counts what is asked for, many requests side by side', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask('/_find/facets?q=harbour&facets=ext,type,folder&size=1')),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body['facets']).toEqual({
        ext: [{ value: 'txt', count: 25 }],
        type: [{ value: 'text', count: 25 }],
        // The job of the test has no folders in its index.
        folder: [],
      });
    }
  });
});

describe('GET /_find/suggestions', () => {
  test('says what would find something', async () => {
    const { body } = await ask('/_find/suggestions?q=harbour+nothing&ext=txt');
    expect(body).toEqual({
      ok: true,
      words: [
        { word: 'harbour', total: 25 },
        { word: 'nothing', total: 0 },
      ],
      relaxed: [{ change: 'any', query: 'q=harbour+nothing&any=true&ext=txt', total: 25 }],
    });
  });

  test.each(['color:red', 'after:nonsense', '"open', '(('])(
    'refuses the query %s with the sentence of _find',
    async (q) => {
      const query = new URLSearchParams({ q }).toString();
      const suggestions = await ask(`/_find/suggestions?${query}`);
      expect(suggestions).toMatchObject({ status: 400, body: { ok: false, message: expect.stringMatching(/\.$/) } });
      expect(suggestions.body).toEqual((await ask(`/_find?${query}`)).body);
    },
  );
});

describe('GET /_document/{id}', () => {
  const id = encodeURIComponent('../a b/ü');

  test('shows a document of any id', async () => {
    const { status, body } = await ask(`/_document/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: '../a b/ü',
      type: 'web',
      title: SCRIPT,
      pages: 2,
      original: { available: false, why: 'upload' },
    });
  });

  test('its text in windows of characters, and of pages', async () => {
    const { body } = await ask(`/_document/${id}/text?from=7&length=8&q=script`);
    expect(body['blocks']).toEqual([
      { page: 1, from: 7, segments: ['<', 'sc', ''] },
      { page: 2, from: 10, segments: ['', 'ript', '>'] },
    ]);
    expect(body['next']).toEqual({ from: 15 });
    const whole = (await ask(`/_document/${id}/text?page=1&pages=50&q=wicks`)).body;
    const blocks = whole['blocks'] as { segments: string[] }[];
    expect(blocks.flatMap(({ segments }) => segments).join('')).toBe(HOSTILE['../a b/ü'].content);
  });

  test('the places where words stand', async () => {
    const first = (await ask(`/_document/${id}/matches?q=alert&size=1`)).body;
    expect(first).toMatchObject({ total: 2, next: '1' });
    const second = (await ask(`/_document/${id}/matches?q=alert&size=1&after=1`)).body;
    expect(second['next']).toBeNull();
    expect(second['matches']).toMatchObject([{ page: 2, segments: [expect.any(String), 'alert', expect.any(String)] }]);
  });

  test('the name of no upload is a 404 that says so', async () => {
    expect(await ask('/_document?filename=none.pdf')).toMatchObject({
      status: 404,
      body: { ok: false, message: 'There is no upload of this name in the index of the job.' },
    });
  });

  test.each(['', '/text', '/matches', '/original'])('an unknown id is a 404 at %s', async (part) => {
    expect(await ask(`/_document/none${part}`)).toMatchObject({
      status: 404,
      body: { ok: false, message: 'There is no document of this id in the index of the job.' },
    });
  });
});
