import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Extraction } from '../../../../src/extract/extraction.js';
import type { TikaExtractor } from '../../../../src/extract/tika/tika-extractor.js';
import { requestFor } from '../../../support/extraction-request.js';
import { freePort } from '../../../support/program.js';
import {
  answerWith,
  ScriptedTika,
  tikaExtractor,
  type Reaction,
  type TikaRequestSeen,
  type TikaSettings,
} from '../../../support/tika-server.js';

const never = new AbortController().signal;
const hangUp = (response: ServerResponse): void => {
  response.socket?.destroy();
};
const silence = (): void => undefined;

let server: ScriptedTika;
let tika: TikaExtractor | undefined;

afterEach(async () => {
  await tika?.close();
  await server.stop();
});

async function open(
  react: (request: TikaRequestSeen, count: number) => Reaction | Promise<Reaction>,
  settings: TikaSettings = {},
): Promise<TikaExtractor> {
  server = new ScriptedTika(react);
  tika = tikaExtractor(await server.start(), settings);
  return tika;
}

function extract(text: string, name = 'a.txt'): Promise<Extraction> {
  if (tika === undefined) throw new Error('no extractor');
  return tika.extract(requestFor(name, text), never);
}

describe('a server that is away for a while', () => {
  test.each([503, 429])('and answers %i until then, has the document in the end', async (status) => {
    await open((_request, count) => (count < 3 ? { status } : answerWith('here')));
    expect(await extract('a')).toMatchObject({ text: 'here', problem: undefined });
    expect(server.documents).toHaveLength(4);
  });

  test('and does not listen until then, has the document in the end', async () => {
    const port = await freePort();
    server = new ScriptedTika(() => answerWith('here'));
    tika = tikaExtractor(`http://127.0.0.1:${port}`, { retries: 20, firstPauseMs: 50 });
    const extraction = extract('a');
    await delay(100);
    await server.start(port);
    expect((await extraction).text).toBe('here');
  });
});

describe('a server that stays away', () => {
  test('says nothing about a document: `unavailable` is thrown, with its address', async () => {
    await open(() => ({ status: 503 }), { retries: 2 });
    await expect(extract('a')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(server.url),
    });
    expect(server.documents).toHaveLength(3);
  });

  test('is not waited for by every document anew', async () => {
    await open(() => ({ status: 503 }), { retries: 2 });
    server.version = { status: 503, text: '' };
    await expect(extract('a')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(extract('b')).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.documents.map(({ body }) => body)).toEqual(['a', 'a', 'a']);
  });

  test('is used again as soon as it is back', async () => {
    await open(({ body }) => (body === 'a' ? { status: 503 } : answerWith('here')), { retries: 1 });
    await expect(extract('a')).rejects.toMatchObject({ code: 'unavailable' });
    expect((await extract('b')).text).toBe('here');
  });

  test('after it hung up on a document, has not crashed on it', async () => {
    await open(() => hangUp, { retries: 2 });
    server.version = { status: 502, text: '' };
    await expect(extract('a')).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('and is something else, is called so', async () => {
    await open(() => ({ json: 'Welcome' }), { retries: 1 });
    await expect(extract('a')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('not a Tika'),
    });
  });

  test.each([401, 404])('behind a refusal (%i) is no empty document', async (status) => {
    await open(() => ({ status }), { retries: 0 });
    await expect(extract('a')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`${status}`),
    });
  });
});

describe('a document that brings the server down', () => {
  test.each([
    ['a connection that breaks', hangUp],
    ['status 500', { status: 500 }],
    ['status 502', { status: 502 }],
  ])('(%s) is asked about three times and then said to have crashed it', async (_how, reaction) => {
    await open(() => reaction);
    expect((await extract('a')).problem?.reason).toBe('crashed');
    expect(server.documents).toHaveLength(3);
  });

  test.each([
    ['hangs up', hangUp, 'crashed', 60_000],
    ['stops to answer anything', silence, 'timed_out', 20],
  ])('so that it %s and does not come back, is not asked about for ever', async (_how, reaction, reason, timeoutMs) => {
    await open(
      () => {
        server.version = { status: 503, text: '' };
        return reaction;
      },
      { retries: 1, timeoutMs },
    );
    for (let scan = 1; scan < 3; scan += 1) {
      await expect(extract('a')).rejects.toMatchObject({ code: 'unavailable' });
      server.version = { status: 200, text: 'Apache Tika 9.9.9' };
    }
    expect((await extract('a')).problem?.reason).toBe(reason);
  });

  test('once only, is read the next time and is no suspect any more', async () => {
    await open((_request, count) => (count % 2 === 0 ? hangUp : answerWith('read')));
    for (let scan = 0; scan < 4; scan += 1) expect((await extract('a')).text).toBe('read');
  });

  test('does not take the others along: they are asked about again, one at a time', async () => {
    const others = Array.from({ length: 6 }, (_, at) => `innocent ${at}`);
    let again = 0;
    let mostAgain = 0;
    await open(
      async ({ body }, count) => {
        if (count === 0) return hangUp;
        again += 1;
        mostAgain = Math.max(mostAgain, again);
        await delay(5);
        again -= 1;
        return body === 'culprit' ? hangUp : answerWith(body);
      },
      { concurrency: 8 },
    );
    const all = await Promise.all([...others, 'culprit'].map((body) => extract(body, `${body}.txt`)));
    expect(all.map(({ text, problem }) => problem?.reason ?? text)).toEqual([...others, 'crashed']);
    expect(mostAgain).toBe(1);
  });
});

describe('time', () => {
  test('a document that takes too long on a server that is well has timed out', async () => {
    await open(({ body }) => (body === 'slow' ? silence : answerWith(body)), { timeoutMs: 2000 });
    const [slow, quick] = await Promise.all([extract('slow'), extract('quick')]);
    expect(slow.problem).toEqual({ reason: 'timed_out', message: expect.stringContaining('2 s') });
    expect(quick.text).toBe('quick');
  });

  test('a server that hangs up after the time limit has ended itself because of it', async () => {
    await open(
      () => (response) => {
        setTimeout(() => hangUp(response), 150);
      },
      { timeoutMs: 100 },
    );
    expect((await extract('a')).problem?.reason).toBe('timed_out');
    expect(server.documents).toHaveLength(1);
  });

  test('the limit is passed to the server where that is possible, and not again when it is refused', async () => {
    await open(({ headers }) => ('x-tika-timeout-millis' in headers ? { status: 400 } : answerWith('read')), {
      timeoutMs: 60_000,
    });
    expect((await extract('a')).text).toBe('read');
    expect((await extract('b')).text).toBe('read');
    expect(server.documents.map(({ headers }) => headers['x-tika-timeout-millis'])).toEqual([
      '60000',
      undefined,
      undefined,
    ]);
  });

  test('an empty list is how a server refuses a limit beyond its own', async () => {
    await open(({ headers }) => ('x-tika-timeout-millis' in headers ? { json: [] } : answerWith('read')), {
      timeoutMs: 60_000,
    });
    expect((await extract('a')).text).toBe('read');
  });
});

describe('what a server says of a document', () => {
  test.each([
    [413, 'too_large'],
    [415, 'unsupported'],
    [422, 'corrupt'],
  ])('status %i means %s', async (status, reason) => {
    await open(() => ({ status }));
    const { problem, contentType, metadata } = await extract('plain text');
    expect(problem?.reason).toBe(reason);
    expect([contentType, metadata['resourceName']]).toEqual(['text/plain', ['a.txt']]);
  });

  test('an answer that is far too large is refused, not held', async () => {
    await open(
      () => (response) => {
        response.writeHead(200);
        const chunk = Buffer.alloc(1024 * 1024, 'x');
        const more = (): void => {
          while (!response.destroyed && response.write(chunk)) continue;
        };
        response.on('drain', more);
        more();
      },
      { limits: { outputCharacters: 1000 } },
    );
    expect((await extract('a')).problem?.reason).toBe('too_large');
  });
});

test('no more documents are under way than wanted', async () => {
  await open(
    async ({ body }) => {
      await delay(5);
      return answerWith(body);
    },
    { concurrency: 3 },
  );
  const bodies = Array.from({ length: 20 }, (_, at) => `document ${at}`);
  const all = await Promise.all(bodies.map((body) => extract(body)));
  expect(all.map(({ text }) => text)).toEqual(bodies);
  expect(server.most).toBe(3);
});

test('what is under way and what waits can be seen', async () => {
  await open(() => silence, { concurrency: 2 });
  const all = ['a', 'b', 'c'].map((body) => extract(body).catch(() => undefined));
  while (server.documents.length < 2) await delay(5);
  const { current, waiting } = tika?.activity() ?? { current: [], waiting: -1 };
  expect([current.map(({ document }) => document), waiting]).toEqual([['a.txt', 'a.txt'], 1]);
  await tika?.close();
  await Promise.all(all);
});

describe('cancelling', () => {
  test('ends a document under way', async () => {
    await open(() => silence);
    const work = new AbortController();
    const extraction = tika?.extract(requestFor('a.txt', 'a'), work.signal);
    while (server.documents.length === 0) await delay(5);
    work.abort();
    await expect(extraction).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('ends the waiting for a server', async () => {
    await open(() => ({ status: 503 }), { retries: 50, firstPauseMs: 10_000 });
    const work = new AbortController();
    const extraction = tika?.extract(requestFor('a.txt', 'a'), work.signal);
    while (server.documents.length === 0) await delay(5);
    work.abort();
    await expect(extraction).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('closing the service ends everything', async () => {
    await open(() => silence, { concurrency: 1 });
    const all = ['a', 'b'].map((body) => extract(body));
    while (server.documents.length === 0) await delay(5);
    await tika?.close();
    for (const each of all) await expect(each).rejects.toMatchObject({ code: 'cancelled' });
    await expect(extract('c')).rejects.toMatchObject({ code: 'cancelled' });
  });
});
