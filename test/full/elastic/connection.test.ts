import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ElasticEngine } from '../../../src/engine/elastic/elastic-engine.js';
import { InstantClock } from '../../support/instant-clock.js';
import { RecordingLogger } from '../../support/recording-logger.js';
import { ScriptedProxy, type ProxyOptions } from '../../support/scripted-proxy.js';
import { elasticEngine, rootAnswer, type EngineOptions } from './elastic-harness.js';

const { signal } = new AbortController();
const certificates = join(process.cwd(), 'test/support/tls');
const localhost = { cert: pem('localhost.pem'), key: pem('localhost-key.pem') };
const elsewhere = { cert: pem('elsewhere.pem'), key: pem('elsewhere-key.pem') };
const ca = join(certificates, 'ca.pem');
const noTemplates = { pushTemplates: false };
const absent = { identity: 'absent' };

const servers: ScriptedProxy[] = [];
const engines: ElasticEngine[] = [];

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

function pem(name: string): string {
  return readFileSync(join(certificates, name), 'utf8');
}

async function server(options: ProxyOptions = {}): Promise<ScriptedProxy> {
  const started = await ScriptedProxy.start(options);
  servers.push(started);
  return started;
}

function engine(options: EngineOptions): ElasticEngine {
  const opened = elasticEngine({ templates: noTemplates, ...options });
  engines.push(opened);
  return opened;
}

function root(status = 200, body: unknown = rootAnswer()) {
  return { on: /^GET \/$/, act: { kind: 'answer', status, body } } as const;
}

describe('waiting for the engine', () => {
  test('says what it waits for, and starts when the engine is there', async () => {
    const away = await server();
    away.script({ on: /^GET \/$/, times: 3, act: { kind: 'cut_before' } }, { ...root(503), times: 2 }, root());
    const logger = new RecordingLogger();
    const clock = new InstantClock();
    expect(await engine({ urls: [away.url], logger, clock }).prepare(signal)).toEqual(absent);
    expect(clock.slept).toEqual([500, 1000, 2000, 4000, 5000]);
    expect(logger.messages('warn').filter((line) => line.startsWith('Waiting'))).toEqual([
      expect.stringMatching(
        /^Waiting for the search engine at \[http:\/\/127\.0\.0\.1:\d+\]: .*at most 60 s \(engine\.start_timeout\)\.$/,
      ),
    ]);
  });

  test('reminds every half minute, and without a limit never ends', async () => {
    const away = await server();
    away.script({ on: /^GET \/$/, times: 30, act: { kind: 'cut_before' } }, root());
    const logger = new RecordingLogger();
    const waiting = engine({ urls: [away.url], logger, clock: new InstantClock(), startTimeoutMs: -1 });
    expect(await waiting.prepare(signal)).toEqual(absent);
    expect(logger.messages('warn').length).toBeGreaterThanOrEqual(4);
    expect(logger.messages('warn')[0]).toContain('without a limit');
  });

  test('ends after the start time-out with the way out', async () => {
    const clock = new InstantClock();
    const refused = engine({ urls: ['http://127.0.0.1:1'], clock, startTimeoutMs: 7_000 });
    await expect(refused.prepare(signal)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/not ready within 7 s \(.*ECONNREFUSED.*\): start it, correct engine\.urls/),
    });
    expect(clock.slept.reduce((sum, each) => sum + each, 0)).toBe(7_000);
  });

  test('guesses that a server which hangs up wants https://', async () => {
    const secure = await server({ tls: localhost });
    const plain = engine({ urls: [secure.url.replace('https:', 'http:')], clock: new InstantClock() });
    await expect(plain.prepare(signal)).rejects.toMatchObject({ message: expect.stringContaining('write https://') });
  });

  test('ends at once when it is cancelled', async () => {
    const controller = new AbortController();
    const waiting = engine({ urls: ['http://127.0.0.1:1'], startTimeoutMs: -1 }).prepare(controller.signal);
    setImmediate(() => controller.abort());
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('gives a cold proxy that answers 404 a minute', async () => {
    const cold = await server();
    cold.script({ ...root(404), times: 4 }, root());
    const clock = new InstantClock();
    const logger = new RecordingLogger();
    expect(await engine({ urls: [cold.url], clock, logger }).prepare(signal)).toEqual(absent);
    expect(clock.slept).toEqual([1000, 2000, 4000, 8000]);
    expect(logger.messages('warn')[0]).toContain('404');
  });

  test('takes a lasting 404 for a wrong path', async () => {
    const wrong = await server();
    await expect(engine({ urls: [wrong.url], clock: new InstantClock() }).prepare(signal)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('engine.path_prefix'),
    });
  });

  test('does not wait for something that is no search engine', async () => {
    const page = await server();
    page.script(root(200, '<html>Welcome</html>'));
    const clock = new InstantClock();
    await expect(engine({ urls: [page.url], clock }).prepare(signal)).rejects.toMatchObject({ code: 'unsupported' });
    expect(clock.slept).toEqual([]);
  });

  test('writes nothing before it has ended, and says so', async () => {
    const here = await server();
    const waiting = engine({ urls: [here.url] });
    expect(await waiting.write([{ kind: 'index', index: 'job_docs', id: 'a', document: {} }], signal)).toEqual([
      { ok: false, id: 'a', code: 'unavailable', message: expect.stringContaining('not ready yet') },
    ]);
    expect(here.requests).toEqual([]);
  });
});

describe('credentials', () => {
  test.each([
    ['an API key', { apiKey: 'a2V5' }, 'ApiKey a2V5'],
    ['user and password', { username: 'u', password: 'p' }, `Basic ${Buffer.from('u:p').toString('base64')}`],
    ['none', {}, undefined],
  ])('%s go with every request', async (_, connection, header) => {
    const here = await server();
    here.script(root());
    await engine({ urls: [here.url], connection }).prepare(signal);
    expect(here.requests.length).toBeGreaterThan(1);
    expect(here.requests.map(({ headers }) => headers.authorization)).toEqual(here.requests.map(() => header));
  });

  test.each([
    [401, 'security_exception', 'check engine.api_key'],
    [403, 'security_exception', 'missing privilege'],
  ])('that are refused with %s end the start at once with what to do', async (status, type, remedy) => {
    const locked = await server();
    locked.script(root(status, { error: { type, reason: 'unable to authenticate' }, status }));
    const clock = new InstantClock();
    const refused = engine({ urls: [locked.url], connection: { apiKey: 'c2VjcmV0' }, clock }).prepare(signal);
    await expect(refused).rejects.toMatchObject({ code: 'denied', message: expect.stringContaining(remedy) });
    await expect(refused).rejects.toMatchObject({ message: expect.not.stringMatching(/c2VjcmV0|\n/) });
    expect(clock.slept).toEqual([]);
  });
});

describe('TLS', () => {
  test('works with the certificate of the authority', async () => {
    const secure = await server({ tls: localhost });
    secure.script(root());
    const trusting = engine({ urls: [secure.url], connection: { caCertificatePath: ca } });
    expect(await trusting.prepare(signal)).toEqual(absent);
  });

  test('works without verification, which is said', async () => {
    const secure = await server({ tls: elsewhere });
    secure.script(root());
    const logger = new RecordingLogger();
    const careless = engine({ urls: [secure.url], connection: { sslVerification: false }, logger });
    expect(await careless.prepare(signal)).toEqual(absent);
    expect(logger.messages('warn')[0]).toContain('engine.ssl_verification');
  });

  test.each([
    ['an unknown authority', localhost, undefined, 'engine.ca_certificate'],
    ['another name', elsewhere, ca, 'issued for other names'],
  ])('with %s ends the start at once with what to do', async (_, tls, caCertificatePath, remedy) => {
    const secure = await server({ tls });
    const clock = new InstantClock();
    const refused = engine({ urls: [secure.url], connection: { caCertificatePath }, clock }).prepare(signal);
    await expect(refused).rejects.toMatchObject({ code: 'denied', message: expect.stringContaining(remedy) });
    expect(clock.slept).toEqual([]);
  });

  test('towards a server that speaks plain HTTP says to write http://', async () => {
    const plain = await server();
    const refused = engine({ urls: [plain.url.replace('http:', 'https:')], clock: new InstantClock() }).prepare(signal);
    await expect(refused).rejects.toMatchObject({ code: 'denied', message: expect.stringContaining('write http://') });
  });
});

describe('the path prefix', () => {
  test('stands before every request, the first one included, and in the address of a document', async () => {
    const proxy = await server();
    proxy.script({ on: /^GET \/es\/$/, act: { kind: 'answer', status: 200, body: rootAnswer() } });
    const prefixed = engine({ urls: [proxy.url], connection: { pathPrefix: '/es' } });
    expect(await prefixed.prepare(signal)).toEqual(absent);
    expect(proxy.requests.every(({ line }) => line.includes(' /es/'))).toBe(true);
    expect(prefixed.urlOf('job_docs', 'a/b c')).toBe(`${proxy.url}/es/job_docs/_doc/a%2Fb%20c`);
  });
});

describe('several URLs', () => {
  test('share the requests; one that is away is passed over, and taken back when it is there again', async () => {
    const [first, second] = [await server(), await server()];
    for (const node of [first, second]) node.script({ ...root(), times: 1000 });
    const clock = new InstantClock();
    const both = engine({ urls: [first.url, second.url], clock });
    await both.prepare(signal);
    for (let i = 0; i < 4; i += 1) await both.get('job_docs', 'a', signal);
    expect(first.requests.length).toBeGreaterThan(1);
    expect(second.requests.length).toBeGreaterThan(1);

    servers.splice(servers.indexOf(first), 1);
    await first.close();
    const before = second.requests.length;
    for (let i = 0; i < 4; i += 1) await both.get('job_docs', 'a', signal);
    expect(second.requests.length).toBe(before + 4);
    expect(clock.slept).toEqual([]);

    const revived = await server({ port: first.port });
    servers.splice(servers.indexOf(second), 1);
    await second.close();
    await both.get('job_docs', 'a', signal);
    expect(revived.requests.length).toBeGreaterThan(0);
  });

  test('that are all away are asked again and again', async () => {
    const clock = new InstantClock();
    const none = engine({ urls: ['http://127.0.0.1:1', 'http://127.0.0.1:2'], clock });
    await expect(none.get('job_docs', 'a', signal)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/\[http:\/\/127\.0\.0\.1:1, http:\/\/127\.0\.0\.1:2\] cannot be reached for 10 s/),
    });
    expect(clock.slept).toEqual([500, 1000, 2000, 4000, 2500]);
  });

  test('pass a 503 of one node over', async () => {
    const [ill, well] = [await server(), await server()];
    ill.script({ times: 1000, act: { kind: 'answer', status: 503 } });
    well.script({ ...root(), times: 1000 });
    const clock = new InstantClock();
    expect(await engine({ urls: [ill.url, well.url], clock }).prepare(signal)).toEqual(absent);
    expect(clock.slept).toEqual([]);
  });
});

describe('the ingest pipeline', () => {
  test('that does not exist ends the start with the setting', async () => {
    const here = await server();
    here.script(root());
    await expect(engine({ urls: [here.url], pipeline: 'my/pipe' }).prepare(signal)).rejects.toMatchObject({
      code: 'settings_invalid',
      message: expect.stringContaining('[my/pipe] of engine.pipeline does not exist'),
    });
    expect(here.requests.map(({ line }) => line)).toContain('GET /_ingest/pipeline/my%2Fpipe');
  });
});

describe('an index', () => {
  test('that may not be created is left to the first document, which is said', async () => {
    const here = await server();
    const error = { type: 'security_exception', reason: 'no' };
    const refusal = { kind: 'answer', status: 403, body: { error, status: 403 } } as const;
    here.script(root(), { on: /^PUT \/job_(docs|folder)$/, times: 2, act: refusal });
    const logger = new RecordingLogger();
    const templates = { ...noTemplates, foldersWanted: true };
    const both = engine({ urls: [here.url], templates, logger });
    expect(await both.prepare(signal)).toEqual({ identity: 'absent absent' });
    expect([...logger.messages('warn')].sort()).toEqual([
      expect.stringContaining('[job_docs] cannot be created'),
      expect.stringContaining('[job_folder] cannot be created'),
    ]);
  });

  test('of folders that nobody wants is neither asked for nor made', async () => {
    const here = await server();
    here.script(root());
    expect(await engine({ urls: [here.url] }).prepare(signal)).toEqual(absent);
    expect(here.requests.filter(({ line }) => line.includes('job_folder'))).toEqual([]);
  });
});

describe('the version', () => {
  test('is asked for once, and without waiting', async () => {
    const here = await server();
    here.script({ on: /^GET \/$/, act: { kind: 'cut_before' } }, root());
    const clock = new InstantClock();
    const asked = engine({ urls: [here.url], clock });
    await expect(asked.version(signal)).rejects.toMatchObject({ code: 'unavailable' });
    expect(clock.slept).toEqual([]);
    expect(await asked.version(signal)).toBe('8.19.0');
    expect(await asked.version(signal)).toBe('8.19.0');
    expect(here.requests).toHaveLength(2);
  });
});

describe('a closed engine', () => {
  test('does nothing more, and says so', async () => {
    const here = await server();
    here.script(root());
    const closed = engine({ urls: [here.url] });
    await closed.prepare(signal);
    await closed.close();
    const write = closed.write([{ kind: 'delete', index: 'job_docs', id: 'a' }], signal);
    await expect(write).rejects.toMatchObject({ code: 'cancelled', message: expect.stringContaining('closed') });
    await expect(closed.get('job_docs', 'a', signal)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
