import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runCrawler, searchDocuments, type Finished } from '../support/crawler-process.js';
import { makeZip } from '../support/make-archive.js';

const WORDS = 'This file contains some words.';
const archives = join('test', 'corpus', 'archives');

let directory: string;
let documents: string;
let config: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-extract-'));
  documents = join(directory, 'documents');
  config = join(directory, 'config');
  mkdirSync(documents);
  writeFileSync(join(documents, 'words.txt'), `${WORDS}\n`);
  writeFileSync(join(documents, 'blob.bin'), Buffer.from([0, 1, 2, 3, 254, 255, 0, 0]));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function extract(file: string, ...more: string[]): Promise<Finished> {
  return runCrawler(['extract', file, '--config_dir', config, ...more]);
}

async function extractJson(file: string, ...options: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await extract(file, '--json', ...options);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('crawler extract', () => {
  test('shows type, text, metadata and time of a file for which there is no job', async () => {
    const { code, stdout, stderr } = await extract(join(documents, 'words.txt'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(WORDS);
    expect(stdout).toMatch(/^ {2}type +text\/plain; charset=ISO-8859-1$/m);
    expect(stdout).toMatch(/^ {2}time +[\d.]+ ms/m);
    expect(stdout).toMatch(/^ {2}resourceName +words\.txt$/m);
    expect(stdout).toContain('no job crawls it');
  });

  test('takes several files, of which one that is missing costs only itself', async () => {
    const [words, blob, missing] = ['words.txt', 'blob.bin', 'missing.txt'].map((name) => join(documents, name));
    const { code, stdout, stderr } = await extract(words ?? '', missing ?? '', blob ?? '', words ?? '', '--json');
    expect(code).toBe(1);
    expect(stderr).toContain(`[${missing ?? ''}]`);
    const answers = stdout.trimEnd().split('\n');
    expect(answers.map((line) => (JSON.parse(line) as { file: string }).file)).toEqual([words, blob, words]);
    const shown = await extract(words ?? '', words ?? '');
    expect(shown.code).toBe(0);
    expect(shown.stdout.split(`${words ?? ''}\n`)).toHaveLength(3);
  });

  test('gives programs one JSON object', async () => {
    const answer = await extractJson(join(documents, 'words.txt'), '--set', 'fs.checksum=md5');
    expect(answer).toMatchObject({
      file: join(documents, 'words.txt'),
      size: 31,
      content_type: 'text/plain; charset=ISO-8859-1',
      extractors: ['text'],
      warnings: [],
      members: [],
      truncated: false,
      checksum: expect.stringMatching(/^[0-9a-f]{32}$/),
      metadata: expect.objectContaining({ resourceName: ['words.txt'] }),
    });
    expect(String(answer['text']).trim()).toBe(WORDS);
    expect(answer['elapsed_ms']).toEqual(expect.any(Number));
    expect(answer).not.toHaveProperty('problem');
  });

  test('shows members with their place in the text', async () => {
    const { text, members } = await extractJson(join(archives, 'lzma2.7z'));
    const found = (members as { name: string; from: number; to: number }[]).map(({ name, from, to }) => [
      name,
      String(text).slice(from, to).trim(),
    ]);
    expect(found).toEqual([
      ['empty.txt', ''],
      ['a.txt', WORDS],
      ['sub/b.txt', 'second'],
    ]);
  });

  test('cuts the text as a crawl would, and says so', async () => {
    const cut = await extract(join(documents, 'words.txt'), '--set', 'fs.indexed_chars=9');
    expect(cut.stdout).toContain('9 characters, cut there (fs.indexed_chars)');
    expect(cut.stdout).toContain('This file');
    expect(cut.stdout).not.toContain('contains');
  });

  test('ends with 1 and the reason when a problem leaves no text', async () => {
    const unknown = await extract(join(documents, 'blob.bin'));
    expect(unknown.code).toBe(1);
    expect(unknown.stdout).toMatch(/problem +unsupported: /);
    const locked = await extract(join(archives, 'encrypted-names.7z'));
    expect(locked.code).toBe(1);
    expect(locked.stdout).toMatch(/problem +encrypted: /);
  });

  test('takes a password, or those of the settings', async () => {
    const file = join(archives, 'encrypted-names.7z');
    expect((await extract(file, '--password', 'wrong')).code).toBe(1);
    const given = await extract(file, '--password', 'secret');
    expect(given.code).toBe(0);
    expect(given.stdout).toContain(WORDS);
    const provided = await extract(
      file,
      '--set',
      'passwords.provider=static',
      '--set',
      'passwords.providers.static.value=secret',
    );
    expect(provided.code).toBe(0);
    expect(provided.stdout).not.toContain('secret');
  });

  test('uses the settings of the job that crawls the file', async () => {
    const job = join(config, 'short');
    mkdirSync(job, { recursive: true });
    writeFileSync(join(job, '_settings.yaml'), `fs:\n  url: ${JSON.stringify(documents)}\n  indexed_chars: "4"\n`);
    const answer = await extractJson(join(documents, 'words.txt'));
    expect(answer).toMatchObject({ job: 'short', text: 'This', truncated: true });
    rmSync(job, { recursive: true });
  });

  test.each([
    ['a file that does not exist', 'nothing.txt', 1, /nothing\.txt.* does not exist|cannot be found/],
    ['a folder', '.', 2, /is not a file/],
  ])('says in a sentence what is wrong with %s', async (_what, name, code, sentence) => {
    const finished = await extract(join(documents, name));
    expect(finished.code).toBe(code);
    expect(finished.stderr).toMatch(sentence);
    expect(finished.stderr.trim().split('\n')).toHaveLength(1);
  });

  test.each([
    ['an unknown setting', ['--set', 'fs.nothing=1'], 1, 'fs.nothing is not a setting'],
    ['an unknown job', ['--job', 'nobody'], 1, 'There is no job [nobody]'],
    ['an unknown option', ['--nothing'], 2, 'unknown option'],
  ])('says in a sentence what is wrong with %s', async (_what, options, code, sentence) => {
    const finished = await extract(join(documents, 'words.txt'), ...options);
    expect(finished.code).toBe(code);
    expect(finished.stderr).toContain(sentence);
  });

  test('without a file it is a wrong command line', async () => {
    expect((await runCrawler(['extract'])).code).toBe(2);
  });
});

describe('a crawl over documents that cannot be read as a whole', () => {
  let log: string;
  let sources: Map<string, Record<string, unknown>>;

  beforeAll(async () => {
    const tree = join(directory, 'tree');
    mkdirSync(tree);
    const zip = makeZip([
      { name: 'open.txt', content: 'everybody may read this' },
      { name: 'locked.7z', content: readFileSync(join(archives, 'encrypted-names.7z')) },
    ]);
    writeFileSync(join(tree, 'long.txt'), 'word '.repeat(100_000));
    writeFileSync(join(tree, 'short.txt'), WORDS);
    writeFileSync(join(tree, 'blob.bin'), Buffer.from([0, 1, 2, 3, 254, 255, 0, 0]));
    writeFileSync(join(tree, 'partly.zip'), zip);
    writeFileSync(join(tree, 'cut.zip'), zip.subarray(0, zip.length - 60));
    copyFileSync(join(archives, 'encrypted-names.7z'), join(tree, 'locked.7z'));
    copyFileSync(join(archives, 'ppmd.7z'), join(tree, 'unknown.7z'));
    copyFileSync(join(archives, 'sha256.txt.xz'), join(tree, 'a.txt.xz'));
    expect((await runCrawler([tree, '--loop', '1', '--config_dir', config])).code).toBe(0);
    log = readFileSync(join(config, 'logs', 'documents.log'), 'utf8');
    const documents = await searchDocuments(['tree', '--all', '--config_dir', config]);
    sources = new Map(
      documents.map(({ source }) => [
        (source['file'] as { filename: string }).filename,
        source as Record<string, unknown>,
      ]),
    );
  });

  test('puts every one of them into the index', () => {
    expect([...sources.keys()].sort()).toEqual(
      ['a.txt.xz', 'blob.bin', 'cut.zip', 'locked.7z', 'long.txt', 'partly.zip', 'short.txt', 'unknown.7z'].sort(),
    );
    expect(sources.get('a.txt.xz')?.['content']).toContain(WORDS);
  });

  test('shows in the document that its text was cut, and only then', () => {
    expect(sources.get('long.txt')?.['file']).toMatchObject({ indexed_chars: 100_000 });
    expect(sources.get('long.txt')?.['content']).toHaveLength(100_000);
    expect(sources.get('long.txt')?.['file']).not.toHaveProperty('problem');
    expect(sources.get('locked.7z')?.['file']).toMatchObject({ problem: 'encrypted' });
    expect(sources.get('blob.bin')?.['file']).toMatchObject({ problem: 'unsupported' });
    expect(sources.get('short.txt')?.['file']).not.toHaveProperty('indexed_chars');
  });

  test.each([
    ['long.txt', 'Indexed, but not all of it: its text is cut (fs.indexed_chars)'],
    ['partly.zip', 'Indexed, but not all of it: [/locked.7z] The 7z archive is encrypted and no password opens it.'],
    ['blob.bin', 'Indexed with a problem (unsupported): No extractor supports the type [application/octet-stream].'],
    ['locked.7z', 'Indexed with a problem (encrypted): The 7z archive is encrypted'],
    ['unknown.7z', 'Indexed with a problem (unsupported): The 7z entry [a.txt] is unreadable'],
    ['cut.zip', 'Indexed with a problem (corrupt): '],
  ])('says in documents.log what is missing of %s', (name, sentence) => {
    expect(log.split('\n').find((line) => line.includes(`][/${name}]`))).toContain(sentence);
  });

  test('says nothing of the others', () => {
    expect(log).not.toContain('[/short.txt]');
    expect(log).not.toContain('[/a.txt.xz]');
  });

  test('keeps what can be read', () => {
    expect(sources.get('partly.zip')?.['content']).toContain('everybody may read this');
    expect(sources.get('cut.zip')?.['content']).toContain('everybody may read this');
    for (const name of ['blob.bin', 'locked.7z']) expect(sources.get(name)).not.toHaveProperty('content');
  });
});
