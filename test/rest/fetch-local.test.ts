import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LocalFetch } from '../../src/source/local/local-fetch.js';
import { fetchSourcesOf } from '../support/fetch-sources.js';
import { readContent } from '../support/read-content.js';
import { fetchJson, startRest } from './rest-harness.js';
import type { Answer, RestHarness } from './rest-harness.js';

let rest: RestHarness;
let outside: string;

beforeAll(async () => {
  rest = await startRest();
  outside = await mkdtemp(join(tmpdir(), 'outside-'));
  await writeFile(join(outside, 'secret.txt'), 'not for you');
  await mkdir(join(rest.root, 'sub', 'deep'), { recursive: true });
  await writeFile(join(rest.root, 'a.txt'), 'in the root');
  await writeFile(join(rest.root, 'sub', 'deep', 'b.txt'), 'deep below');
  await writeFile(join(rest.root, 'ünïcode name.txt'), 'unicode');
  await symlink(join(outside, 'secret.txt'), join(rest.root, 'link-out.txt'));
  await symlink(outside, join(rest.root, 'folder-out'));
  await symlink(join(rest.root, 'a.txt'), join(rest.root, 'link-in.txt'));
  await writeFile(join(rest.root, 'a.txt.password'), 'sesame');
  await symlink('a.txt.password', join(rest.root, 'innocent.txt'));
  await symlink('link-loop', join(rest.root, 'link-loop'));
  execFileSync('mkfifo', [join(rest.root, 'fifo')]);
});

afterAll(async () => {
  await rest.close();
  await rm(outside, { recursive: true });
});

const get = (url: string): Promise<Answer> =>
  fetchJson(rest.url, { type: 'local', local: { url } }, { query: '?debug=true' });

describe('a local fetch', () => {
  test.each([
    ['a relative path', 'a.txt', 'a.txt', '/a.txt', 'in the root'],
    ['a path below a folder', 'sub/deep/b.txt', 'b.txt', '/sub/deep/b.txt', 'deep below'],
    ['a path with dots that stays inside', 'sub/../a.txt', 'a.txt', '/a.txt', 'in the root'],
    ['a name with spaces and accents', 'ünïcode name.txt', 'ünïcode name.txt', '/ünïcode name.txt', 'unicode'],
    ['a link that stays inside', 'link-in.txt', 'link-in.txt', '/link-in.txt', 'in the root'],
  ])('of %s', async (_name, url, filename, virtual, content) => {
    expect((await get(url)).body).toMatchObject({
      ok: true,
      filename,
      doc: { content, file: { filename }, path: { real: join(rest.root, virtual), virtual } },
    });
  });

  test('of an absolute path below fs.url', async () => {
    expect((await get(join(rest.root, 'sub/deep/b.txt'))).body).toMatchObject({ ok: true, filename: 'b.txt' });
  });

  test.each([
    ['an absolute path', () => '/etc/hostname', 'is not within'],
    ['a path that leads upwards', () => '../../../../../../etc/hostname', 'is not within'],
    ['a path that leads upwards from below', () => 'sub/../../x', 'is not within'],
    ['a neighbour whose name begins alike', () => `${rest.root}-other/x`, 'is not within'],
    ['a link that leads out', () => 'link-out.txt', 'is not within'],
    ['a file behind a folder that leads out', () => 'folder-out/secret.txt', 'is not within'],
    ['nothing behind a folder that leads out', () => 'folder-out/nothing.txt', 'is not within'],
    ['a file that is not there', () => 'nothing.txt', 'File nothing.txt does not exist'],
    ['a path through a file', () => 'a.txt/b.txt', 'does not exist'],
    ['a folder', () => 'sub', 'Path [sub] is a directory, not a file'],
    ['the root', () => '.', 'is a directory, not a file'],
    ['a FIFO', () => 'fifo', 'is not a regular file'],
    ['the password of a document', () => 'a.txt.password', 'holds a password'],
    ['a link to a password', () => 'innocent.txt', 'holds a password'],
    ['a link to itself', () => 'link-loop', 'is not within'],
  ])('of %s is refused', async (_name, urlOf, message) => {
    const answer = await get(urlOf());
    expect(answer).toMatchObject({ status: 200, body: { ok: false } });
    expect(answer.body['message']).toMatch(
      /^Failed to add document from \[local\] 3rd-party: \[FsCrawlerPluginException\]/,
    );
    expect(answer.body['message']).toContain(message);
    expect(answer.text).not.toContain(outside);
  });

  test.each([
    ['a NUL character', 'a\0.txt', 400],
    ['an empty path', '', 400],
  ])('of %s is a bad request', async (_name, url, status) => {
    expect(await get(url)).toMatchObject({ status, body: { ok: false } });
  });

  test('a link that is set between check and reading leads nowhere', async () => {
    await writeFile(join(rest.root, 'racy.txt'), 'checked');
    const target = await new LocalFetch(rest.root).open({ url: 'racy.txt' });
    await rename(join(rest.root, 'racy.txt'), join(rest.root, 'racy-moved.txt'));
    await symlink(join(outside, 'secret.txt'), join(rest.root, 'racy.txt'));
    const read = async (): Promise<string> => (await readContent(target.content)).toString();
    expect([await read(), await read()]).toEqual(['checked', 'checked']);
    await target.close();
  });

  const ANOTHER_MACHINE = ['fs.provider=ftp', 'server.hostname=files.example.com'];

  test('is not for jobs that crawl another machine', async () => {
    const remote = await startRest({ fetchSources: fetchSourcesOf({ folder: outside, overrides: ANOTHER_MACHINE }) });
    const { body } = await fetchJson(remote.url, { type: 'local', local: { url: 'a.txt' } });
    expect(body).toMatchObject({ ok: false, message: expect.stringContaining('fs.url') });
    await remote.close();
  });
});
