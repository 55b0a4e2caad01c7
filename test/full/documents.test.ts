import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sign } from '../../src/base/digest.js';
import { runCrawler, searchDocuments, type FoundDocument } from '../support/crawler-process.js';

/** Whole documents as the real binary makes them, for the settings that shape them. */
let directory: string;
let config: string;
let docs: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-documents-'));
  config = join(directory, 'config');
  docs = join(directory, 'docs');
  mkdirSync(join(docs, 'sub'), { recursive: true });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function job(name: string, yaml: string): void {
  mkdirSync(join(config, name), { recursive: true });
  writeFileSync(join(config, name, '_settings.yaml'), yaml);
}

async function crawl(name: string, ...args: string[]): Promise<FoundDocument[]> {
  const { code, stderr } = await runCrawler([name, '--loop', '1', '--config_dir', config, ...args]);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return await searchDocuments([name, '--all', '--config_dir', config]);
}

const ENGLISH = 'The keeper of the lighthouse lights the lamp every evening, and puts it out again in the morning.';
const FRENCH = 'Le gardien du phare allume la lampe chaque soir et l’éteint de nouveau le matin, sans jamais oublier.';

test('everything that can be asked for is in the document', async () => {
  const path = join(docs, 'sub', 'Keeper é.TXT');
  writeFileSync(path, FRENCH, { mode: 0o640 });
  writeFileSync(join(docs, 'sub', '.meta.yml'), 'external:\n  owner: harbour\n  tags: [a, b]\n');
  writeFileSync(join(directory, 'static.json'), '{"external": {"owner": "nobody", "category": "general"}}');
  job(
    'full',
    `fs:
  url: ${docs}/
  attributes_support: true
  lang_detect: true
  raw_metadata: true
  store_source: true
  checksum: SHA-1
  indexed_chars: 50%
tags:
  static_meta_filename: ${join(directory, 'static.json')}
`,
  );
  const [document, ...others] = await crawl('full');
  expect(others).toEqual([]);
  const bytes = readFileSync(path);
  const limit = Math.round(bytes.length / 2);
  expect(document?.id).toBe(sign('MD5', path));
  expect(document?.source).toMatchObject({
    content: FRENCH.slice(0, limit),
    attachment: bytes.toString('base64'),
    file: {
      checksum: createHash('sha1').update(bytes).digest('hex'),
      content_type: 'text/plain; charset=UTF-8',
      extension: 'txt',
      filename: 'Keeper é.TXT',
      filesize: bytes.length,
      indexed_chars: limit,
      last_modified: new Date(Math.trunc(statSync(path).mtimeMs)).toISOString(),
      url: `file://${path}`,
    },
    path: { real: path, virtual: '/sub/Keeper é.TXT', root: sign('MD5', join(docs, 'sub')) },
    attributes: { owner: userInfo().username, permissions: 640 },
    meta: { language: 'fr', raw: { resourceName: 'Keeper é.TXT' } },
    external: { owner: 'harbour', category: 'general', tags: ['a', 'b'] },
  });
  const [folder] = await searchDocuments(['full', '--all', '--index', 'full_folder', '--config_dir', config]);
  expect(folder).toMatchObject({
    id: sign('MD5', docs),
    source: { file: { filename: 'docs', content_type: 'text/directory' }, path: { real: docs, virtual: '/' } },
  });
});

test("a job directory of FSCrawler 2.x runs unchanged, under the peer's ids", async () => {
  writeFileSync(join(docs, 'a.txt'), ENGLISH);
  writeFileSync(join(docs, '~a.txt'), 'left out');
  writeFileSync(join(docs, 'sub', 'b.log'), 'left out');
  job(
    'old',
    `---
name: "old"
fs:
  url: "${docs}"
  update_rate: "15m"
  excludes:
  - "*/~*"
  - "*/*.log"
  json_support: false
  filename_as_id: false
  add_filesize: true
  remove_deleted: true
  add_as_inner_object: false
  store_source: false
  index_content: true
  attributes_support: false
  raw_metadata: false
  xml_support: false
  index_folders: true
  lang_detect: false
  continue_on_error: false
  ocr:
    language: "eng"
    enabled: true
    pdf_strategy: "ocr_and_text"
  follow_symlinks: false
elasticsearch:
  bulk_size: 100
  flush_interval: "5s"
  byte_size: "10mb"
rest:
  scheme: "http"
  host: "127.0.0.1"
  port: 8080
  endpoint: "fscrawler"
`,
  );
  writeFileSync(
    join(config, 'old', '_status.json'),
    '{"name":"old","lastrun":"2020-01-01T00:00:00","indexed":1,"deleted":0}',
  );
  const documents = await crawl('old');
  expect(documents.map(({ id, index }) => [index, id])).toEqual([['old_docs', sign('MD5', join(docs, 'a.txt'))]]);
});

test('--restart indexes every file again, and nothing twice', async () => {
  writeFileSync(join(docs, 'a.txt'), ENGLISH);
  job('again', `fs:\n  url: ${docs}\n`);
  await crawl('again');
  const args = ['again', '--loop', '1', '--config_dir', config];
  expect((await runCrawler(args)).stdout).toContain('indexed [0], deleted [0]');
  expect((await runCrawler([...args, '--restart'])).stdout).toContain('indexed [1], deleted [0]');
  expect(await searchDocuments(['again', '--all', '--config_dir', config])).toHaveLength(1);
});

test('a changed setting, a changed .meta.yml and a changed exclude reach the documents at the next run', async () => {
  writeFileSync(join(docs, 'a.txt'), ENGLISH);
  writeFileSync(join(docs, 'sub', 'b.txt'), ENGLISH);
  job('rules', `fs:\n  url: ${docs}\n`);
  await crawl('rules');
  job('rules', `fs:\n  url: ${docs}\n  indexed_chars: 10\n`);
  expect((await crawl('rules')).map(({ source }) => source.content)).toEqual(['The keeper', 'The keeper']);
  writeFileSync(join(docs, '.meta.yml'), 'external: {team: a}\n');
  const teams = (await crawl('rules')).map(({ source }) => source['external']);
  expect(teams).toEqual(expect.arrayContaining([{ team: 'a' }, undefined]));
  job('rules', `fs:\n  url: ${docs}\n  indexed_chars: 10\n  excludes: ["/sub/*"]\n`);
  expect((await crawl('rules')).map(({ source }) => source.path?.real)).toEqual([join(docs, 'a.txt')]);
});

test('every document of an index comes through a pipe, however many there are', async () => {
  for (let at = 0; at < 3000; at += 1) writeFileSync(join(docs, `${at}.txt`), `${at} ${ENGLISH.repeat(20)}`);
  job('many', `fs:\n  url: ${docs}\n`);
  expect(await crawl('many')).toHaveLength(3000);
});
