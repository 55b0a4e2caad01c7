import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Database } from '../../../src/base/sqlite.js';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.js';
import { RecordingLogger } from '../../support/recording-logger.js';
import { withTempDir } from '../../support/temp-dir.js';
import { SIGNAL } from '../../unit/engine/embedded/library.js';

function open(directory: string, logger = new RecordingLogger()): EmbeddedEngine {
  return new EmbeddedEngine({ directory, baseUrl: () => undefined, version: '1.2.3', logger, owned: true });
}

async function identityOf(directory: string, logger?: RecordingLogger): Promise<string> {
  const engine = open(directory, logger);
  const { identity } = await engine.prepare(SIGNAL);
  await engine.close();
  return identity;
}

async function fill(directory: string, documents: number): Promise<void> {
  const engine = open(directory);
  const operations = Array.from({ length: documents }, (_, at) => {
    const document = { content: `word${at} `.repeat(200), external: { at } };
    return { kind: 'index', index: 'docs', id: `d${at}`, document } as const;
  });
  await engine.write(operations, SIGNAL);
  await engine.close();
}

test('a new index gets an identity that it keeps', async () => {
  await withTempDir(async (folder) => {
    const directory = join(folder, 'config', 'job');
    const identity = await identityOf(directory);
    expect(identity).toMatch(/^[\da-f-]{36}$/);
    expect(await identityOf(directory)).toBe(identity);
    expect(await identityOf(join(folder, 'other'))).not.toBe(identity);
  });
});

test('closing brings everything into one file', async () => {
  await withTempDir(async (directory) => {
    await fill(directory, 100);
    expect(readdirSync(directory).sort()).toEqual(['index-summary.json', 'index.db']);
    const engine = open(directory);
    expect(await engine.count('docs', undefined, SIGNAL)).toBe(100);
    await engine.close();
    await engine.close();
    await expect(engine.count('docs', undefined, SIGNAL)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(engine.write([], SIGNAL)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

test('closing waits for the calls that were made before', async () => {
  await withTempDir(async (directory) => {
    await fill(directory, 100);
    const engine = open(directory);
    const document = { content: 'late' };
    const calls = Promise.all([
      ...Array.from({ length: 20 }, () => engine.count('docs', { match: { content: 'word5' } }, SIGNAL)),
      engine.write([{ kind: 'index', index: 'docs', id: 'late', document }], SIGNAL).then(([outcome]) => outcome?.ok),
    ]);
    await engine.close();
    expect(await calls).toEqual([...Array.from({ length: 20 }, () => 1), true]);
    const again = open(directory);
    await expect(again.get('docs', 'late', SIGNAL)).resolves.toMatchObject({ source: document });
    await again.close();
  });
});

test('version and addresses', async () => {
  await withTempDir(async (directory) => {
    const logger = new RecordingLogger();
    const engine = open(directory, logger);
    expect(await engine.version()).toBe('embedded-1.2.3');
    expect(engine.urlOf('docs', 'a/b?c#d%e f')).toBe('http://127.0.0.1:8080/_engine/docs/_doc/a%2Fb%3Fc%23d%25e%20f');
    const served = new EmbeddedEngine({ directory, baseUrl: () => 'http://host:1/prefix/', version: '1', logger });
    expect(served.urlOf('docs', 'plain:id@x')).toBe('http://host:1/prefix/_engine/docs/_doc/plain:id@x');
  });
});

test('an ingest pipeline is passed over with one warning', async () => {
  await withTempDir(async (directory) => {
    const logger = new RecordingLogger();
    const engine = open(directory, logger);
    const operation = { kind: 'index', index: 'docs', id: 'x', document: {}, pipeline: 'upper' } as const;
    await expect(engine.write([operation, operation], SIGNAL)).resolves.toMatchObject([{ ok: true }, { ok: true }]);
    await engine.close();
    expect(logger.messages('warn')).toEqual(['The embedded index has no ingest pipelines: [upper] is ignored.']);
  });
});

describe('documents that cannot be sent', () => {
  test.each<[string, unknown, string]>([
    ['a list', [1], 'must be a JSON object'],
    ['null', null, 'must be a JSON object'],
    ['a circle', circle(), 'cannot be written as JSON'],
    ['a bigint', { n: 1n }, 'cannot be written as JSON'],
    ['more than 100 MB', { content: 'x'.repeat(101 * 1024 * 1024) }, 'more than the 100 MB'],
  ])('%s is rejected', async (_what, document, message) => {
    await withTempDir(async (directory) => {
      const engine = open(directory);
      const good = { kind: 'index', index: 'docs', id: 'good', document: { content: 'x' } } as const;
      const bad = { kind: 'index', index: 'docs', id: 'bad', document: document as Record<string, unknown> } as const;
      await expect(engine.write([bad, good], SIGNAL)).resolves.toMatchObject([
        { ok: false, id: 'bad', code: 'rejected', message: expect.stringContaining(message) },
        { ok: true, id: 'good' },
      ]);
      await engine.close();
    });
  });

  test('a document with too many names of its own is rejected, the next one is taken', async () => {
    await withTempDir(async (directory) => {
      const engine = open(directory);
      const external = Object.fromEntries(Array.from({ length: 11_000 }, (_, at) => [`name${at}`, 1]));
      const outcomes = await engine.write(
        [
          { kind: 'index', index: 'docs', id: 'wide', document: { external } },
          { kind: 'index', index: 'docs', id: 'next', document: { content: 'x' } },
        ],
        SIGNAL,
      );
      expect(outcomes).toMatchObject([
        { ok: false, code: 'rejected', message: expect.stringContaining('too many different field names') },
        { ok: true },
      ]);
      expect(await engine.count('docs', undefined, SIGNAL)).toBe(1);
      await engine.close();
    });
  });
});

describe('a file that is not the index is kept aside and a new one is made', () => {
  async function expectReplaced(directory: string, known: string | undefined, fault: string): Promise<void> {
    const logger = new RecordingLogger();
    const identity = await identityOf(directory, logger);
    expect(identity).not.toBe(known);
    const [kept] = readdirSync(directory).filter((name) => /^index\.db\.damaged-\d{8}T\d{6}$/.test(name));
    expect(kept).toBeDefined();
    const [before, after] = logger.messages('warn');
    expect(before).toContain(fault);
    expect(after).toContain(fault);
    expect(after).toContain(join(directory, kept ?? ''));
    expect(await identityOf(directory, logger)).toBe(identity);
    expect(logger.messages('warn')).toHaveLength(2);
  }

  test.each<[string, string | Buffer]>([
    ['text', 'this is no database at all, only text that somebody has written here. '.repeat(50)],
    ['a few bytes', 'SQLite'],
    ['zeros', Buffer.alloc(100_000)],
  ])('%s', async (_what, content) => {
    await withTempDir(async (directory) => {
      writeFileSync(join(directory, 'index.db'), content);
      await expectReplaced(directory, undefined, 'it is not a database');
      const [kept = ''] = readdirSync(directory).filter((name) => name.includes('damaged'));
      expect(readFileSync(join(directory, kept)).equals(Buffer.from(content))).toBe(true);
    });
  });

  test('a file that has lost its end', async () => {
    await withTempDir(async (directory) => {
      const identity = await identityOf(directory);
      await fill(directory, 200);
      const path = join(directory, 'index.db');
      truncateSync(path, Math.floor(statSync(path).size / 2));
      await expectReplaced(directory, identity, 'bytes where its header says');
    });
  });

  test('a file whose schema is overwritten', async () => {
    await withTempDir(async (directory) => {
      const identity = await identityOf(directory);
      overwrite(join(directory, 'index.db'), 100, 8000);
      await expectReplaced(directory, identity, 'its pages contradict each other');
    });
  });

  test('a database of another program', async () => {
    await withTempDir(async (directory) => {
      const database = new Database(join(directory, 'index.db'));
      database.exec('CREATE TABLE other(x)');
      database.close();
      await expectReplaced(directory, undefined, 'it is a database of another program');
    });
  });

  test('damage that is met while searching is reported, and repaired at once', async () => {
    await withTempDir(async (directory) => {
      await fill(directory, 1100);
      const path = join(directory, 'index.db');
      const logger = new RecordingLogger();
      const engine = open(directory, logger);
      const { identity } = await engine.prepare(SIGNAL);
      const pages = Math.floor(statSync(path).size / 8192);
      overwrite(path, 8192 * 8, 8192 * Math.floor(pages / 2));
      await expect(readEverything(engine)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/^The index \[.*\] is damaged: .* The next run of the job repairs it\.$/),
      });
      expect(await engine.identity(SIGNAL)).not.toBe(identity);
      await readEverything(engine);
      await engine.close();
      expect(logger.messages('warn')).toHaveLength(2);
    });
  });

  test('whoever does not run the job gets the damage as an error, and changes nothing', async () => {
    await withTempDir(async (directory) => {
      await fill(directory, 400);
      const path = join(directory, 'index.db');
      truncateSync(path, Math.floor(statSync(path).size / 2));
      const before = readFileSync(path);
      const engine = new EmbeddedEngine({
        directory,
        baseUrl: () => undefined,
        version: '1.2.3',
        logger: new RecordingLogger(),
      });
      const damaged = { code: 'unavailable', message: expect.stringContaining('The next run of the job repairs it.') };
      await expect(engine.identity(SIGNAL)).rejects.toMatchObject(damaged);
      await expect(engine.count('docs', undefined, SIGNAL)).rejects.toMatchObject(damaged);
      await engine.close();
      expect(readFileSync(path).equals(before)).toBe(true);
    });
  });
});

test('an index of a newer version is left alone', async () => {
  await withTempDir(async (directory) => {
    await identityOf(directory);
    const database = new Database(join(directory, 'index.db'));
    database.exec('PRAGMA user_version=99');
    database.close();
    await expect(open(directory).prepare(SIGNAL)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('was written by crawler'),
    });
    expect(readdirSync(directory).filter((name) => name.includes('damaged'))).toEqual([]);
  });
});

test('a folder that cannot be made is reported with its path', async () => {
  await withTempDir(async (directory) => {
    writeFileSync(join(directory, 'file'), '');
    await expect(open(join(directory, 'file', 'job')).prepare(SIGNAL)).rejects.toMatchObject({
      name: 'CrawlerError',
      message: expect.stringContaining(join(directory, 'file', 'job', 'index.db')),
    });
  });
});

async function readEverything(engine: EmbeddedEngine): Promise<void> {
  for await (const page of engine.scan('docs', SIGNAL)) expect(page.length).toBeGreaterThan(0);
  await engine.search({ index: 'docs', body: { query: { match: { content: 'word7' } } } }, SIGNAL);
}

function overwrite(path: string, at: number, length: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(length, 0xa5), 0, length, at);
  closeSync(file);
}

function circle(): unknown {
  const document: Record<string, unknown> = {};
  document['self'] = document;
  return document;
}
