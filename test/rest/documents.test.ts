import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { INDEX, call, startRest, upload } from './rest-harness.js';
import type { RestHarness, UploadParts } from './rest-harness.js';

const ID_OF_TEST_TXT = 'dd18bf3a8ea2a3e53e2661c7fb53534';
const NO_FILE = 'No file has been sent or you are not using [file] as the field name.';

let rest: RestHarness;

beforeAll(async () => {
  rest = await startRest();
});

afterAll(() => rest.close());

const stored = (id: string, index = INDEX) => rest.engine.get(index, id);

describe('an upload', () => {
  test('is indexed under the hash of its name when it answers', async () => {
    const { status, headers, body } = await upload(rest.url, { content: 'some words' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toEqual({ ok: true, filename: 'test.txt', url: rest.engine.urlOf(INDEX, ID_OF_TEST_TXT) });
    expect((await stored(ID_OF_TEST_TXT))?.source).toMatchObject({
      content: 'some words',
      file: { filename: 'test.txt', extension: 'txt', filesize: 10 },
      path: { real: 'test.txt', virtual: 'test.txt' },
    });
  });

  test('of the same name overwrites the one before', async () => {
    await upload(rest.url, { content: 'first', filename: 'same.txt' });
    const { body } = await upload(rest.url, { content: 'second', filename: 'same.txt' });
    const id = String(body['url']).split('/').at(-1) ?? '';
    expect((await stored(id))?.source['content']).toBe('second');
  });

  test('with the id _auto_ becomes a new document each time', async () => {
    const urls = new Set<unknown>();
    for (let each = 0; each < 3; each++) {
      urls.add((await upload(rest.url, { content: 'x', query: '?id=_auto_' })).body['url']);
    }
    expect(urls.size).toBe(3);
  });

  test('beyond what is held in memory arrives byte by byte and leaves nothing behind', async () => {
    const content = 'abcdefgh'.repeat(40_000);
    await upload(rest.url, { content, filename: 'big.txt', query: '?id=big' });
    expect((await stored('big'))?.source['content']).toBe(content);
    expect(await rest.spooled()).toEqual([]);
  });

  test('of no bytes is a document without content', async () => {
    const { body } = await upload(rest.url, { content: '', query: '?id=empty' });
    expect(body['ok']).toBe(true);
    expect((await stored('empty'))?.source).toMatchObject({ file: { filesize: 0 } });
  });

  test('by PUT has the id of the path, whatever else says', async () => {
    const { body } = await upload(rest.url, {
      content: 'x',
      method: 'PUT',
      path: '/_document/my%2Fid',
      fields: { id: 'other' },
    });
    expect(body).toMatchObject({ ok: true });
    expect(await stored('my/id')).toBeDefined();
  });

  test.each<[string, UploadParts]>([
    ['no part named file', { fields: { other: 'x' } }],
    ['the part file as a text field', { fields: { file: 'text' } }],
    ['a part file without a name', { content: 'x', filename: '' }],
  ])('with %s tells so', async (_name, parts) => {
    expect(await upload(rest.url, parts)).toMatchObject({ status: 200, body: { ok: false, message: NO_FILE } });
  });
});

describe('where the parameters of an upload may stand', () => {
  const name = 'p.txt';
  const idOf = (): string => rest.ingester.idOf(name);

  test.each<[string, UploadParts, { id?: string; index?: string; password?: string }]>([
    ['id: query', { query: '?id=q' }, { id: 'q' }],
    ['id: header', { headers: { id: 'h' } }, { id: 'h' }],
    ['id: form', { fields: { id: 'f' } }, { id: 'f' }],
    ['id: header before query', { query: '?id=q', headers: { id: 'h' } }, { id: 'h' }],
    ['id: form before header', { fields: { id: 'f' }, headers: { id: 'h' }, query: '?id=q' }, { id: 'f' }],
    ['index: query', { query: '?index=q' }, { index: 'q' }],
    ['index: header', { headers: { index: 'h' } }, { index: 'h' }],
    [
      'index: form before header before query',
      { fields: { index: 'f' }, headers: { index: 'h' }, query: '?index=q' },
      { index: 'f' },
    ],
    ['index: header before query', { headers: { index: 'h' }, query: '?index=q' }, { index: 'h' }],
    ['password: query', { query: '?password=q' }, { password: 'q' }],
    ['password: header before query', { headers: { password: 'h' }, query: '?password=q' }, { password: 'h' }],
    [
      'password: form before header before query',
      { fields: { password: 'f' }, headers: { password: 'h' }, query: '?password=q' },
      { password: 'f' },
    ],
    ['password: an empty one is one', { fields: { password: '' }, query: '?password=q' }, { password: '' }],
    [
      'password: UTF-8 in a header',
      { headers: { password: Buffer.from('gehöht', 'utf8').toString('latin1') } },
      { password: 'gehöht' },
    ],
    ['password: Latin-1 in a header', { headers: { password: 'gehöht' } }, { password: 'gehöht' }],
    ['id: of several the first', { query: '?id=a&id=b' }, { id: 'a' }],
  ])('%s', async (_name, parts, expected) => {
    const { body } = await upload(rest.url, { content: 'x', filename: name, ...parts });
    expect(body['ok']).toBe(true);
    const { id, index, password } = rest.ingester.items.at(-1) ?? {};
    expect({ ...(id && { id }), ...(index && { index }), ...(password !== undefined && { password }) }).toEqual(
      expected,
    );
    expect(body['url']).toBe(rest.engine.urlOf(expected.index ?? INDEX, expected.id ?? idOf()));
  });

  test.each([
    ['?debug=true', {}, true],
    ['?debug=TRUE', {}, true],
    ['?debug=1', {}, false],
    ['?debug=', {}, false],
    ['', { debug: 'true' }, true],
    ['?debug=false', { debug: 'true' }, false],
    ['?simulate=true', {}, true],
    ['', { simulate: 'True' }, true],
    ['?simulate=no', {}, false],
    ['', {}, false],
  ])('the document is shown for [%s] %j: %s', async (query, headers, shown) => {
    const { body } = await upload(rest.url, { content: 'shown', filename: name, query, headers });
    expect(body['ok']).toBe(true);
    expect('doc' in body).toBe(shown);
  });

  test.each(['id', 'index'])('an empty %s is refused', async (parameter) => {
    const answer = await upload(rest.url, { content: 'x', query: `?${parameter}=` });
    expect(answer).toMatchObject({
      status: 400,
      body: { ok: false, message: expect.stringContaining(`[${parameter}]`) },
    });
  });
});

describe('simulate', () => {
  test('shows the document and the address that it would have, and indexes nothing', async () => {
    const { body } = await upload(rest.url, {
      content: 'not kept',
      filename: 'simulated.txt',
      query: '?simulate=true',
    });
    const id = rest.ingester.idOf('simulated.txt');
    expect(body).toMatchObject({ ok: true, url: rest.engine.urlOf(INDEX, id), doc: { content: 'not kept' } });
    expect(await stored(id)).toBeUndefined();
  });

  test('a service in debug mode shows every document', async () => {
    const debugging = await startRest({ debug: true });
    expect((await upload(debugging.url, { content: 'x' })).body).toHaveProperty('doc.content', 'x');
    await debugging.close();
  });
});

describe('tags', () => {
  const tagged = (tags: string, parts: UploadParts = {}) =>
    upload(rest.url, { content: 'extracted', query: '?simulate=true', fields: { tags }, ...parts });

  test.each<[string, unknown, object]>([
    ['free data', { external: { a: 1, deep: { b: [1, 2] } } }, { external: { a: 1, deep: { b: [1, 2] } } }],
    ['content', { content: 'over' }, { content: 'over' }],
    ['file', { file: { filename: 'new.txt', foo: 1 } }, { file: { filename: 'new.txt' } }],
    ['path', { path: { virtual: '/a/b' } }, { path: { virtual: '/a/b', real: 'test.txt' } }],
    ['meta', { meta: { title: 'T', raw: { k: 5 } } }, { meta: { title: 'T', raw: { k: '5' } } }],
    ['unknown members', { foo: 1 }, { content: 'extracted' }],
    ['an empty object', {}, { content: 'extracted' }],
    ['an array', [], { content: 'extracted' }],
    ['a text', 'str', { content: 'extracted' }],
    ['null', null, { content: 'extracted' }],
  ])('%s', async (_name, tags, expected) => {
    const { body } = await tagged(JSON.stringify(tags));
    expect(body['ok']).toBe(true);
    expect(body['doc']).toMatchObject(expected);
  });

  test('null removes', async () => {
    const { body } = await tagged('{"content":null}');
    expect(body['ok']).toBe(true);
    expect(body['doc']).not.toHaveProperty('content');
  });

  test('an overwritten file name is the name in the answer and makes the id', async () => {
    const { body } = await tagged('{"file":{"filename":"new.txt"}}');
    expect(body).toMatchObject({ filename: 'new.txt', url: rest.engine.urlOf(INDEX, rest.ingester.idOf('new.txt')) });
  });

  test('may come as a file, with a byte order mark', async () => {
    const form = new FormData();
    form.append('tags', new Blob(['\uFEFF{"external":{"from":"file"}}']), 'tags.json');
    form.append('file', new Blob(['x']), 'x.txt');
    const { body } = await call(`${rest.url}/_document?simulate=true`, { method: 'POST', body: form });
    expect(body).toHaveProperty('doc.external.from', 'file');
    expect(await rest.spooled()).toEqual([]);
  });

  test('sent as a text and as a file: the text counts, and the file does not stay on the disk', async () => {
    const form = new FormData();
    form.append('tags', '{"external":{"from":"the text"}}');
    form.append('tags', new Blob([JSON.stringify({ external: { long: 'x'.repeat(300_000) } })]), 'more.json');
    form.append('file', new Blob(['x']), 'x.txt');
    const { body } = await call(`${rest.url}/_document?simulate=true`, { method: 'POST', body: form });
    expect(body).toHaveProperty('doc.external', { from: 'the text' });
    expect(await rest.spooled()).toEqual([]);
  });

  test('of 20 MB are merged', async () => {
    const long = 'x'.repeat(20 * 1024 * 1024);
    const { body } = await tagged(JSON.stringify({ external: { long } }));
    expect((body['doc'] as { external: { long: string } }).external.long).toHaveLength(long.length);
  });

  test.each<[string, UploadParts]>([
    ['header', { fields: {}, headers: { tags: '{"external":{"a":"here"}}' } }],
    ['query', { fields: {}, query: `?simulate=true&tags=${encodeURIComponent('{"external":{"a":"here"}}')}` }],
    ['form before header', { headers: { tags: '{"external":{"a":"there"}}' } }],
  ])('stand in the %s', async (_name, parts) => {
    const { body } = await tagged('{"external":{"a":"here"}}', parts);
    expect(body).toHaveProperty('doc.external.a', 'here');
  });

  test.each([
    ['broken JSON', '{bad', /^Error parsing tags: /],
    ['JSON that ends early', '{"a":', /^Error parsing tags: .*ends too early/],
    ['YAML', 'external:\n  a: 1', /^Error parsing tags: /],
    ['a value that does not fit', '{"file":{"filesize":"abc"}}', /^Error parsing tags: /],
    ['a section that is no object', '{"meta":[1]}', /^Error parsing tags: /],
    ['a nesting of 100,000 levels', '['.repeat(100_000) + ']'.repeat(100_000), /^Error parsing tags: .*100 levels/],
  ])('%s is a bad request and nothing is indexed', async (_name, tags, message) => {
    const answer = await upload(rest.url, { content: 'x', filename: 'bad-tags.txt', fields: { tags } });
    expect(answer).toMatchObject({ status: 400, body: { ok: false, message: expect.stringMatching(message) } });
    expect(await stored(rest.ingester.idOf('bad-tags.txt'))).toBeUndefined();
  });

  test('a message about broken tags does not quote them', async () => {
    const { text } = await tagged('{"external": {"password": "hunter2" oops}}');
    expect(text).toMatch(/line 1, column \d+/);
    expect(text).not.toContain('hunter2');
  });
});

describe('an encrypted document', () => {
  const locked = 'LOCKED open-sesame\nthe secret text';

  test.each<[string, UploadParts]>([
    ['form', { fields: { password: 'open-sesame' } }],
    ['header', { headers: { password: 'open-sesame' } }],
    ['query', { query: '?debug=true&password=open-sesame' }],
  ])('opens with the password of the %s', async (_name, parts) => {
    const { body } = await upload(rest.url, { content: locked, query: '?debug=true', ...parts });
    expect(body).toHaveProperty('doc.content', 'the secret text');
    expect(body).not.toHaveProperty('warning');
  });

  test('is indexed without its text otherwise, and the answer says so', async () => {
    const { body } = await upload(rest.url, { content: locked, query: '?debug=true&password=wrong' });
    expect(body).toMatchObject({ ok: true, warning: 'It is encrypted and no password opens it.' });
    expect(body).not.toHaveProperty('doc.content');
  });
});

describe('a document that the engine refuses', () => {
  test('is ok:false with the real reason, and the next one is not touched by it', async () => {
    const refused = await upload(rest.url, { content: 'x', query: '?index=UPPER' });
    expect(refused).toMatchObject({
      status: 200,
      body: {
        ok: false,
        filename: 'test.txt',
        message: 'Can not index document [test.txt]: Invalid index name [UPPER], must be lowercase',
        url: rest.engine.urlOf('UPPER', ID_OF_TEST_TXT),
      },
    });
    expect((await upload(rest.url, { content: 'x' })).body['ok']).toBe(true);
  });

  test.each([
    ['rejected', 400],
    ['unavailable', 502],
    ['rate_limited', 502],
  ] as const)('%s: 200 as the peer, %i with rest.strict_status', async (code, strictStatus) => {
    for (const strict of [false, true]) {
      const service = await startRest({ strictStatus: strict });
      service.engine.refusing = ({ id }) => ({ ok: false, id, code, message: 'no' });
      expect(await upload(service.url, { content: 'x' })).toMatchObject({
        status: strict ? strictStatus : 200,
        body: { ok: false, message: 'Can not index document [test.txt]: no' },
      });
      await service.close();
    }
  });

  test('is reported before anything is received while the engine is not there', async () => {
    const service = await startRest({
      engineReady: () => ({ ready: false, message: 'The search engine does not answer yet.' }),
    });
    const answers = [
      await upload(service.url, { content: 'x' }),
      await call(`${service.url}/_document?filename=x`, { method: 'DELETE' }),
      await call(`${service.url}/_search?q=x`),
    ];
    expect(answers.map(({ status, body }) => [status, body['message']])).toEqual(
      answers.map(() => [503, 'The search engine does not answer yet.']),
    );
    expect((await upload(service.url, { content: 'x', query: '?simulate=true' })).body['ok']).toBe(true);
    await service.close();
  });
});

describe('a delete', () => {
  const remove = (path: string, headers: Record<string, string> = {}, url = rest.url) =>
    call(`${url}/_document${path}`, { method: 'DELETE', headers });

  test('by name removes the document that an upload of this name made', async () => {
    await upload(rest.url, { content: 'x', filename: 'gone.txt' });
    const id = rest.ingester.idOf('gone.txt');
    expect(await remove('?filename=gone.txt')).toMatchObject({
      status: 200,
      text: `{"filename":"gone.txt","id":"${id}","index":"${INDEX}","ok":true}`,
    });
    expect(await stored(id)).toBeUndefined();
  });

  test('by id does not echo a name', async () => {
    await upload(rest.url, { content: 'x', query: '?id=a%2Fb' });
    expect((await remove('/a%2Fb')).body).toEqual({ ok: true, id: 'a/b', index: INDEX });
  });

  test('of an index of its own', async () => {
    await upload(rest.url, { content: 'x', query: '?id=1&index=other' });
    expect((await remove('/1?index=other')).body).toEqual({ ok: true, id: '1', index: 'other' });
    await upload(rest.url, { content: 'x', query: '?id=1&index=other' });
    expect((await remove('/1?index=wrong', { index: 'other' })).body).toEqual({ ok: true, id: '1', index: 'other' });
  });

  test.each([
    ['naïve.txt', { 'filename*': "UTF-8''na%C3%AFve.txt" }, '?filename=other'],
    ['naïve.txt', { filename: Buffer.from('naïve.txt', 'utf8').toString('latin1') }, '?filename=other'],
    ['a b.txt', { 'filename*': "utf-8'en'a+b.txt" }, ''],
    ['é.txt', { 'filename*': "ISO-8859-1''%E9.txt" }, ''],
    ['query.txt', {}, '?filename=query.txt'],
    ['dir/sub.txt', {}, '?filename=dir/sub.txt'],
  ])('takes the name %s from %j before [%s]', async (filename, headers, query) => {
    const { body } = await remove(query, headers);
    expect(body).toMatchObject({ filename, id: rest.ingester.idOf(filename) });
  });

  test.each(["UTF-8''%zz", 'no-quotes', "UTF-8''%ff", "koi8-r''a"])(
    'a malformed filename* header [%s] is a bad request',
    async (value) => {
      expect(await remove('', { 'filename*': value })).toMatchObject({ status: 400, body: { ok: false } });
    },
  );

  test('of a document that is not there', async () => {
    const id = rest.ingester.idOf('nothing.txt');
    expect(await remove('?filename=nothing.txt')).toMatchObject({
      status: 200,
      body: {
        ok: false,
        filename: 'nothing.txt',
        id,
        index: INDEX,
        message: `Can not remove document [${INDEX}/nothing.txt]: Can not remove document ${INDEX}/${id} cause: NOT_FOUND`,
      },
    });
    expect((await remove('/nothing')).body['message']).toBe(
      `Can not remove document [${INDEX}/nothing]: Can not remove document ${INDEX}/nothing cause: NOT_FOUND`,
    );
  });

  test.each([
    ['not_found', 404],
    ['rejected', 400],
    ['unavailable', 502],
  ] as const)('that fails as %s is 200, or %i with rest.strict_status', async (code, status) => {
    const strict = await startRest({ strictStatus: true });
    const lenient = await startRest();
    for (const { engine } of [strict, lenient]) engine.refusing = ({ id }) => ({ ok: false, id, code, message: 'why' });
    expect(await remove('/x', {}, strict.url)).toMatchObject({ status, body: { ok: false } });
    expect(await remove('/x', {}, lenient.url)).toMatchObject({ status: 200, body: { ok: false } });
    await Promise.all([strict.close(), lenient.close()]);
  });

  test.each(['', '?filename=', '?id=x'])('that names nothing [%s] is told how to', async (query) => {
    expect(await remove(query)).toMatchObject({
      status: 200,
      body: {
        ok: false,
        message:
          'We can not delete a document without an id or a filename. Either call DELETE /_document/ID or DELETE /_document?filename=foo.txt',
      },
    });
  });
});
