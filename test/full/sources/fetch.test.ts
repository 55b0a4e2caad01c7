import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { loadSettings } from '../../../src/settings/load-settings.js';
import type { FetchParameters, FetchTarget } from '../../../src/source/fetch.js';
import { openTreeSource } from '../../../src/source/registry.js';
import { bytesOf, listed } from '../../contract/source-contract.js';
import { fetchSourcesOf } from '../../support/fetch-sources.js';
import { FTP_PASSWORD, FTP_USER, FtpServer } from '../../support/ftp-server.js';
import { describeWith } from '../../support/program.js';
import { readContent } from '../../support/read-content.js';
import { ACCESS_KEY, BUCKET, S3Server, SECRET_KEY } from '../../support/s3-server.js';
import { SshServer } from '../../support/ssh-server.js';

const never = new AbortController().signal;
const HOST = '127.0.0.1';

let folder: string;
const told: string[] = [];
const opened: FetchTarget[] = [];

/** Opens as a service with these settings would. */
async function open(
  type: 'ftp' | 'ssh' | 's3',
  parameters: FetchParameters,
  overrides: readonly string[] = [],
  exposed = false,
): Promise<FetchTarget> {
  const openers = fetchSourcesOf({ folder, overrides, exposed, log: (message) => told.push(message) });
  const target = await openers.get(type)!.open(parameters, never);
  opened.push(target);
  return target;
}

async function contentOf({ content }: FetchTarget): Promise<string> {
  return (await readContent(content)).toString();
}

/** Lists and reads all files of the job's tree, over the connections of a crawl, until the signal. Returns how often. */
async function crawlUntil(done: AbortSignal, overrides: readonly string[]): Promise<number> {
  const { settings } = loadSettings({ configDir: folder, job: 'job', env: {}, overrides, fsJavaOpts: undefined });
  const source = await openTreeSource(settings, { configDirectory: folder, log: (message) => told.push(message) });
  let rounds = 0;
  try {
    while (!done.aborted) {
      const entries = await listed(source, settings.fs.url);
      const files = entries.filter(({ kind }) => kind === 'file');
      const texts = await Promise.all(files.map(async (entry) => (await bytesOf(source, entry)).toString()));
      expect(texts).toEqual(files.map(({ name }) => contentNamed(name)));
      rounds += 1;
    }
    return rounds;
  } finally {
    await source.close();
  }
}

const SIDE_BY_SIDE = Array.from({ length: 8 }, (_, index) => `file-${index}.txt`);

function contentNamed(name: string): string {
  return `This is ${name}. `.repeat(4000);
}

/** Fetches at once, each of them twice over, beside a crawl of the same server. */
async function expectFetchesBesideCrawl(
  type: 'ftp' | 'ssh' | 's3',
  parametersOf: (name: string) => FetchParameters,
  job: readonly string[],
): Promise<void> {
  const done = new AbortController();
  const crawling = crawlUntil(done.signal, [...job, `fs.provider=${type}`]);
  try {
    for (let round = 0; round < 2; round += 1) {
      const targets = await Promise.all(SIDE_BY_SIDE.map((name) => open(type, parametersOf(name), job)));
      expect(await Promise.all(targets.map(contentOf))).toEqual(SIDE_BY_SIDE.map(contentNamed));
      await Promise.all(targets.map((target) => target.close()));
    }
  } finally {
    done.abort();
  }
  expect(await crawling).toBeGreaterThan(0);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fetch-'));
  told.length = 0;
});

afterEach(async () => {
  for (const target of opened.splice(0)) await target.close();
  rmSync(folder, { recursive: true });
});

describeWith(['proftpd'], 'Fetch from FTP', () => {
  let server: FtpServer;
  const job = (): string[] => [
    `server.hostname=${HOST}`,
    `server.port=${server.port}`,
    `server.username=${FTP_USER}`,
    `server.password=${FTP_PASSWORD}`,
    `fs.url=${server.root}`,
  ];

  beforeAll(async () => {
    server = await FtpServer.start();
    mkdirSync(join(server.files, 'sub'));
    writeFileSync(join(server.files, 'sub', 'report ü.txt'), 'a report');
  });
  afterAll(() => server.stop());

  test('with all parameters in the request', async () => {
    const path = `${server.root}/sub/report ü.txt`;
    const target = await open('ftp', {
      path,
      hostname: HOST,
      port: server.port,
      username: FTP_USER,
      password: FTP_PASSWORD,
    });
    expect(target.place).toEqual({ filename: 'report ü.txt', real: path, virtual: path });
    expect([await contentOf(target), await contentOf(target)]).toEqual(['a report', 'a report']);
  });

  test('with everything but the path from the job, also a path that is relative to fs.url', async () => {
    const target = await open('ftp', { path: 'sub/report ü.txt' }, job());
    expect(target.place).toEqual({
      filename: 'report ü.txt',
      real: `${server.root}/sub/report ü.txt`,
      virtual: '/sub/report ü.txt',
    });
    expect(await contentOf(target)).toBe('a report');
  });

  test('FTP requests side by side do not touch each other, nor a crawl of the same server', async () => {
    for (const name of SIDE_BY_SIDE) writeFileSync(join(server.files, name), contentNamed(name));
    await expectFetchesBesideCrawl('ftp', (path) => ({ path }), job());
  });

  test.each([
    ['a file that is not there', 'none.txt', 'not_found', 'File [{root}/none.txt] does not exist on FTP server'],
    ['a folder', 'sub', 'denied', 'Path [{root}/sub] is a directory, not a file'],
  ])('%s', async (_what, path, code, message) => {
    await expect(open('ftp', { path }, job())).rejects.toMatchObject({
      code,
      message: message.replace('{root}', server.root),
    });
  });

  test('a wrong password', async () => {
    const wrong = open('ftp', { path: 'sub', password: 'wrong' }, job());
    await expect(wrong).rejects.toThrow(/^Please check ftp user or password/);
  });

  test('a server that is not there', async () => {
    const away = open('ftp', { path: '/x', port: 1 }, job());
    await expect(away).rejects.toThrow(`Can not connect to ${FTP_USER}@${HOST}:1: the connection is refused.`);
  });

  test.each([
    [{}, "No results for path: $['ftp']['path']"],
    [{ path: '' }, 'ftp path is missing'],
    [{ path: '/x' }, "Failed to connect to FTP server: hostname can't be null"],
    [{ path: '/x', hostname: 5 }, '[ftp.hostname] must be a string'],
    [{ path: '/x', hostname: 'h', port: 'many' }, '[ftp.port] must be a port number'],
  ])('%j is a mistake of the request', async (parameters, message) => {
    await expect(open('ftp', parameters)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message) as unknown,
    });
  });

  test('a relative path without fs.url is a mistake of the request', async () => {
    await expect(open('ftp', { path: 'x' }, ['fs.url='])).rejects.toThrow(
      "Cannot resolve relative path [x]: fs.url is not configured. Please use an absolute path starting with '/' or configure fs.url in the job settings.",
    );
  });

  test('a file that is larger than an upload may be', async () => {
    const large = open('ftp', { path: 'sub/report ü.txt' }, [...job(), 'rest.max_upload_size=5b']);
    await expect(large).rejects.toMatchObject({ code: 'too_large' });
  });

  test('a service that listens beyond this machine connects its callers to no inner server but that of the job', async () => {
    const all = { path: '/x', hostname: HOST, port: server.port, username: FTP_USER, password: FTP_PASSWORD };
    await expect(open('ftp', all, [], true)).rejects.toThrow('add it to rest.fetch.allow to permit it');
    await expect(open('ftp', { ...all, hostname: 'localhost' }, [], true)).rejects.toMatchObject({ code: 'denied' });
    expect(await contentOf(await open('ftp', { path: 'sub/report ü.txt' }, job(), true))).toBe('a report');
  });
});

describeWith(['sshd'], 'Fetch from SSH', () => {
  let server: SshServer;
  const job = (): string[] => [
    `server.hostname=${HOST}`,
    `server.port=${server.port}`,
    `server.username=${server.user}`,
    `server.pem_path=${server.key}`,
    `fs.url=${server.files}`,
  ];

  beforeAll(async () => {
    server = await SshServer.start();
    mkdirSync(join(server.files, 'sub'));
    writeFileSync(join(server.files, 'sub', 'report.txt'), 'a report');
  });
  afterAll(() => server.stop());

  test('with all parameters in the request; the host key is remembered beside the jobs', async () => {
    const path = join(server.files, 'sub/report.txt');
    const { port, user: username, key } = server;
    const target = await open('ssh', { path, hostname: HOST, port: String(port), username, pem_path: key });
    expect(target.place).toEqual({ filename: 'report.txt', real: path, virtual: path });
    expect(await contentOf(target)).toBe('a report');
    expect(told).toHaveLength(1);
    expect(readFileSync(join(folder, 'known_hosts'), 'utf8')).toContain(`[${HOST}]:${port} ssh-ed25519 `);
  });

  test('with everything but the path from the job', async () => {
    const target = await open('ssh', { path: 'sub/report.txt' }, job());
    expect([await contentOf(target), target.place.virtual]).toEqual(['a report', '/sub/report.txt']);
  });

  test('SSH requests side by side do not touch each other, nor a crawl of the same server', async () => {
    for (const name of SIDE_BY_SIDE) writeFileSync(join(server.files, name), contentNamed(name));
    await expectFetchesBesideCrawl('ssh', (path) => ({ path }), job());
  });

  test('the key that the job pins is demanded of the server of the job', async () => {
    const pin = `server.host_key=SHA256:${'A'.repeat(43)}`;
    await expect(open('ssh', { path: 'sub/report.txt' }, [...job(), pin])).rejects.toMatchObject({ code: 'denied' });
  });

  test.each([
    ['a file that is not there', 'none.txt', 'not_found', 'File [{root}/none.txt] does not exist on SSH server'],
    ['a folder', 'sub', 'denied', 'Path [{root}/sub] is a directory, not a file'],
  ])('%s', async (_what, path, code, message) => {
    await expect(open('ssh', { path }, job())).rejects.toMatchObject({
      code,
      message: message.replace('{root}', server.files),
    });
  });

  test.each([
    [{}, "No results for path: $['ssh']['path']"],
    [{ path: '' }, 'ssh path is missing'],
    [{ path: '/x' }, 'Failed to open SSH session to null@null:22'],
    [{ path: '/x', hostname: 'h', port: 2222 }, 'Failed to open SSH session to null@h:2222'],
  ])('%j is a mistake of the request', async (parameters, message) => {
    await expect(open('ssh', parameters)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message) as unknown,
    });
  });
});

describeWith(['versitygw'], 'Fetch from S3', () => {
  let server: S3Server;
  const all = (): Record<string, string> => ({
    url: server.url,
    bucket: BUCKET,
    object: 'sub/report.txt',
    access_key: ACCESS_KEY,
    secret_key: SECRET_KEY,
  });
  const region = 'fs.s3.region=eu-test-1';

  beforeAll(async () => {
    server = await S3Server.start();
    await server.put('sub/report.txt', 'a report');
  });
  afterAll(() => server.stop());

  test('an object, under its whole key', async () => {
    const target = await open('s3', all(), [region]);
    const name = 'sub/report.txt';
    expect(target.place).toEqual({ filename: name, real: name, virtual: name });
    expect([await contentOf(target), await contentOf(target)]).toEqual(['a report', 'a report']);
  });

  test('S3 requests side by side do not touch each other, nor a crawl of the same server', async () => {
    for (const name of SIDE_BY_SIDE) await server.put(`many/${name}`, contentNamed(name));
    const keys = [`fs.s3.access_key=${ACCESS_KEY}`, `fs.s3.secret_key=${SECRET_KEY}`];
    const job = [region, `fs.s3.endpoint=${server.url}`, `fs.s3.bucket=${BUCKET}`, ...keys, 'fs.url=/many'];
    await expectFetchesBesideCrawl('s3', (name) => ({ ...all(), object: `many/${name}` }), job);
  });

  test('an object that is not there', async () => {
    await expect(open('s3', { ...all(), object: 'none' }, [region])).rejects.toMatchObject({
      code: 'not_found',
      message: `Can not get file size for object none of bucket ${BUCKET}: The specified key does not exist`,
    });
  });

  test('a wrong key is [denied], and no key is shown', async () => {
    const refusal = (await open('s3', { ...all(), secret_key: 'wrong' }, [region]).catch(
      (error: unknown) => error,
    )) as Error;
    expect(refusal).toMatchObject({ code: 'denied' });
    expect(refusal.message).not.toMatch(/wrong|test-secret/);
  });

  test.each([
    ['url', undefined, "No results for path: $['s3']['url']"],
    ['url', '', 'S3 URL is missing'],
    ['bucket', '', 'S3 bucket is missing'],
    ['object', '', 'S3 object is missing'],
    ['object', undefined, "No results for path: $['s3']['object']"],
    ['secret_key', undefined, "No results for path: $['s3']['secret_key']"],
    ['url', 'file:///etc', 'Invalid url [file:///etc]'],
    ['url', 'not a url', 'Invalid url [not a url]'],
  ])('%s = %j is a mistake of the request', async (name, value, message) => {
    await expect(open('s3', { ...all(), [name]: value })).rejects.toMatchObject({ code: 'usage', message });
  });

  test('cloud metadata is never reached, other inner addresses not by callers from elsewhere, and that of the job always', async () => {
    await expect(open('s3', { ...all(), url: 'http://169.254.169.254' })).rejects.toThrow('link-local, metadata');
    await expect(open('s3', all(), [region], true)).rejects.toThrow('add it to rest.fetch.allow to permit it');
    expect(await contentOf(await open('s3', all(), [region, `fs.s3.endpoint=${server.url}`], true))).toBe('a report');
    const allowed = await open('s3', all(), [region, `rest.fetch.allow=${HOST}`], true);
    expect(await contentOf(allowed)).toBe('a report');
  });
});
