import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sources } from '../../../src/source/registry.js';
import { BOUNDARY, MULTIPART_TYPE, exchange, multipart, open, readAnswer } from '../../rest/raw-http.js';
import { call, fetchJson, startRest, upload } from '../../rest/rest-harness.js';
import type { Answer, RestHarness } from '../../rest/rest-harness.js';

let rest: RestHarness;

beforeAll(async () => {
  rest = await startRest();
});

afterAll(() => rest.close());

const DISPOSITION = 'form-data; name="file"; filename="x.txt"';
const FAILED = { ok: false, message: expect.stringMatching(/\S/) };

const post = (body: string | Buffer, type = MULTIPART_TYPE): Promise<Answer> =>
  call(`${rest.url}/_document`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: new Uint8Array(Buffer.from(body)),
  });

function expectNothingLeft(): void {
  expect(rest.ingester.items).toEqual([]);
}

describe('a malformed multipart body', () => {
  test.each<[string, string | Buffer, string?]>([
    ['without its end', multipart([{ disposition: DISPOSITION, content: 'x' }]).subarray(0, -8)],
    ['cut in its headers', `--${BOUNDARY}\r\nContent-Dispo`],
    ['with a header that is none', `--${BOUNDARY}\r\n\u0000: x\r\n\r\nx\r\n--${BOUNDARY}--\r\n`],
    ['of nothing but noise', 'noise'],
    ['that is empty', ''],
    [
      'with another boundary',
      multipart([{ disposition: DISPOSITION, content: 'x' }]),
      'multipart/form-data; boundary=other',
    ],
    ['without a boundary', multipart([{ disposition: DISPOSITION, content: 'x' }]), 'multipart/form-data'],
    [
      'with 10,000 fields',
      multipart(Array.from({ length: 10_000 }, (_, at) => ({ disposition: `form-data; name="f${at}"`, content: 'x' }))),
    ],
    [
      'with 10,000 files',
      multipart(
        Array.from({ length: 10_000 }, (_, at) => ({
          disposition: `form-data; name="f${at}"; filename="f"`,
          content: 'x',
        })),
      ),
    ],
    [
      'with a name nested 50 levels',
      multipart([{ disposition: `form-data; name="a${'[b]'.repeat(50)}"`, content: 'x' }]),
    ],
    ['with a field without a name', multipart([{ disposition: 'form-data', content: 'x' }])],
    ['with an id that is a file', multipart([{ disposition: 'form-data; name="id"; filename="id"', content: 'x' }])],
    [
      'with an index that is a file',
      multipart([{ disposition: 'form-data; name="index"; filename="x"', content: 'x' }]),
    ],
  ])('%s is a 400 in JSON', async (...[, body, type]) => {
    expect(await post(body, type)).toMatchObject({ status: 400, body: FAILED });
    expect(await rest.spooled()).toEqual([]);
    expectNothingLeft();
  });

  test('an id given as an object is a 400', async () => {
    const body = multipart([
      { disposition: 'form-data; name="id[x]"', content: 'y' },
      { disposition: DISPOSITION, content: 'x' },
    ]);
    expect(await post(body)).toMatchObject({ status: 400, body: FAILED });
    expectNothingLeft();
  });

  test.each(['field', 'file'])('tags of a million members in a %s are a 400', async (kind) => {
    const tags = JSON.stringify({
      external: Object.fromEntries(Array.from({ length: 1_000_000 }, (_, at) => [at, 1])),
    });
    const body = new FormData();
    if (kind === 'field') body.append('tags', tags);
    else body.append('tags', new Blob([tags]), 'tags.json');
    body.append('file', new Blob(['x']), 'x.txt');
    const answer = await call(`${rest.url}/_document`, { method: 'POST', body });
    const message = 'Error parsing tags: the text has more than 10000 members.';
    expect(answer).toMatchObject({ status: 400, body: { ok: false, message } });
    expectNothingLeft();
  });

  test('text of more than 32 MiB is a 413, in one field or in many', async () => {
    const tooLong = 'x'.repeat(33 * 1024 * 1024);
    expect(await upload(rest.url, { content: 'x', fields: { tags: tooLong } })).toMatchObject({
      status: 413,
      body: FAILED,
    });
    const fields = Object.fromEntries(Array.from({ length: 34 }, (_, at) => [`f${at}`, tooLong.slice(0, 1024 * 1024)]));
    expect(await upload(rest.url, { content: 'x', fields })).toMatchObject({ status: 413, body: FAILED });
    expectNothingLeft();
  });
});

describe('a fetch request', () => {
  test.each<[string, unknown, RegExp?]>([
    ['that is empty', ''],
    ['of broken JSON', '{"type": "http", "password": "hunter2" oops'],
    ['of deep JSON', '['.repeat(100_000)],
    ['of deep JSON that is complete', `{"type":"http","http":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
    ['that is an array', []],
    ['that is a text', '"text"'],
    ['that is null', 'null'],
    ['without a type', { http: { url: 'x' } }],
    ['with a type that is no text', { type: 1 }],
    ['of an unknown type', { type: 'foo' }, /No FsProvider found for type \[foo\]/],
    ['of a type in capitals', { type: 'HTTP', HTTP: {} }, /No FsProvider found/],
    ['of a type that every object has', { type: '__proto__' }, /No FsProvider found/],
    ['without its section', { type: 'http' }, /Missing property in path \$\['http'\]/],
    ['with a section that is no object', { type: 'http', http: 'x' }],
    ['without the member', { type: 'http', http: {} }, /No results for path: \$\['http'\]\['url'\]/],
    ['with an empty url', { type: 'http', http: { url: '' } }, /HTTP URL is missing/],
    ['with a url that is null', { type: 'http', http: { url: null } }, /HTTP URL is missing/],
    ['with a url that is a number', { type: 'http', http: { url: 7 } }],
    ['with a url that is none', { type: 'http', http: { url: 'not a url' } }, /Invalid url \[not a url\]/],
    ['with tags of the wrong type', { type: 'local', local: { url: 'x' }, tags: '{bad' }, /Error parsing tags/],
  ])('%s is a 400 in JSON', async (...[, body, message = /./]) => {
    const answer = await fetchJson(rest.url, body);
    expect(answer).toMatchObject({ status: 400, body: { ok: false, message: expect.stringMatching(message) } });
    expect(answer.text).not.toContain('hunter2');
    expectNothingLeft();
  });

  test('of more than 1 MiB is a 413, and of too many members a 400', async () => {
    const members = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, at) => [at, 1]));
    const large = await fetchJson(rest.url, { type: 'local', local: { url: 'x' }, tags: members(200_000) });
    expect(large).toMatchObject({
      status: 413,
      body: { message: 'The body of the request is larger than 1048576 bytes.' },
    });
    const wide = await fetchJson(rest.url, { type: 'local', local: { url: 'x' }, tags: members(20_000) });
    expect(wide).toMatchObject({ status: 400, body: { message: 'The body has more than 10000 members.' } });
    expectNothingLeft();
  });

  test('of a type that is left out is told which types there are', async () => {
    const { body } = await fetchJson(rest.url, {});
    expect(body['message']).toBe(
      `The member [type] is missing: give one of ${sources.map(({ type }) => type).join(', ')}.`,
    );
  });
});

describe('an address or method that does not exist', () => {
  test.each([
    ['GET', '/nothing', 404, undefined],
    ['GET', '/_crawler', 404, undefined],
    ['GET', '/_CRAWLER/STATUS', 404, undefined],
    ['POST', '/_document/id/more', 404, undefined],
    ['PATCH', '/_document', 405, 'POST, DELETE, GET, HEAD, OPTIONS'],
    ['PUT', '/_document', 405, 'POST, DELETE, GET, HEAD, OPTIONS'],
    ['POST', '/_document/id', 405, 'PUT, DELETE, GET, HEAD, OPTIONS'],
    ['PATCH', '/', 405, 'GET, HEAD, OPTIONS'],
    ['DELETE', '/_crawler/status', 405, 'GET, HEAD, OPTIONS'],
    ['GET', '/_crawler/pause', 405, 'POST, OPTIONS'],
    ['GET', '/_document/%zz', 400, undefined],
    ['DELETE', '/_document/%E0%A4%A', 400, undefined],
  ])('%s %s is a %i in JSON', async (method, path, status, allow) => {
    const answer = await call(`${rest.url}${path}`, { method });
    expect(answer).toMatchObject({ status, body: FAILED });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('allow') ?? undefined).toBe(allow);
  });

  test('OPTIONS tells the methods', async () => {
    const { status, text, headers } = await call(`${rest.url}/_document`, { method: 'OPTIONS' });
    expect([status, text, headers.get('allow')]).toEqual([200, '', 'POST, DELETE, GET, HEAD, OPTIONS']);
  });

  test.each([
    ['text/plain', 'x', 415],
    ['application/xml', '<x/>', 415],
    ['multipart/mixed; boundary=x', '--x--', 415],
    ['application/json; charset=ebcdic', '{}', 415],
    ['', '', 400],
    ['', 'x', 415],
  ])('the content type [%s] with the body [%s] is a %i', async (type, body, status) => {
    const head = [
      `POST /_document HTTP/1.1`,
      'Host: localhost',
      ...(type === '' ? [] : [`Content-Type: ${type}`]),
      `Content-Length: ${body.length}`,
    ];
    const answer = await exchange(rest.url, `${head.join('\r\n')}\r\n\r\n${body}`);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject(FAILED);
  });

  test('JSON in an encoding that is not known is a 415', async () => {
    const answer = await fetchJson(rest.url, '{}', { headers: { 'content-encoding': 'snappy' } });
    expect(answer).toMatchObject({ status: 415, body: FAILED });
  });
});

describe('bytes that are not HTTP', () => {
  test.each([
    ['no HTTP at all', 'HELLO\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400],
    ['two lengths', 'POST /_document HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx', 400],
    [
      'a length and chunks',
      'POST /_document HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['headers of 100 KB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
  ])('%s is answered in JSON', async (_name, request, status) => {
    const answer = await exchange(rest.url, request);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject(FAILED);
  });
});

describe('an upload that breaks off', () => {
  const head = (length: number): string =>
    `POST /_document HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${MULTIPART_TYPE}\r\nContent-Length: ${length}\r\n\r\n` +
    `--${BOUNDARY}\r\nContent-Disposition: ${DISPOSITION}\r\n\r\n`;

  async function until(condition: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 500 && !(await condition()); tries++) await sleep(10);
  }

  test.each([
    ['in memory', 1000],
    ['on the disk', 500_000],
  ])('while it is %s is indexed by nobody and leaves nothing on the disk', async (_name, sent) => {
    const socket = await open(rest.url);
    socket.write(head(1_000_000) + 'x'.repeat(sent));
    if (sent > 256 * 1024) await until(async () => (await rest.spooled()).length === 1);
    else await sleep(50);
    socket.destroy();
    await until(async () => (await rest.spooled()).length === 0);
    expect(await rest.spooled()).toEqual([]);
    expectNothingLeft();
  });

  test('and falls silent is given up with a 408', async () => {
    const impatient = await startRest({ silenceMs: 200 });
    const socket = await open(impatient.url);
    const answer = readAnswer(socket);
    socket.write(head(1_000_000) + 'x'.repeat(300_000));
    const { status, body } = await answer;
    expect(status).toBe(408);
    expect(JSON.parse(body)).toMatchObject(FAILED);
    if (!socket.destroyed) await once(socket, 'close');
    await until(async () => (await impatient.spooled()).length === 0);
    expect(await impatient.spooled()).toEqual([]);
    expect(impatient.ingester.items).toEqual([]);
    await impatient.close();
  });

  test('a slow one that keeps sending is taken, and so is one whose extraction is slower than that', async () => {
    const impatient = await startRest({ silenceMs: 1500 });
    impatient.ingester.gate = sleep(2500);
    const body = multipart([{ disposition: DISPOSITION, content: 'slow' }]);
    const socket = await open(impatient.url);
    const answer = readAnswer(socket);
    socket.write(
      `POST /_document HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${MULTIPART_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    for (let at = 0; at < body.length; at += 40) {
      socket.write(body.subarray(at, at + 40));
      await sleep(100);
    }
    expect(JSON.parse((await answer).body)).toMatchObject({ ok: true, filename: 'x.txt' });
    socket.destroy();
    await impatient.close();
  });
});

describe('rest.max_upload_size', () => {
  let limited: RestHarness;

  beforeAll(async () => {
    limited = await startRest({ maxUploadBytes: 100_000 });
  });

  afterAll(() => limited.close());

  test.each([
    [100_000, 200],
    [100_001, 413],
    [5_000_000, 413],
  ])('of 100,000: a document of %i bytes is a %i', async (size, status) => {
    const answer = await upload(limited.url, { content: 'x'.repeat(size) });
    expect(answer.status).toBe(status);
    expect(answer.body['ok']).toBe(status === 200);
    expect(await limited.spooled()).toEqual([]);
  });

  test.each([
    ['far too large', '/_document', 99_999_999_999, 413],
    ['for nothing', '/nothing', 10, 404],
  ])('a body %s is refused before it is sent', async (_name, path, length, status) => {
    const answer = await exchange(limited.url, expecting(path, length));
    expect(answer).toMatchObject({ status, continued: false });
    expect(JSON.parse(answer.body)).toMatchObject(FAILED);
  });

  test('a body that is wanted is asked for', async () => {
    const body = multipart([{ disposition: DISPOSITION, content: 'x' }]);
    const socket = await open(limited.url);
    const answer = readAnswer(socket);
    socket.write(expecting('/_document', body.length));
    await once(socket, 'data');
    socket.write(body);
    expect(await answer).toMatchObject({ status: 200, continued: true });
    socket.destroy();
  });
});

function expecting(path: string, length: number): string {
  const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Expect: 100-continue', `Content-Type: ${MULTIPART_TYPE}`];
  return `${head.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n`;
}

describe('a spool that cannot be written', () => {
  test('is a clear answer, not a crash', async () => {
    const home = await mkdtemp(join(tmpdir(), 'rest-'));
    const service = await startRest({ spoolDirectory: join(home, 'spool') });
    await rm(home, { recursive: true });
    const answer = await upload(service.url, { content: 'x'.repeat(300_000) });
    expect(answer).toMatchObject({ status: 503, body: { ok: false, message: expect.stringContaining('fs.temp_dir') } });
    expect(answer.text).not.toContain(home);
    expect((await upload(service.url, { content: 'small ones need no disk' })).body['ok']).toBe(true);
    await service.close();
  });
});

(process.getuid?.() === 0 ? test : test.skip)('[needs root] a disk that is full while an upload arrives', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'rest-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
  try {
    const service = await startRest({ spoolDirectory: disk });
    const full = await upload(service.url, { content: 'x'.repeat(3_000_000) });
    expect(full).toMatchObject({ status: 507, body: { ok: false, message: expect.stringContaining('is full') } });
    expect(full.text).not.toContain(disk);
    expect(await service.spooled()).toEqual([]);
    expect((await upload(service.url, { content: 'x'.repeat(300_000) })).body['ok']).toBe(true);
    expect(service.ingester.items).toHaveLength(1);
    await service.close();
  } finally {
    execFileSync('umount', ['-l', disk]);
    await rm(disk, { recursive: true });
  }
});

describe('whatever the parameters are', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('true', '', '_auto_', '..', '%', '\u0000', '{}', '[', '-1', 'UPPER', 'a'.repeat(600)),
  );
  const names = fc.constantFrom(
    'id',
    'index',
    'password',
    'tags',
    'debug',
    'simulate',
    'filename',
    'q',
    'size',
    'from',
    'other',
    '__proto__',
    'id[]',
    'tags[a][b]',
  );
  const parameters = fc.array(fc.tuple(names, text), { maxLength: 6 });

  function searchOf(given: readonly (readonly [string, string])[]): string {
    return given.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
  }

  test('an upload ends in a JSON answer below 500', async () => {
    await fc.assert(
      fc.asyncProperty(parameters, parameters, async (query, fields) => {
        const form = new FormData();
        for (const [name, value] of fields) form.append(name, value);
        form.append('file', new Blob(['x']), 'fuzz.txt');
        const search = searchOf(query);
        const answer = await call(`${rest.url}/_document?${search}`, { method: 'POST', body: form });
        expect(answer.status).toBeLessThan(500);
        expect(typeof answer.body['ok']).toBe('boolean');
      }),
      { numRuns: 80 },
    );
  });

  test('a delete, a search and a fetch end in a JSON answer below 500', async () => {
    await fc.assert(
      fc.asyncProperty(parameters, fc.json({ maxDepth: 4 }), async (query, body) => {
        const search = searchOf(query);
        const answers = [
          await call(`${rest.url}/_document?${search}`, { method: 'DELETE' }),
          await call(`${rest.url}/_search?${search}`),
          await fetchJson(rest.url, body, { query: `?${search}` }),
          await fetchJson(rest.url, {
            type: 'local',
            local: JSON.parse(body) as unknown,
            tags: JSON.parse(body) as unknown,
          }),
        ];
        for (const answer of answers) {
          expect(answer.status).toBeLessThan(500);
          expect(typeof answer.body['ok']).toBe('boolean');
        }
      }),
      { numRuns: 80 },
    );
  });

  test('a multipart body of random bytes ends in a JSON answer below 500', async () => {
    const valid = multipart([{ disposition: DISPOSITION, content: 'content', type: 'text/plain' }]);
    const mutations = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(mutations, async (changes) => {
        const body = Buffer.from(valid);
        for (const [at, byte] of changes) body[at] = byte;
        const answer = await post(body);
        expect(answer.status).toBeLessThan(500);
        expect(typeof answer.body['ok']).toBe('boolean');
      }),
      { numRuns: 80 },
    );
  });
});
