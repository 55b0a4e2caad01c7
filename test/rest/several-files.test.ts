import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { INDEX, call, startRest } from './rest-harness.js';
import type { Answer, RestHarness } from './rest-harness.js';

/** Several parts `file` in one upload: every one is indexed and answered, or the upload is refused as a whole. */
let rest: RestHarness;

beforeAll(async () => {
  rest = await startRest();
});

afterAll(() => rest.close());

afterEach(async () => {
  rest.engine.refusing = undefined;
  expect(await rest.spooled()).toEqual([]);
});

type File = readonly [name: string, content: string];

function send(
  files: readonly File[],
  { fields = {}, query = '', url = rest.url, method = 'POST', path = '/_document' }: Partial<SendOptions> = {},
): Promise<Answer> {
  const form = new FormData();
  for (const [name, content] of files) form.append('file', new Blob([content]), name);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return call(`${url}${path}${query}`, { method, body: form });
}

interface SendOptions {
  readonly fields: Readonly<Record<string, string>>;
  readonly query: string;
  readonly url: string;
  readonly method: string;
  readonly path: string;
}

const stored = async (name: string, index = INDEX): Promise<unknown> =>
  (await rest.engine.get(index, rest.ingester.idOf(name)))?.source;

describe('an upload of several documents', () => {
  test('indexes each, and answers for the first as ever and for each under `files`', async () => {
    const large = 'x'.repeat(300_000);
    const { status, body } = await send([
      ['one.txt', 'first'],
      ['two.txt', 'second'],
      ['three.txt', large],
    ]);
    const results = ['one.txt', 'two.txt', 'three.txt'].map((filename) => ({
      ok: true,
      filename,
      url: rest.engine.urlOf(INDEX, rest.ingester.idOf(filename)),
    }));
    expect(status).toBe(200);
    expect(body).toEqual({ ...results[0], files: results });
    expect(await stored('one.txt')).toMatchObject({ content: 'first' });
    expect(await stored('two.txt')).toMatchObject({ content: 'second' });
    expect(await stored('three.txt')).toMatchObject({ content: large });
  });

  test('gives all of them the tags and the index', async () => {
    const fields = { tags: '{"external":{"team":"a"}}', index: 'tagged' };
    await send(
      [
        ['a.txt', 'x'],
        ['b.txt', 'y'],
      ],
      { fields },
    );
    expect(await stored('a.txt', 'tagged')).toMatchObject({ content: 'x', external: { team: 'a' } });
    expect(await stored('b.txt', 'tagged')).toMatchObject({ content: 'y', external: { team: 'a' } });
  });

  test('shows each document in debug mode, and indexes none when it is simulated', async () => {
    const { body } = await send(
      [
        ['s1.txt', 'x'],
        ['s2.txt', 'y'],
      ],
      { query: '?simulate=true' },
    );
    expect(body).toMatchObject({
      doc: { content: 'x' },
      files: [{ doc: { content: 'x' } }, { doc: { content: 'y' } }],
    });
    expect(await stored('s1.txt')).toBeUndefined();
  });

  test('with the id _auto_ makes a document of each, also of one name', async () => {
    const { body } = await send(
      [
        ['same.txt', 'x'],
        ['same.txt', 'y'],
      ],
      { query: '?id=_auto_' },
    );
    const urls = (body['files'] as { url: string }[]).map(({ url }) => url);
    expect(new Set(urls).size).toBe(2);
  });

  test('one failure is reported for the whole and in its place, the others are indexed', async () => {
    rest.engine.refusing = ({ id }) =>
      id === rest.ingester.idOf('bad.txt') ? { ok: false, id, code: 'rejected', message: 'too odd' } : undefined;
    const { status, body } = await send([
      ['good.txt', 'x'],
      ['bad.txt', 'y'],
      ['fine.txt', 'z'],
    ]);
    const message = 'Can not index document [bad.txt]: too odd';
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: false,
      filename: 'good.txt',
      message,
      files: [{ ok: true }, { ok: false, filename: 'bad.txt', message }, { ok: true, filename: 'fine.txt' }],
    });
    expect(await stored('good.txt')).toBeDefined();
    expect(await stored('fine.txt')).toBeDefined();
  });

  test('has the status of its worst result with rest.strict_status', async () => {
    const strict = await startRest({ strictStatus: true });
    strict.engine.refusing = ({ id }) =>
      id === strict.ingester.idOf('b.txt') ? { ok: false, id, code: 'unavailable', message: 'away' } : undefined;
    expect(
      (
        await send(
          [
            ['a.txt', 'x'],
            ['b.txt', 'y'],
          ],
          { url: strict.url },
        )
      ).status,
    ).toBe(502);
    expect(
      (
        await send(
          [
            ['a.txt', 'x'],
            ['c.txt', 'y'],
          ],
          { url: strict.url },
        )
      ).status,
    ).toBe(200);
    await strict.close();
  });

  test.each<[string, readonly File[], Partial<SendOptions>, string]>([
    [
      'one id for all',
      [
        ['a1.txt', 'x'],
        ['a2.txt', 'y'],
      ],
      { fields: { id: 'mine' } },
      'cannot all have the id [mine]',
    ],
    [
      'one id in the path',
      [
        ['a1.txt', 'x'],
        ['a2.txt', 'y'],
      ],
      { method: 'PUT', path: '/_document/mine' },
      'the id [mine]',
    ],
    [
      'one name',
      [
        ['twice.txt', 'x'],
        ['a3.txt', 'y'],
        ['twice.txt', 'z'],
      ],
      {},
      'that of the name [twice.txt]',
    ],
    [
      'a name in the tags',
      [
        ['a4.txt', 'x'],
        ['a5.txt', 'y'],
      ],
      { fields: { tags: '{"file":{"filename":"t"}}' } },
      '[t]',
    ],
    [
      'a part without a name that can be one',
      [
        ['a6.txt', 'x'],
        ['..', 'y'],
      ],
      {},
      'empty or only a path',
    ],
    [
      'more than 100 of them',
      Array.from({ length: 101 }, (_, at): File => [`m${at}.txt`, 'x']),
      {},
      'more than 100 parts',
    ],
    [
      'tags that do not parse',
      [
        ['a7.txt', 'x'],
        ['a8.txt', 'y'],
      ],
      { fields: { tags: '{' } },
      'Error parsing tags',
    ],
  ])('with %s is a 400, and none of them is indexed', async (_name, files, options, message) => {
    const before = rest.ingester.items.length;
    const answer = await send(files, options);
    expect(answer).toMatchObject({ status: 400, body: { ok: false, message: expect.stringContaining(message) } });
    expect(rest.ingester.items).toHaveLength(before);
  });

  test('takes a hundred', async () => {
    const { body } = await send(Array.from({ length: 100 }, (_, at): File => [`h${at}.txt`, `text ${at}`]));
    expect(body['ok']).toBe(true);
    expect(body['files']).toHaveLength(100);
    expect(await stored('h99.txt')).toMatchObject({ content: 'text 99' });
  });

  test('is as a whole no larger than rest.max_upload_size', async () => {
    const limited = await startRest({ maxUploadBytes: 1_000_000 });
    const part = (name: string, size: number): File => [name, 'x'.repeat(size)];
    expect((await send([part('a', 600_000), part('b', 400_000)], { url: limited.url })).status).toBe(200);
    expect((await send([part('a', 600_000), part('b', 400_001)], { url: limited.url })).status).toBe(413);
    expect(
      (await send([part('a', 700_000), part('b', 700_000), part('c', 700_000)], { url: limited.url })).status,
    ).toBe(413);
    expect(await limited.spooled()).toEqual([]);
    await limited.close();
  });

  test('a text in place of a document is refused, an input that nobody filled is not', async () => {
    const form = (text: string): FormData => {
      const parts = new FormData();
      parts.append('file', new Blob(['x']), 'real.txt');
      parts.append('file', text);
      return parts;
    };
    const post = (text: string): Promise<Answer> => call(`${rest.url}/_document`, { method: 'POST', body: form(text) });
    expect(await post('words')).toMatchObject({
      status: 400,
      body: { ok: false, message: expect.stringContaining('text field') },
    });
    expect((await post('')).body).toEqual({ ok: true, filename: 'real.txt', url: expect.any(String) });
  });
});
