import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../src/base/logger.js';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.js';
import { openOriginals } from '../../src/operations/original/open-originals.js';
import type { Originals } from '../../src/operations/original/originals.js';
import { InspectedTree } from '../support/inspected-tree.js';
import { call, startRest, type RestHarness } from './rest-harness.js';

/** `GET /_document/{id}/original`: the files of a real tree, as a crawl has indexed it. */
const tree = new InspectedTree();
const bench = {} as { rest: RestHarness; engine: EmbeddedEngine; originals: Originals };
const ids = new Map<string, string>();
const SIGNAL = new AbortController().signal;
const INDEX = 'job_docs';

const PDF = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n';
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

beforeAll(async () => {
  tree.settings('fs.excludes:', '  - "*~"', 'fs.ignore_above: "1mb"');
  tree.file('notes.txt', 'The keeper wrote.');
  tree.file('page.html', '<html><script>alert(1)</script>keeper</html>');
  tree.file('flag.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  tree.file('real.pdf', PDF);
  tree.file('sub/moved.txt', 'in a folder that becomes a link');
  tree.file('secret/inside.txt', 'in a folder that is left out later');
  tree.file('later.txt', 'excluded later');
  tree.file('gone.txt', 'gone later');
  tree.file('pipe.txt', 'a pipe later');
  tree.file('link.txt', 'a link later');
  tree.file('grown.txt', 'too large later');
  tree.file('quote"\u202e;é ☂ 😀.txt', 'a name');
  tree.file('a'.repeat(251) + '.txt', 'a long name');
  writeFileSync(tree.path('picture.png'), PNG);
  await tree.run();
  const { directory } = tree;
  writeFileSync(join(directory, 'outside.txt'), 'SECRET outside');
  mkdirSync(join(directory, 'elsewhere'));
  writeFileSync(join(directory, 'elsewhere', 'moved.txt'), 'SECRET elsewhere');
  bench.engine = new EmbeddedEngine({
    directory: tree.jobDirectory,
    baseUrl: () => undefined,
    version: '0',
    logger: silentLogger,
  });
  const { settings } = tree.place();
  bench.originals = await openOriginals({ ...tree.place(), settings });
  bench.rest = await startRest({ engine: bench.engine, index: INDEX, originals: bench.originals });
  for await (const page of bench.engine.scan(INDEX, SIGNAL)) {
    for (const { id, source } of page) ids.set((source['file'] as { filename: string }).filename, id);
  }
});
afterAll(async () => {
  await bench.rest.close();
  await bench.engine.close();
  tree.dispose();
});

const urlOf = (name: string, query = ''): string => `${bench.rest.url}/_document/${ids.get(name)}/original${query}`;

async function expectRefused(name: string): Promise<string> {
  const { status, text, body } = await call(urlOf(name));
  expect(status).toBe(404);
  expect(text).not.toContain('SECRET');
  return String(body['message']);
}

describe('an original', () => {
  test('comes as it is, as an attachment', async () => {
    const response = await fetch(urlOf('page.html'));
    expect(await response.text()).toBe('<html><script>alert(1)</script>keeper</html>');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=page.html',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'accept-ranges': 'bytes',
    });
  });

  test.each([
    ['real.pdf', 'application/pdf', "frame-ancestors 'none'; script-src 'none'"],
    ['notes.txt', 'text/plain; charset=', "sandbox; default-src 'none'"],
    ['picture.png', 'image/png', "sandbox; default-src 'none'"],
  ])('%s may be shown by a browser', async (name, type, policy) => {
    const { headers } = await fetch(urlOf(name, '?disposition=inline'), { method: 'HEAD' });
    expect(headers.get('content-type')).toContain(type);
    expect(headers.get('content-disposition')).toMatch(/^inline; /);
    expect(headers.get('content-security-policy')).toContain(policy);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each(['page.html', 'flag.svg'])('%s is an attachment, whatever is asked for', async (name) => {
    const { headers } = await fetch(urlOf(name, '?disposition=inline'));
    expect(headers.get('content-disposition')).toMatch(/^attachment; /);
    expect(headers.get('content-type')).toBe('application/octet-stream');
  });

  test('what calls itself a picture, and is none, is an attachment', async () => {
    writeFileSync(tree.path('picture.png'), '<html><script>alert(1)</script>');
    const { headers } = await fetch(urlOf('picture.png', '?disposition=inline'));
    expect(headers.get('content-disposition')).toMatch(/^attachment; /);
  });

  test('names of any kind fit into the header', async () => {
    for (const name of ['quote"\u202e;é ☂ 😀.txt', 'a'.repeat(251) + '.txt']) {
      const header = (await fetch(urlOf(name), { method: 'HEAD' })).headers.get('content-disposition') ?? '';
      expect(header).toMatch(/^attachment; filename=/);
      const encoded = /filename\*=UTF-8''(.*)$/.exec(header)?.[1];
      expect(encoded === undefined ? name : decodeURIComponent(encoded)).toBe(name);
    }
  });

  test('a range, and what has not changed', async () => {
    const range = await fetch(urlOf('notes.txt'), { headers: { range: 'bytes=4-9' } });
    expect([range.status, await range.text()]).toEqual([206, 'keeper']);
    expect(range.headers.get('content-range')).toBe('bytes 4-9/17');
    const tag = range.headers.get('etag') ?? '';
    expect((await fetch(urlOf('notes.txt'), { headers: { 'if-none-match': tag } })).status).toBe(304);
    const several = await fetch(urlOf('notes.txt'), { headers: { range: 'bytes=0-1,4-5' } });
    expect([several.status, (await several.text()).length]).toEqual([200, 17]);
    const old = await fetch(urlOf('notes.txt'), { headers: { range: 'bytes=4-9', 'if-range': '"old"' } });
    expect(old.status).toBe(200);
    expect((await fetch(urlOf('notes.txt'), { headers: { range: 'bytes=99-' } })).status).toBe(416);
    const head = await fetch(urlOf('notes.txt'), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '17', '']);
  });

  test('is described with the document', async () => {
    const { body } = await call(`${bench.rest.url}/_document/${ids.get('notes.txt')}`);
    expect(body['original']).toEqual({ available: true, inline: true, bytes: 17, changed: false });
  });

  test('a large file is not read into memory', async () => {
    tree.set('fs.ignore_above=10gb');
    truncateSync(tree.path('grown.txt'), 5_000_000_000);
    const originals = await openOriginals(tree.place());
    tree.set();
    const opened = await originals.open({ id: ids.get('grown.txt') ?? '', path: tree.path('grown.txt') }, SIGNAL);
    if (opened.kind !== 'open') throw new Error(opened.why);
    expect(opened.size).toBe(5_000_000_000);
    const before = process.memoryUsage().rss;
    let bytes = 0;
    for await (const chunk of await opened.read(0, 299_999_999)) bytes += (chunk as Buffer).length;
    await opened.close();
    expect(bytes).toBe(300_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  test('a reader who leaves in the middle leaves nothing open', async () => {
    writeFileSync(tree.path('later.txt'), Buffer.alloc(900_000));
    for (let at = 0; at < 5; at += 1) {
      await new Promise<void>((resolve) => {
        const asked = request(urlOf('later.txt'), { agent: false }, (response) => {
          response.once('data', () => asked.destroy());
          response.once('close', () => resolve());
        });
        asked.on('error', () => undefined);
        asked.end();
      });
    }
    for (let tries = 0; openFiles('later.txt') > 0 && tries < 100; tries += 1) await setTimeout(20);
    expect(openFiles('later.txt')).toBe(0);
  });
});

describe('nothing is shown of', () => {
  test('a file that is gone', async () => {
    rmSync(tree.path('gone.txt'));
    expect(await expectRefused('gone.txt')).toBe('The file is no longer where it was.');
  });

  test('a file that has become larger than the job indexes', async () => {
    expect(await expectRefused('grown.txt')).toBe('A rule of the job leaves the file out now.');
  });

  test('a link that has taken the place of a file', async () => {
    rmSync(tree.path('link.txt'));
    symlinkSync(join(tree.directory, 'outside.txt'), tree.path('link.txt'));
    await expectRefused('link.txt');
    rmSync(tree.path('link.txt'));
    symlinkSync(tree.path('notes.txt'), tree.path('link.txt'));
    await expectRefused('link.txt');
  });

  test('a pipe, which would never end', async () => {
    rmSync(tree.path('pipe.txt'));
    execFileSync('mkfifo', [tree.path('pipe.txt')]);
    await expectRefused('pipe.txt');
  });

  test('a folder that has become a link, out of the tree and within it', async () => {
    renameSync(tree.path('sub'), join(tree.directory, 'sub-before'));
    symlinkSync(join(tree.directory, 'elsewhere'), tree.path('sub'));
    await expectRefused('moved.txt');
    rmSync(tree.path('sub'));
    tree.file('hidden~/moved.txt', 'SECRET in the tree');
    symlinkSync(tree.path('hidden~'), tree.path('sub'));
    await expectRefused('moved.txt');
  });

  test('a folder that was marked to be left out', async () => {
    tree.file('secret/.crawlerignore', '');
    expect(await expectRefused('inside.txt')).toBe('A rule of the job leaves the file out now.');
  });

  test('a document that says that it is another file', async () => {
    const forged = {
      path: { real: tree.path('notes.txt'), root: 'x', virtual: '/notes.txt' },
      file: { filename: 'x' },
    };
    const passwd = { path: { real: '/etc/passwd', root: 'x', virtual: '/x' }, file: { filename: 'y' } };
    for (const [id, document] of Object.entries({ forged, passwd })) {
      await bench.engine.write([{ kind: 'index', index: INDEX, id, document }], SIGNAL);
      expect(await call(`${bench.rest.url}/_document/${id}/original`)).toMatchObject({
        status: 404,
        body: { message: 'The document is not one that this job has crawled.' },
      });
    }
  });

  test('a file that was replaced between the check and the opening', async () => {
    const { settings, ...place } = tree.place();
    const originals = await openOriginals({ ...place, settings });
    const path = tree.path('notes.txt');
    const opening = originals.open({ id: ids.get('notes.txt') ?? '', path }, SIGNAL);
    renameSync(path, `${path}.before`);
    writeFileSync(path, 'SECRET replacement');
    const opened = await opening;
    const text = opened.kind === 'open' ? await textOf(opened.read(0, opened.size - 1)) : '';
    if (opened.kind === 'open') await opened.close();
    expect(text).not.toContain('keeper');
    expect(['', 'SECRET replacement']).toContain(text);
  });

  test('a tree on another machine', async () => {
    const place = tree
      .set('fs.provider=ssh', 'server.hostname=nowhere.invalid', 'server.username=x', 'server.password=x')
      .place();
    const originals = await openOriginals(place);
    expect(await originals.open({ id: 'x', path: '/x' }, SIGNAL)).toEqual({ kind: 'refused', why: 'remote' });
    tree.set();
  });
});

/** How often this process has a file of the tree open. */
function openFiles(name: string): number {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return links.filter((link) => link === tree.path(name)).length;
}

async function textOf(stream: Promise<AsyncIterable<unknown>>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
