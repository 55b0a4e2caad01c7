import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TikaServer } from '../../../../src/extract/tika/tika-server.js';
import type { TikaServerInfo } from '../../../../src/extract/tika/tika-server-info.js';
import { waitForTika } from '../../../../src/extract/tika/wait-for-tika.js';
import { freePort } from '../../../support/program.js';
import { RecordingLogger } from '../../../support/recording-logger.js';
import { ScriptedTika } from '../../../support/tika-server.js';

const never = new AbortController().signal;
let server: ScriptedTika;
let logger: RecordingLogger;

beforeEach(() => {
  server = new ScriptedTika(() => ({ status: 500 }));
  logger = new RecordingLogger();
});
afterEach(() => server.stop().catch(() => undefined));

function wait(url: string, startTimeoutMs: number, signal = never): Promise<TikaServerInfo> {
  return waitForTika({ server: new TikaServer({ url, retries: 1, logger }), url, startTimeoutMs, logger }, signal);
}

describe('the start of a job', () => {
  test('waits for the server, and says so once', async () => {
    const port = await freePort();
    const waiting = wait(`http://127.0.0.1:${port}`, 20_000);
    await delay(300);
    await server.start(port);
    expect((await waiting).version).toBe('9.9.9');
    expect(logger.messages('warn')).toEqual([
      expect.stringMatching(/^Waiting for the Tika server at \[http.*ECONNREFUSED/),
    ]);
  });

  test('waits for a server that answers 503', async () => {
    const url = await server.start();
    server.version = { status: 503, text: '' };
    const waiting = wait(url, -1);
    await delay(100);
    server.version = { status: 200, text: 'Apache Tika 9.9.9' };
    expect((await waiting).version).toBe('9.9.9');
  });

  test('ends with a sentence when the server is not ready in time', async () => {
    await expect(wait(`http://me:secret@127.0.0.1:${await freePort()}/tika`, 100)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/\[http:\/\/127\.0\.0\.1:\d+\/tika\] was not ready within 0\.1 s.*start_timeout/),
    });
    expect(JSON.stringify(logger.lines)).not.toContain('secret');
  });

  test.each([
    [200, '<html>It works!</html>'],
    [404, 'Not found'],
    [401, ''],
  ])('does not wait for what will never be Tika (%i %s)', async (status, text) => {
    const url = await server.start();
    server.version = { status, text };
    await expect(wait(url, -1)).rejects.toMatchObject({
      code: 'settings_invalid',
      message: expect.stringContaining(url),
    });
  });

  test('can be cancelled', async () => {
    const work = new AbortController();
    const waiting = wait(`http://127.0.0.1:${await freePort()}`, -1, work.signal);
    await delay(50);
    work.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('what a server can do', () => {
  test('is taken from its lists', async () => {
    const url = await server.start();
    server.lists = {
      '/parsers/details': {
        children: [{ children: [{ name: 'A', supportedTypes: ['a/b; c=d'] }] }, { name: 'B', supportedTypes: [] }],
      },
      '/detectors': { children: [{ name: 'D' }] },
      '/mime-types': { 'a/special': { supertype: 'a/b' }, 'a/loop': { supertype: 'a/loop' } },
    };
    const knowledge = await wait(url, 0);
    expect([knowledge.parsers, knowledge.detectors]).toEqual([2, 1]);
    const types = ['a/b', 'A/B; x=y', 'a/special', 'a/loop', 'a/other'];
    expect(types.map((type) => knowledge.knows(type))).toEqual([true, true, true, false, false]);
    expect(logger.messages('info')).toEqual([expect.stringContaining('version [9.9.9], 2 parsers and 1 detectors')]);
  });

  test('is taken to be everything when it does not tell', async () => {
    const knowledge = await wait(await server.start(), 0);
    expect([knowledge.version, knowledge.knows('a/b')]).toEqual(['9.9.9', true]);
  });
});
