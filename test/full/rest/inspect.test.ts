import { rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ThreadInspector } from '../../../src/operations/inspector/thread-inspector.js';
import { NEVER_RAN } from '../../../src/crawler/run-record.js';
import { InspectedTree } from '../../support/inspected-tree.js';
import { ended, inspectorOf } from '../../support/inspector-of.js';
import { call, startRest, type Answer, type RestHarness } from '../../rest/rest-harness.js';

/** The endpoints for operators over a real job: its tree, its catalog, its index, and the thread that reads them. */
let tree: InspectedTree;
let inspector: ThreadInspector;
let rest: RestHarness;

async function serve(overrides: Parameters<typeof startRest>[0] = {}): Promise<void> {
  inspector = inspectorOf(tree);
  rest = await startRest({ inspector: () => Promise.resolve(inspector), ...overrides });
}

async function leave(): Promise<void> {
  await rest.close();
  await inspector.close();
  tree.dispose();
}

const get = (path: string): Promise<Answer> => call(`${rest.url}/_crawler/${path}`);
const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  call(`${rest.url}/_crawler/${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
const messageOf = ({ status, body }: Answer): string => `${status} ${String(body['message'])}`;

describe('a job that was crawled', () => {
  beforeAll(async () => {
    tree = new InspectedTree();
    tree.settings('name: job', 'fs:', '  excludes:', '    - "*/drafts/*"', '    - "*~"');
    tree.file('kept/report.txt');
    tree.file('kept/100%.txt');
    tree.file('drafts/offer.txt');
    tree.file('kept/copy.txt~');
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) tree.file(`broken/${name}`, '%PDF-1.7 nothing more');
    await tree.run();
    await serve();
  });
  afterAll(leave);

  test.each([
    ['in full', () => tree.path('kept/report.txt')],
    ['below the root', () => 'kept/report.txt'],
    ['with detours', () => 'kept/./../kept//report.txt'],
  ])('why answers for a path %s', async (_, path) => {
    const { status, body } = await get(`why?path=${encodeURIComponent(path())}`);
    expect([status, body['standing'], body['path']]).toEqual([200, 'indexed', tree.path('kept/report.txt')]);
  });

  test('why names the rule and where it is written', async () => {
    const { body } = await get('why?path=drafts/offer.txt');
    expect(body).toMatchObject({
      standing: 'left_out',
      reason: 'excluded',
      rule: { at: tree.path('drafts') },
      origin: { setting: 'fs.excludes', pattern: '*/drafts/*', origin: '_settings.yaml:4' },
    });
  });

  test('why does not leave the root', async () => {
    const { body } = await get('why?path=../../etc/passwd');
    expect(body).toMatchObject({ standing: 'outside' });
  });

  test('why finds files by a part of their name, whatever signs it holds', async () => {
    const { body } = await get('why?name=REPORT');
    expect(body).toEqual({ ok: true, more: false, files: [{ path: tree.path('kept/report.txt'), state: 'indexed' }] });
    expect((await get('why?name=%25')).body['files']).toEqual([{ path: tree.path('kept/100%.txt'), state: 'indexed' }]);
    expect((await get('why?name=_port')).body['files']).toEqual([]);
  });

  test.each([
    ['why', 'Give one parameter: [path] of a file or folder, or [name], a part of a file name.'],
    ['why?path=a&name=b', 'Give one parameter: [path] of a file or folder, or [name], a part of a file name.'],
    ['why?paht=a', 'There is no parameter [paht] here. Did you mean [path]?'],
    ['why?path=a%00b', 'A path cannot hold a NUL character.'],
    ['failures?reason=encrytped', /^The parameter \[reason\] must be one of excluded, /],
    ['failures?size=1001', 'The parameter [size] must be a whole number from 1 to 1000.'],
    ['failures?after=x', 'The parameter [after] is not one of this list. Begin again without it.'],
    ['held?after=bnVsbA', 'The parameter [after] is not one of this list. Begin again without it.'],
    ['plan?path=x', 'There is no parameter [path] here. It takes none.'],
  ])('%s is refused by name', async (path, expected) => {
    const answer = await get(path);
    expect(answer.status).toBe(400);
    expect(answer.body['message']).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });

  test('failures come page by page, with counts of all', async () => {
    const seen: unknown[] = [];
    let next: unknown = '';
    do {
      const { body } = await get(`failures?size=2&after=${String(next)}`);
      expect(body['counts']).toEqual({ corrupt: 3 });
      seen.push(...(body['failures'] as { path: string }[]).map(({ path }) => path));
      next = body['next'];
    } while (next !== null);
    expect(seen).toEqual(['a', 'b', 'c'].map((name) => tree.path(`broken/${name}.pdf`)));
    const excluded = await get('failures?reason=excluded');
    expect(excluded.body).toMatchObject({ counts: { corrupt: 3, excluded: 1 }, failures: [{ standing: 'left_out' }] });
  });

  test.each([
    [
      '',
      '400 The body of the request is empty. Send {"reason": "encrypted"} or {"paths": […]}, with at most 100 paths.',
    ],
    [[], '400 The body must be a JSON object. Send {"reason": "encrypted"} or {"paths": […]}, with at most 100 paths.'],
    [{}, '400 Give one member. Send {"reason": "encrypted"} or {"paths": […]}, with at most 100 paths.'],
    [
      { reason: 'corrupt', all: true },
      '400 There is no member [all] here. Send {"reason": "encrypted"} or {"paths": […]}, with at most 100 paths.',
    ],
    [{ paths: [] }, '400 The member [paths] must be a list of 1 to 100 texts.'],
    [{ paths: [1] }, '400 The member [paths] must be a list of 1 to 100 texts.'],
  ])('a retry of %j is refused', async (body, message) => {
    const init = { method: 'POST', body: body === '' ? '' : JSON.stringify(body) };
    expect(messageOf(await call(`${rest.url}/_crawler/failures/retry`, init))).toBe(message);
  });

  test.each([
    ['waiting', { state: 'PAUSED', pausedBy: 'schedule' }, 'A scan begins now and tries them.', 'RUNNING'],
    [
      'paused',
      { state: 'PAUSED', pausedBy: 'user' },
      'The crawl is paused: they are tried when it is resumed.',
      'PAUSED',
    ],
    ['running', { state: 'RUNNING' }, 'The scan that is running, or the next one, tries them.', 'RUNNING'],
  ] as const)('a retry while the crawl is %s says when it happens', async (_, status, message, after) => {
    rest.crawler.become({ ...NEVER_RAN, ...status });
    const { body } = await send('POST', 'failures/retry', { reason: 'corrupt' });
    expect(body).toEqual({ ok: true, queued: 3, message });
    expect(rest.crawler.status().state).toBe(after);
  });

  test('a retry of paths takes those that are failures', async () => {
    const paths = ['broken/a.pdf', tree.path('broken/b.pdf'), 'kept/report.txt', 'none', 'broken/a.pdf'];
    expect((await send('POST', 'failures/retry', { paths })).body).toMatchObject({ ok: true, queued: 2 });
    rest.crawler.become({ ...NEVER_RAN, state: 'PAUSED', pausedBy: 'schedule' });
    expect((await send('POST', 'failures/retry', { paths: ['kept/report.txt'] })).body).toEqual({
      ok: true,
      queued: 0,
      message: 'There is nothing to retry.',
    });
    expect(rest.crawler.status().state).toBe('PAUSED');
  });

  test('a plan says what the next scan would do', async () => {
    expect((await get('plan')).body).toEqual({ ok: true, running: null, last: null, failed: null });
    expect((await send('POST', 'plan')).status).toBe(202);
    await ended(inspector.plan);
    const { body } = await get('plan');
    expect(body).toMatchObject({ running: null, failed: null, last: { plan: { selected: { files: 5 } } } });
    expect((await send('DELETE', 'plan')).body).toEqual({ ok: true, message: 'Nothing is running. No action needed.' });
  });
});

describe('the truth', () => {
  const truth = async (): Promise<string> => {
    const { state, sentence } = (await get('verify')).body['truth'] as { state: string; sentence: string };
    return `${state}: ${sentence}`;
  };
  const check = async (): Promise<void> => {
    expect((await send('POST', 'verify')).status).toBe(202);
    await ended(inspector.verify);
    expect(inspector.verify.fault).toBeUndefined();
  };
  /** A scan of another process has ended. */
  const scanned = (): void => rest.crawler.become({ state: 'COMPLETED', scanId: String(Math.random()) });

  beforeEach(async () => {
    tree = new InspectedTree();
    tree.file('a.txt');
    tree.file('b.txt');
    await tree.run();
    await serve();
  });
  afterEach(leave);

  test('is unknown until somebody has compared', async () => {
    expect(await truth()).toBe('unknown: Tree and index were never compared.');
  });

  test('is that they are equal after a check, also of the command line, and until a scan has changed something', async () => {
    await tree.verify();
    expect(await truth()).toBe('equal: No difference between tree, catalog and index: 2 files.');
    expect((await get('verify')).body).toMatchObject({
      last: { equal: true, findings: [] },
      failed: null,
      running: null,
    });
    rest.crawler.become({ state: 'RUNNING' });
    expect(await truth()).toBe('pending: A scan is running.');
    scanned();
    expect(await truth()).toBe('equal: No difference between tree, catalog and index: 2 files.');
    tree.file('c.txt');
    await tree.run();
    scanned();
    expect(await truth()).toBe('pending: The index was equal when it was compared. Scans have changed it since.');
    await check();
    expect(await truth()).toBe('equal: No difference between tree, catalog and index: 3 files.');
    rmSync(tree.path('c.txt'));
    await tree.run();
    scanned();
    expect(await truth()).toBe('pending: The index was equal when it was compared. Scans have changed it since.');
  });

  test('is that they differ, with the names of the differences', async () => {
    await tree.withEngine((engine, index) =>
      engine.write([{ kind: 'index', index, id: 'stray', document: strayBelow(tree) }], new AbortController().signal),
    );
    await check();
    expect(await truth()).toMatch(
      /^differs: 1 difference was found\. \[crawler verify job .*--fix.*\] repairs what differs\.$/,
    );
    const { last } = (await get('verify')).body as { last: { findings: unknown[] } };
    expect(last.findings).toEqual([expect.objectContaining({ kind: 'orphan', path: tree.path('gone.txt') })]);
    rest.crawler.become({ state: 'RUNNING' });
    expect(await truth()).toMatch(
      /^differs: 1 difference was found\. \[crawler verify job .*--fix.*\] repairs what differs\.$/,
    );
  });

  test('is pending while deletions are held', async () => {
    await check();
    rest.crawler.become({ heldDeletions: { documents: 1, folders: 0, sinceMs: 1, message: 'gone' } });
    expect(await truth()).toBe('pending: 1 deletion waits for approval.');
  });

  test('of a file that cannot be read is unknown, never equal', async () => {
    await check();
    await leave();
    tree = new InspectedTree();
    tree.file('a.txt');
    await tree.run();
    writeFileSync(join(tree.jobDirectory, '_verify.json'), '{"equal":true}');
    await serve();
    expect(await truth()).toBe('unknown: Tree and index were never compared.');
  });

  test('is kept for nobody else to read', async () => {
    await check();
    expect(statSync(join(tree.jobDirectory, '_verify.json')).mode & 0o077).toBe(0);
  });
});

describe('held deletions', () => {
  beforeEach(async () => {
    tree = new InspectedTree().set('fs.delete_guard=1');
    for (const name of ['a/1.txt', 'a/2.txt', 'a/3.txt', 'b/1.txt', 'kept.txt']) tree.file(name);
    await tree.run();
    rmSync(tree.path('a'), { recursive: true });
    rmSync(tree.path('b'), { recursive: true });
    await tree.run();
    await serve();
  });
  afterEach(leave);

  test('are listed by folder and by name', async () => {
    const { body } = await get('held?size=3');
    expect(body).toMatchObject({
      documents: 4,
      folders: 2,
      by_folder: [
        { path: tree.path('a'), documents: 3 },
        { path: tree.path('b'), documents: 1 },
      ],
      paths: ['a/1.txt', 'a/2.txt', 'a/3.txt'].map((name) => tree.path(name)),
    });
    expect(body['message']).toContain('fs.delete_guard');
    const rest2 = await get(`held?size=3&after=${String(body['next'])}`);
    expect(rest2.body).toMatchObject({ paths: [tree.path('b/1.txt')], next: null });
    expect((await get('held?after=WyJmaWxlIiwxLCIiXQ')).status).toBe(400);
  });
});

describe('what cannot be answered', () => {
  test('a job without a root says so', async () => {
    rest = await startRest();
    const sentence =
      'The job [job] has no root (fs.url): it takes documents over HTTP only, so there is no tree to inspect.';
    for (const path of ['why?path=a', 'failures', 'held', 'plan', 'verify'])
      expect(messageOf(await get(path))).toBe(`404 ${sentence}`);
    await rest.close();
  });

  test('a job that was never run says what to do', async () => {
    tree = new InspectedTree();
    tree.file('a.txt');
    await serve();
    expect(messageOf(await get('failures'))).toMatch(/^404 Job \[job\] has not been run yet: .* Run \[crawler /);
    await leave();
  });

  test('an engine that is away is waited for by nobody', async () => {
    tree = new InspectedTree();
    tree.file('a.txt');
    await serve({ engineReady: () => ({ ready: false, message: 'The engine is away.' }) });
    expect(messageOf(await send('POST', 'verify'))).toBe('503 The engine is away.');
    await leave();
  });
});

describe('what takes long', () => {
  /** Accepts connections, and never says a word. */
  let silent: Server;
  beforeEach(async () => {
    silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    tree = new InspectedTree();
    tree.file('a.txt');
    await tree.run();
  });
  afterEach(async () => {
    await leave();
    silent.close();
  });
  const port = (): number => (silent.address() as AddressInfo).port;

  test.each(['plan', 'verify'] as const)('a %s runs once at a time, and can be stopped', async (name) => {
    tree.set(
      ...(name === 'verify'
        ? [`engine.urls=http://127.0.0.1:${port()}`]
        : ['fs.provider=ftp', 'server.hostname=127.0.0.1', `server.port=${port()}`, 'server.username=x']),
    );
    await serve();
    expect((await send('POST', name)).status).toBe(202);
    expect(messageOf(await send('POST', name))).toMatch(/^409 A \w+ is running already\. Wait for it, or stop it/);
    expect((await get(name)).body).toMatchObject({ running: { files: 0 } });
    expect((await send('DELETE', name)).body).toEqual({ ok: true, message: 'It is being stopped.' });
    await ended(inspector[name]);
    expect((await get(name)).body).toMatchObject({ running: null, last: null, failed: null });
  });

  test('ends with the service', async () => {
    tree.set(`engine.urls=http://127.0.0.1:${port()}`);
    await serve();
    await send('POST', 'verify');
    await inspector.close();
    await ended(inspector.verify);
    expect(messageOf(await get('failures'))).toBe('503 The service is being stopped.');
  });
});

function strayBelow(below: InspectedTree): Readonly<Record<string, unknown>> {
  const place = { real: below.path('gone.txt'), root: 'root', virtual: '/gone.txt' };
  return { content: 'x', file: { filename: 'gone.txt' }, path: place };
}
