import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../src/base/logger.js';
import { Database } from '../../src/base/sqlite.js';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.js';
import { copyDatabase } from '../../src/operations/backup/copy-database.js';
import { runCrawler, startCrawler, type Finished } from '../support/crawler-process.js';
import { SlowPictures } from '../support/slow-pictures.js';
import { tempDir } from '../support/temp-dir.js';

const directory = tempDir();
const docs = join(directory, 'docs');
const config = join(directory, 'config');
const FOLDERS = 50;
const FILES = 50;

/** One name for each test. */
let target: string;
let targets = 0;
beforeEach(() => {
  target = join(directory, `backup-${(targets += 1)}`);
});

function makeTexts(root: string): void {
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    mkdirSync(join(root, `folder-${folder}`), { recursive: true });
    for (let file = 0; file < FILES; file += 1) {
      const text = `Number${folder} of number${file}. ${'lighthouse and harbour '.repeat(20)}`;
      writeFileSync(join(root, `folder-${folder}`, `${file}.txt`), text);
    }
  }
}

beforeAll(() => makeTexts(docs));
afterAll(() => rmSync(docs, { recursive: true, force: true }));

function crawler(...args: string[]): Promise<Finished> {
  return runCrawler([...args, '--config_dir', config]);
}

const QUERIES = Array.from(
  { length: 50 },
  (_, at) => [`number${at}`, `number${at} number3`, `"of number${at}"`, `harb* number${at}`][at % 4],
);

/** Totals and hits of all queries, in their order. */
async function answers(job: string): Promise<unknown[]> {
  const engine = new EmbeddedEngine({ directory: job, baseUrl: () => undefined, version: '0', logger: silentLogger });
  const { signal } = new AbortController();
  try {
    const found: unknown[] = [];
    for (const query of QUERIES) {
      const body = { size: 20, query: { query_string: { query, default_operator: 'AND' } } };
      const { hits } = await engine.search({ index: 'docs_docs', body }, signal);
      expect(hits.hits.length).toBeGreaterThan(0);
      found.push(hits);
    }
    return found;
  } finally {
    await engine.close();
  }
}

/** The job folder of another config directory, from the backup. */
function restored(from: string): string {
  const elsewhere = `${from}-restored`;
  cpSync(from, join(elsewhere, 'docs'), { recursive: true });
  return elsewhere;
}

/** Texts with a picture in each folder, whose recognition takes a second for as long as `slow` exists. */
async function makeSlowTree(root: string, slow: string): Promise<string[]> {
  makeTexts(root);
  writeFileSync(slow, '');
  const names = Array.from({ length: FOLDERS }, (_, at) => join(`folder-${at}`, 'picture.png'));
  const programs = mkdtempSync(join(directory, 'bin-'));
  const pictures = await SlowPictures.make(root, programs, names, `[ ! -e ${slow} ] || sleep 1; echo words`);
  // Languages are told by the processes, so that the texts wait behind the pictures.
  return [...pictures.settings, '--set', 'extractor.processes=1', '--set', 'fs.lang_detect=true'];
}

test('a backup that is made during a crawl is a job that has only the rest to do', async () => {
  const slow = join(directory, 'slow');
  const tree = join(directory, 'slow-docs', 'docs');
  const settings = await makeSlowTree(tree, slow);
  const from = join(directory, 'slow-config');
  const running = startCrawler([tree, '--config_dir', from, '--set', 'engine.bulk_size=50', ...settings, '--debug']);
  await running.printed('starting...');
  let made: Finished;
  // Not before the first documents are in the index.
  do {
    rmSync(target, { recursive: true, force: true });
    made = await runCrawler(['backup', tree, '--to', target, '--config_dir', from]);
  } while (made.code === 0 && !existsSync(join(target, 'index.db')));
  expect(made).toMatchObject({ code: 0, stderr: '' });
  running.child.kill('SIGTERM');
  await running.finished;
  rmSync(slow);

  const elsewhere = restored(target);
  const verified = await runCrawler(['verify', tree, '--json', '--config_dir', elsewhere, ...settings]);
  const findings = verified.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { kind?: string; pending?: boolean });
  // What the crawl had not come to when the catalog was copied, and nothing else.
  const kinds = new Set(findings.map(({ kind }) => kind).filter((kind) => kind !== undefined));
  expect([...kinds]).toEqual(['unseen']);

  const rest = await runCrawler([tree, '--loop', '1', '--config_dir', elsewhere, ...settings]);
  expect(rest.code).toBe(0);
  const again = await runCrawler(['verify', tree, '--config_dir', elsewhere, ...settings]);
  expect(again).toMatchObject({ code: 0 });
  expect(again.stdout).toContain('Tree, catalog and index agree.');
}, 180_000);

describe('of a job that stands still', () => {
  beforeAll(async () => {
    expect(await crawler(docs, '--loop', '1')).toMatchObject({ code: 0 });
  }, 120_000);

  test('answers every search as the original does', async () => {
    expect(await crawler('backup', 'docs', '--to', target)).toMatchObject({ code: 0, stderr: '' });
    const elsewhere = restored(target);
    const [original, copy] = [await answers(join(config, 'docs')), await answers(join(elsewhere, 'docs'))];
    expect(original.length).toBe(QUERIES.length);
    expect(copy).toEqual(original);
    const verified = await runCrawler(['verify', 'docs', '--config_dir', elsewhere]);
    expect(verified).toMatchObject({ code: 0 });
    const next = await runCrawler(['docs', '--loop', '1', '--config_dir', elsewhere]);
    expect(next.stdout).toContain('indexed [0], deleted [0]');
  }, 60_000);

  test('takes along what is only in the log of a writer', async () => {
    const job = join(config, 'docs');
    const writer = new Database(join(job, 'catalog.db'), { synchronous: 'FULL' });
    try {
      writer.exec("PRAGMA wal_autocheckpoint=0; INSERT INTO fact(name, value) VALUES ('only.in.log', 'yes')");
      expect(statSync(join(job, 'catalog.db-wal')).size).toBeGreaterThan(0);
      expect(await crawler('backup', 'docs', '--to', target)).toMatchObject({ code: 0, stderr: '' });
      expect(readdirSync(target).filter((name) => name.startsWith('catalog.db'))).toEqual(['catalog.db']);
      const copy = new Database(join(target, 'catalog.db'), { readOnly: true });
      expect(copy.values("SELECT value FROM fact WHERE name = 'only.in.log'")).toEqual(['yes']);
      copy.close();
    } finally {
      writer.exec("DELETE FROM fact WHERE name = 'only.in.log'");
      writer.close();
    }
  });

  test('is one moment of a database that is written to all the time', async () => {
    const source = join(directory, 'busy.db');
    const writer = new Database(source, { synchronous: 'NORMAL' });
    writer.exec('PRAGMA wal_autocheckpoint=50; CREATE TABLE pair(id INTEGER PRIMARY KEY, a BLOB, b BLOB)');
    writer.exec(
      'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO pair SELECT i, zeroblob(2000), zeroblob(2000) FROM n',
    );
    const state = { isCopied: false };
    const { signal } = new AbortController();
    const copying = copyDatabase(source, target, signal).then(() => (state.isCopied = true));
    let commits = 0;
    while (!state.isCopied) {
      commits += 1;
      // Both halves, and the first and the last row, always tell of the same commit.
      writer.exec(
        `UPDATE pair SET a = CAST(printf('%2000d', ${commits}) AS BLOB), b = CAST(printf('%2000d', ${commits}) AS BLOB) WHERE id % 40 IN (0, 1)`,
      );
      await nextTurn();
    }
    await copying;
    writer.close();
    expect(commits).toBeGreaterThan(1);
    const copy = new Database(target, { readOnly: true });
    expect(copy.values('SELECT count(*) FROM pair')).toEqual([2000]);
    expect(copy.values('SELECT count(*) FROM pair WHERE a <> b')).toEqual([0]);
    expect(copy.values('SELECT count(DISTINCT a) FROM pair WHERE id % 40 IN (0, 1)')).toEqual([1]);
    expect(copy.values('SELECT integrity_check FROM pragma_integrity_check')).toEqual(['ok']);
    copy.close();
  }, 60_000);

  test('is not made of a damaged database', async () => {
    const damaged = join(config, 'damaged');
    cpSync(join(config, 'docs'), damaged, { recursive: true });
    const file = join(damaged, 'index.db');
    const bytes = readFileSync(file);
    // The pages behind the first few: rows, and the trees above them.
    bytes.fill(0x5a, 8 * 8192, Math.min(bytes.length, 24 * 8192));
    writeFileSync(file, bytes);
    const { code, stderr } = await crawler('backup', 'damaged', '--to', target);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /index\.db\] cannot be copied: (the file is damaged \(.+\)|database disk image is malformed)/,
    );
    expect([existsSync(target), existsSync(`${target}.partial`)]).toEqual([false, false]);
  });

  test('names each file with its checksum, and is for its owner only', async () => {
    const { stdout } = await crawler('backup', 'docs', '--to', target, '--json');
    const report = JSON.parse(stdout) as { files: { path: string; sha256: string; bytes: number }[] };
    expect(report).toMatchObject({ job: 'docs', folder: target, catalog: { format: 1 }, index: { format: 2 } });
    const names = report.files.map(({ path }) => path);
    expect(names).toEqual(['_checkpoint.json', '_settings.yaml', 'catalog.db', 'index.db']);
    for (const { path, sha256, bytes } of report.files) {
      const content = readFileSync(join(target, path));
      expect([path, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([path, bytes, sha256]);
    }
    expect(readdirSync(target).sort()).toEqual([...names, 'backup.json'].sort());
    const saved = JSON.parse(readFileSync(join(target, 'backup.json'), 'utf8')) as object;
    expect({ ...saved, folder: target }).toEqual(report);
  });

  test('has what tells of lost documents, and that the job was one of FSCrawler', async () => {
    const told = { 'index-incidents.json': '{"incidents":[]}', '_status.json.migrated': '{}' };
    for (const [name, text] of Object.entries(told)) writeFileSync(join(config, 'docs', name), text);
    try {
      expect(await crawler('backup', 'docs', '--to', target)).toMatchObject({ code: 0, stderr: '' });
      for (const [name, text] of Object.entries(told)) expect(readFileSync(join(target, name), 'utf8')).toBe(text);
    } finally {
      for (const name of Object.keys(told)) rmSync(join(config, 'docs', name));
    }
  });

  test('is refused to whoever may not read the job, instead of being empty', async () => {
    // Not even root enters a file.
    const closed = join(directory, 'closed');
    mkdirSync(closed);
    writeFileSync(join(closed, 'docs'), '', { mode: 0o600 });
    const { code, stderr } = await runCrawler(['backup', docs, '--to', target, '--config_dir', closed]);
    expect([code, existsSync(target)]).toEqual([1, false]);
    expect(stderr).toContain(`[${join(closed, 'docs')}] may not be read by this user`);
  });

  test('is not made of a folder that was never crawled', async () => {
    const never = join(directory, 'never');
    mkdirSync(never);
    const { code, stderr } = await crawler('backup', never, '--to', target);
    expect([code, existsSync(target)]).toEqual([1, false]);
    expect(stderr).toContain('has not been run yet');
  });

  test('goes into no folder that exists', async () => {
    mkdirSync(target);
    writeFileSync(join(target, 'mine'), '');
    const { code, stderr } = await crawler('backup', 'docs', '--to', target);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`[${target}] exists already.`)]);
    expect(readdirSync(target)).toEqual(['mine']);
  });

  test('goes into no folder above which nothing is mounted', async () => {
    const { code, stderr } = await crawler('backup', 'docs', '--to', join(target, 'not', 'there'));
    const folder = join(target, 'not');
    const sentence = `The folder [${folder}], which is to hold the backup, does not exist. Create it, or mount its disk.\n`;
    expect([code, stderr]).toEqual([1, sentence]);
    expect(existsSync(target)).toBe(false);
  });

  test('that is killed half-way leaves no folder of its name, and the next one takes the place', async () => {
    const blocked = `${target}.partial`;
    const running = startCrawler(['backup', 'docs', '--to', target, '--config_dir', config]);
    while (!existsSync(join(blocked, 'catalog.db')) && !existsSync(target)) await new Promise(setImmediate);
    running.child.kill('SIGKILL');
    await running.finished;
    if (!existsSync(target)) {
      expect(existsSync(blocked)).toBe(true);
      expect(await crawler('backup', 'docs', '--to', target)).toMatchObject({ code: 0, stderr: '' });
    }
    expect(existsSync(blocked)).toBe(false);
    expect(existsSync(join(target, 'backup.json'))).toBe(true);
  });

  test('that is interrupted cleans up', async () => {
    const running = startCrawler(['backup', 'docs', '--to', target, '--config_dir', config]);
    while (!existsSync(`${target}.partial`) && !existsSync(target)) await new Promise(setImmediate);
    running.child.kill('SIGINT');
    const { code, stderr } = await running.finished;
    if (code === 0) return expect(existsSync(target)).toBe(true);
    expect(stderr).toContain('The backup was interrupted');
    expect([existsSync(target), existsSync(`${target}.partial`)]).toEqual([false, false]);
  });
});

test('leaves the documents of a search engine to that engine', async () => {
  const job = join(config, 'cluster');
  mkdirSync(job, { recursive: true });
  writeFileSync(join(job, '_settings.yaml'), `fs:\n  url: ${docs}\nengine:\n  urls: ["http://127.0.0.1:1"]\n`);
  const { code, stdout } = await crawler('backup', 'cluster', '--to', target);
  expect(code).toBe(0);
  expect(stdout).toContain('take a snapshot there');
  expect(readdirSync(target).sort()).toEqual(['_settings.yaml', 'backup.json']);
});
