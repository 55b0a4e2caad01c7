import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { boundByPermissions } from '../support/bound-by-permissions.js';
import { indexedPaths, runCrawler, searchDocuments, startCrawler, type Finished } from '../support/crawler-process.js';
import { zipOf } from '../support/zip-of.js';

const isRoot = process.getuid?.() === 0;

let directory: string;
let config: string;
let docs: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-bad-'));
  chmodSync(directory, 0o755);
  config = join(directory, 'config');
  docs = join(directory, 'docs');
  mkdirSync(docs);
  mkdirSync(config);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function put(name: string, content: string | Uint8Array = `content of ${name}`): string {
  const path = join(docs, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

function crawl(...args: string[]): Promise<Finished> {
  return runCrawler([docs, '--loop', '1', '--config_dir', config, ...args]);
}

function documentLog(): string {
  return readFileSync(join(config, 'logs', 'documents.log'), 'utf8');
}

describe('the root', () => {
  test('that is gone at the next run removes nothing, and says so', async () => {
    put('a.txt');
    await crawl();
    renameSync(docs, `${docs}-away`);
    const run = await runCrawler(['docs', '--loop', '1', '--config_dir', config]);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(`[${docs}] does not exist`);
    expect(await indexedPaths('docs', config)).toEqual([join(docs, 'a.txt')]);
    const checkpoint = JSON.parse(readFileSync(join(config, 'docs', '_checkpoint.json'), 'utf8')) as Record<
      string,
      string
    >;
    expect(checkpoint['state']).toBe('ERROR');
    expect(checkpoint['last_error']).toContain('does not exist');
  });

  (isRoot ? test : test.skip)('[needs root] whose disk is not mounted removes nothing', async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', docs]);
    try {
      put('a.txt');
      await crawl();
    } finally {
      execFileSync('umount', [docs]);
    }
    const run = await crawl();
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('its disk seems not to be mounted');
    expect(await indexedPaths('docs', config)).toEqual([join(docs, 'a.txt')]);
  });

  test('that is a file, is reported', async () => {
    const path = put('file.txt');
    const run = await runCrawler([path, '--loop', '1', '--config_dir', config]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('is not a folder');
  });
});

test('files and folders without permission keep their reason; the rest is indexed', async () => {
  put('open.txt');
  put('locked.txt');
  put('closed/inside.txt');
  chmodSync(join(docs, 'locked.txt'), 0);
  chmodSync(join(docs, 'closed'), 0);
  const { prefix, options } = boundByPermissions([config, docs]);
  const args = [docs, '--loop', '1', '--config_dir', config, '--set', 'fs.continue_on_error=true'];
  const run = await startCrawler(args, options, prefix).finished;
  chmodSync(join(docs, 'closed'), 0o755);
  expect(run.code).toBe(0);
  expect(run.stdout + run.stderr).toContain('indexed [1], deleted [0], failed [2]');
  expect(run.stderr).toContain(`Error listing files in ${join(docs, 'closed')}`);
  expect(documentLog()).toContain('[/locked.txt] Not indexed (unreadable)');
  expect(await indexedPaths('docs', config)).toEqual([join(docs, 'open.txt')]);
});

test('a run with failed files ends in ERROR unless fs.continue_on_error is set; everything else is indexed', async () => {
  put('good.txt');
  put('sub/also-good.txt');
  put('sub/.meta.yml', 'file: [not, an, object]');
  const run = await crawl();
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('Set fs.continue_on_error to true');
  expect(documentLog()).toContain('[/sub/also-good.txt] Not indexed (invalid_metadata): Error parsing tags');
  expect(await indexedPaths('docs', config)).toEqual([join(docs, 'good.txt')]);
});

test('sockets, FIFOs and loops of links do not stop a crawl', async () => {
  put('a.txt');
  execFileSync('mkfifo', [join(docs, 'pipe')]);
  const server = createServer().listen(join(docs, 'socket'));
  try {
    const run = await crawl('--set', 'fs.follow_symlinks=true');
    expect(run.code).toBe(0);
    expect(documentLog()).toContain('[/pipe] Skipped (special)');
    expect(documentLog()).toContain('[/socket] Skipped (special)');
  } finally {
    server.close();
  }
});

describe('documents that mean harm cost only themselves', () => {
  test('zip bomb, gz bomb, billion laughs, and a document that lies about its format', async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const packed = deflateRawSync(zeros, { level: 9 });
    put('bomb.zip', zipOf(Array.from({ length: 40 }, (_, at) => ({ name: `${at}.txt`, packed, size: zeros.length }))));
    put('bomb.txt.gz', gzipSync(Buffer.alloc(700 * 1024 * 1024), { level: 9 }));
    const levels = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
    put('laughs.xml', `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">${levels}]><x>&l9;</x>`);
    put('liar.pdf', 'PK\u0003\u0004 this is neither a PDF nor a ZIP');
    put('fine.txt', 'The lighthouse is fine.');
    const run = await crawl('--set', 'fs.indexed_chars=-1');
    expect(run.code).toBe(0);
    expect(await indexedPaths('docs', config)).toHaveLength(5);
    expect(await searchDocuments(['docs', 'lighthouse', '--config_dir', config])).toHaveLength(1);
    expect(documentLog()).toContain('[/bomb.zip] Indexed with a problem (too_large): The text is cut after');
    expect(documentLog()).toContain('[/bomb.txt.gz] Indexed with a problem (too_large): The document unpacks to');
  });
});

describe('damaged files of the job', () => {
  test('a checkpoint is put aside; nothing is indexed twice', async () => {
    put('a.txt');
    await crawl();
    writeFileSync(join(config, 'docs', '_checkpoint.json'), '{"state": ');
    const run = await crawl();
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('is damaged');
    expect(run.stdout).toContain('indexed [0], deleted [0]');
    expect(readdirSync(join(config, 'docs')).some((name) => name.startsWith('_checkpoint.json.damaged'))).toBe(true);
  });

  test('a catalog is rebuilt from the index: nothing is read again, nothing deleted, gone files are found', async () => {
    put('a.txt');
    put('sub/b.txt');
    await crawl();
    writeFileSync(join(config, 'docs', 'catalog.db'), 'garbage '.repeat(4000));
    rmSync(join(docs, 'sub/b.txt'));
    const run = await crawl();
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('is damaged');
    expect(run.stdout).toContain('rebuilt from 2 documents of the index');
    expect(run.stdout).toContain('indexed [0], deleted [1]');
    expect(await indexedPaths('docs', config)).toEqual([join(docs, 'a.txt')]);
  });

  test('an index that is damaged or deleted is filled again', async () => {
    put('a.txt');
    await crawl();
    writeFileSync(join(config, 'docs', 'index.db'), 'garbage '.repeat(4000));
    expect((await crawl()).stdout).toContain('indexed [1]');
    rmSync(join(config, 'docs', 'index.db'));
    expect((await crawl()).stdout).toContain('indexed [1]');
    expect(await indexedPaths('docs', config)).toEqual([join(docs, 'a.txt')]);
  });
});

(isRoot ? test : test.skip)(
  '[needs root] a full disk ends the run with a sentence; with free space again all is there',
  async () => {
    const small = join(directory, 'small');
    mkdirSync(small);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', small]);
    try {
      for (let at = 0; at < 1500; at += 1) put(`${at}.txt`, `${at} ${Math.random()} `.repeat(150));
      const logs = { env: { LOG_DIR: join(directory, 'logs') } };
      const args = [docs, '--loop', '1', '--config_dir', small];
      const { child, finished } = startCrawler(args, logs);
      const timer = setTimeout(() => child.kill('SIGTERM'), 120_000);
      const run = await finished;
      clearTimeout(timer);
      expect(run.stderr).toMatch(/disk|space/i);
      expect(run.stderr).not.toContain('    at ');
      spawnSync('mount', ['-o', 'remount,size=200m', small]);
      const again = await runCrawler(args, logs);
      expect(again.code).toBe(0);
      expect(await indexedPaths('docs', small)).toHaveLength(1500);
    } finally {
      execFileSync('umount', ['-l', small]);
    }
  },
);

test('a file that vanishes while the crawl runs is no failure', async () => {
  for (let at = 0; at < 400; at += 1) put(`${at}.txt`);
  const running = crawl();
  for (let at = 0; at < 400; at += 2) {
    rmSync(join(docs, `${at}.txt`));
    if (at % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect((await running).code).toBe(0);
  await crawl();
  expect(await indexedPaths('docs', config)).toHaveLength(200);
  expect(existsSync(docs)).toBe(true);
});
