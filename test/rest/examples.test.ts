import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { INDEX, startRest } from './rest-harness.js';
import type { RestHarness } from './rest-harness.js';

const SCRIPTS = fileURLToPath(new URL('../../examples/rest/', import.meta.url));

let rest: RestHarness;
let folder: string;

beforeAll(async () => {
  rest = await startRest({ apiKeys: ['the key'] });
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  await writeFile(join(folder, 'a "quoted" name.txt'), 'posted words');
  await writeFile(join(folder, 'locked.txt'), 'LOCKED sesame\nlocked words');
  await writeFile(join(folder, 'tags.json'), '{"external":{"team":"from a file"}}');
  await writeFile(join(rest.root, 'below "root".txt'), 'fetched words');
});

afterAll(async () => {
  await rest.close();
  await rm(folder, { recursive: true });
});

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(script: string, args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve) => {
    const environment = { ...process.env, BASE_URL: rest.url, API_KEY: 'the key', ...env };
    execFile(join(SCRIPTS, script), args, { cwd: folder, env: environment }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const source = async (id: string): Promise<Readonly<Record<string, unknown>> | undefined> =>
  (await rest.engine.get(INDEX, id))?.source;

describe('the example scripts', () => {
  test('post documents, with a password, or only for show', async () => {
    const posted = await run('post.sh', ['a "quoted" name.txt', 'locked.txt']);
    expect(posted).toMatchObject({ code: 0, stderr: '' });
    expect(posted.stdout.match(/"ok":true/g)).toHaveLength(2);
    expect(await source(rest.ingester.idOf('a "quoted" name.txt'))).toMatchObject({ content: 'posted words' });
    const shown = await run('post.sh', ['locked.txt'], { PASSWORD: 'sesame', POST_OPTIONS: 'simulate=true' });
    expect(shown.stdout).toContain('"content":"locked words"');
  });

  test('tag documents, from the command line and from a file, and give them ids', async () => {
    expect(await run('tag.sh', ['locked.txt', '{"external":{"team":"a;b \\"c\\""}}'])).toMatchObject({ code: 0 });
    expect(await source(rest.ingester.idOf('locked.txt'))).toMatchObject({ external: { team: 'a;b "c"' } });
    expect(await run('tag.sh', ['locked.txt', '@tags.json'], { ID: 'mine' })).toMatchObject({ code: 0 });
    expect(await source('mine')).toMatchObject({ external: { team: 'from a file' } });
  });

  test('fetch documents, and fail when that fails', async () => {
    expect(await run('fetch.sh', ['below "root".txt'])).toMatchObject({ code: 0 });
    expect(await source(rest.ingester.idOf('below "root".txt'))).toMatchObject({ content: 'fetched words' });
    const missing = await run('fetch.sh', ['nothing.txt']);
    expect(missing.code).not.toBe(0);
    expect(missing.stdout).toContain('does not exist');
  });

  test('search and delete', async () => {
    expect((await run('search.sh', ['fetched', 'words'])).stdout).toContain('"total":1');
    expect(await run('delete.sh', ['below "root".txt'])).toMatchObject({ code: 0 });
    expect((await run('search.sh', ['fetched', 'words'])).stdout).toContain('"total":0');
    expect(await run('delete.sh', ['--id', 'mine'])).toMatchObject({ code: 0 });
    expect((await run('delete.sh', ['--id', 'mine'])).code).not.toBe(0);
  });

  test('steer the crawler', async () => {
    rest.crawler.become({ state: 'RUNNING' });
    expect((await run('steer.sh', ['status'])).stdout).toContain('"state":"RUNNING"');
    expect(await run('steer.sh', ['forget'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Pause or stop it first'),
    });
    expect((await run('steer.sh', ['pause'])).stdout).toContain('Crawler paused. Checkpoint saved.');
    expect(await run('steer.sh', ['wait'])).toMatchObject({ code: 0, stdout: 'PAUSED\n' });
    expect(await run('steer.sh', ['forget'])).toMatchObject({ code: 0 });
    expect((await run('steer.sh', ['resume'])).stdout).toContain('Crawler resumed.');
  });

  test.each(['post.sh', 'tag.sh', 'fetch.sh', 'delete.sh', 'search.sh', 'steer.sh'])(
    '%s without arguments tells how it is used',
    async (script) => {
      expect(await run(script, [])).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage:') });
    },
  );

  test('fail without the key that the service asks for', async () => {
    const refused = await run('post.sh', ['locked.txt'], { API_KEY: '' });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('An API key is needed');
  });
});
