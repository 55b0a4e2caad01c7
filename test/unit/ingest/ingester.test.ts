import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CrawlerError } from '../../../src/base/errors.js';
import { silentLogger, type Logger } from '../../../src/base/logger.js';
import type { Extraction, ExtractionRequest, ExtractorService } from '../../../src/extract/extraction.js';
import { BulkWriter } from '../../../src/ingest/bulk-writer.js';
import { DocumentBuilder } from '../../../src/ingest/document-builder.js';
import { DocumentRules, type MetadataFile } from '../../../src/ingest/document-rules.js';
import type { IngestItem } from '../../../src/ingest/ingest.js';
import { DocumentIngester } from '../../../src/ingest/ingester.js';
import type { Entry } from '../../../src/model/entry.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import type { FileContent } from '../../../src/source/content.js';
import { Spool } from '../../../src/source/spool.js';
import { MemoryEngine } from '../../support/memory-engine.js';

const { signal } = new AbortController();
const NOW = Date.parse('2026-02-03T04:05:06.789Z');

let directory: string;
let engine: MemoryEngine;
let requests: ExtractionRequest[];
let answer: (request: ExtractionRequest) => Extraction;
let lines: string[];
let candidates: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-ingest-'));
  engine = new MemoryEngine();
  requests = [];
  lines = [];
  candidates = [];
  answer = () => extraction({ text: 'The text.', contentType: 'text/plain' });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function extraction(more: Partial<Extraction>): Extraction {
  return {
    text: '',
    truncated: false,
    contentType: undefined,
    metadata: {},
    language: undefined,
    checksum: undefined,
    source: undefined,
    size: 5,
    members: [],
    warnings: [],
    problem: undefined,
    ...more,
  };
}

function ingester(overrides: string[] = [], staticMetadata?: MetadataFile): DocumentIngester {
  const { settings } = loadSettings({
    configDir: directory,
    job: 'job',
    env: {},
    overrides: ['engine.index=docs', ...overrides],
    fsJavaOpts: undefined,
  });
  const extractor: ExtractorService = {
    version: '1',
    concurrency: 1,
    activity: () => ({ current: [], waiting: 0, slowest: [] }),
    extract: (request) => {
      requests.push(request);
      return Promise.resolve().then(() => answer(request));
    },
    close: () => Promise.resolve(),
  };
  const documentLog: Logger = { ...silentLogger, error: (line) => lines.push(line), info: (line) => lines.push(line) };
  const rules = new DocumentRules(settings, staticMetadata);
  const builder = new DocumentBuilder({
    rules,
    extractor,
    passwords: { type: 'static', candidates: () => Promise.resolve(candidates) },
    spool: new Spool(join(directory, 'spool'), 'crawl'),
    now: () => NOW,
    logger: silentLogger,
  });
  const writer = new BulkWriter({ engine, ...settings.engine, logger: silentLogger });
  return new DocumentIngester({ rules, builder, engine, writer, documentLog });
}

/** A file that lies on this machine, or one that has to be fetched. */
function item(more: Partial<IngestItem> = {}, text?: string): IngestItem {
  const entry: Entry = {
    name: 'a.TXT',
    path: '/docs/sub/a.TXT',
    kind: 'file',
    size: 5,
    modifiedMs: 1_600_000_000_123.9,
    changedMs: 1,
    createdMs: 1_500_000_000_000,
    accessedMs: undefined,
    device: 1,
    inode: 2,
    version: undefined,
  };
  const content: FileContent =
    text === undefined
      ? { kind: 'path', path: entry.path }
      : { kind: 'stream', open: () => Promise.resolve(Readable.from([Buffer.from(text)])) };
  const place = {
    filename: 'a.TXT',
    real: '/docs/sub/a.TXT',
    virtual: '/sub/a.TXT',
    root: 'r00t',
    url: 'file:///docs/sub/a.TXT',
  };
  return { entry, content, place, origin: 'crawl', ...more };
}

async function stored(id: string, index = 'docs'): Promise<unknown> {
  return (await engine.get(index, id))?.source;
}

test('a crawled file becomes a document with its dates, place and metadata', async () => {
  answer = () =>
    extraction({
      text: 'The text.',
      contentType: 'text/plain; charset=UTF-8',
      metadata: {
        'dc:creator': ['Harbour office', 'x'],
        'dcterms:created': ['2020-01-02T03:04:05Z'],
        'meta:keyword': ['a, b'],
      },
      checksum: 'c0ffee',
    });
  const outcome = await ingester(['fs.raw_metadata=true']).ingest(item(), signal);
  expect(outcome).toMatchObject({ status: 'indexed', index: 'docs', filename: 'a.TXT', problem: undefined });
  expect(await stored(outcome.status === 'indexed' ? outcome.id : '')).toEqual({
    content: 'The text.',
    file: {
      checksum: 'c0ffee',
      content_type: 'text/plain; charset=UTF-8',
      created: '2017-07-14T02:40:00.000Z',
      extension: 'txt',
      filename: 'a.TXT',
      filesize: 5,
      indexing_date: expect.stringMatching(/^2026-02-0\dT\d\d:\d\d:06\.789$/) as unknown as string,
      last_modified: '2020-09-13T12:26:40.123Z',
      url: 'file:///docs/sub/a.TXT',
    },
    path: { real: '/docs/sub/a.TXT', root: 'r00t', virtual: '/sub/a.TXT' },
    meta: {
      author: 'Harbour office',
      created: '2020-01-02T03:04:05.000Z',
      keywords: ['a', 'b'],
      raw: { 'dc:creator': 'Harbour office', 'dcterms:created': '2020-01-02T03:04:05Z', 'meta:keyword': 'a, b' },
    },
  });
});

describe('ids', () => {
  test.each<[string[], Partial<IngestItem>, string]>([
    [[], {}, '8ca56e51d36b6bb2d0cf1d4b8bd1d3ab'],
    [['fs.filename_as_id=true'], {}, 'a.TXT'],
    [[], { id: 'given' }, 'given'],
  ])('%j %j', async (overrides, more, id) => {
    const outcome = await ingester(overrides).ingest(item(more), signal);
    if (id.length === 32) expect(outcome.status === 'indexed' && outcome.id).toMatch(/^[0-9a-f]{20,32}$/);
    else expect(outcome).toMatchObject({ id });
  });

  test('_auto_ lets the engine choose, twice differently', async () => {
    const one = ingester();
    const ids = await Promise.all([1, 2].map(() => one.ingest(item({ id: '_auto_', origin: 'rest' }), signal)));
    expect(new Set(ids.map((each) => (each.status === 'indexed' ? each.id : ''))).size).toBe(2);
  });

  test('an upload is known by the hash of its name', () => {
    const one = ingester();
    expect(one.idOf('test.txt')).toBe('dd18bf3a8ea2a3e53e2661c7fb53534');
    expect(ingester(['fs.filename_as_id=true']).idOf('test.txt')).toBe('test.txt');
  });
});

describe('what is kept of the text', () => {
  test.each<[string | undefined, number, number | undefined]>([
    [undefined, 100_000, undefined],
    ['fs.indexed_chars=10', 10, 10],
    ['fs.indexed_chars=50%', 3, 3],
    ['fs.indexed_chars=-1', -1, undefined],
    ['fs.indexed_chars=0', 0, 0],
  ])('%s', async (override, limit, shown) => {
    const outcome = await ingester(override === undefined ? [] : [override]).ingest(item(), signal);
    expect(requests[0]?.options.maxCharacters).toBe(limit);
    expect(outcome.status === 'indexed' && outcome.document.file?.indexed_chars).toBe(shown);
  });

  test('a cut is visible in the document although no limit is set', async () => {
    answer = () => extraction({ text: 'x', truncated: true });
    const outcome = await ingester().ingest(item(), signal);
    expect(outcome.status === 'indexed' && outcome.document.file?.indexed_chars).toBe(100_000);
  });

  test('nothing is extracted when fs.index_content is off', async () => {
    const outcome = await ingester(['fs.index_content=false']).ingest(item(), signal);
    expect(requests).toEqual([]);
    expect(outcome.status === 'indexed' && outcome.document).toMatchObject({ file: { filesize: 5 }, meta: {} });
    expect(outcome.status === 'indexed' && outcome.document.file?.content_type).toBeUndefined();
  });

  describe('when fs.index_content is off and fs.store_source is on', () => {
    const settings = ['fs.index_content=false', 'fs.store_source=true', 'fs.indexed_chars=10', 'fs.checksum=MD5'];

    test.each<[string, string, 'crawl' | 'rest']>([
      ['a file that is fetched by a crawl', 'some bytes', 'crawl'],
      ['a large one', 'x'.repeat(200_000), 'crawl'],
      ['an upload', 'some bytes', 'rest'],
      ['a file of no bytes', '', 'crawl'],
    ])('%s is stored and nothing else is known of it', async (_name, content, origin) => {
      mkdirSync(join(directory, 'spool'));
      const outcome = await ingester(settings).ingest(item({ origin, id: 'one' }, content), signal);
      expect(outcome).toMatchObject({ status: 'indexed', problem: undefined });
      expect(requests).toEqual([]);
      const { attachment, file, meta, content: text } = (await stored('one')) as Record<string, unknown>;
      expect(attachment).toBe(Buffer.from(content).toString('base64'));
      expect({ meta, text }).toEqual({ meta: {}, text: undefined });
      expect(file).toMatchObject({ filename: 'a.TXT', filesize: content.length });
      expect(Object.keys(file as object)).not.toEqual(
        expect.arrayContaining(['content_type', 'indexed_chars', 'checksum']),
      );
      expect(readdirSync(join(directory, 'spool'))).toEqual([]);
    });

    test('a file of this machine is stored, one above 128 MB is indexed without its source and the log says so', async () => {
      const path = join(directory, 'file.bin');
      const local = item({ id: 'local', content: { kind: 'path', path } });
      writeFileSync(path, 'on the disk');
      await ingester(settings).ingest(local, signal);
      expect(await stored('local')).toMatchObject({ attachment: Buffer.from('on the disk').toString('base64') });
      truncateSync(path, 128 * 1024 * 1024 + 1);
      await ingester(settings).ingest(local, signal);
      expect(await stored('local')).not.toHaveProperty('attachment');
      expect(lines.join()).toContain('not stored as source: it has more than 128 MB');
    });

    test('a file that cannot be read is reported', async () => {
      const gone = item({ content: { kind: 'path', path: join(directory, 'gone') } });
      expect(await ingester(settings).ingest(gone, signal)).toMatchObject({ status: 'failed' });
    });
  });
});

describe('filters', () => {
  test('leave out a document of a crawl whose text does not match them all, but never one without text or an upload', async () => {
    const one = ingester(['fs.filters=text,missing']);
    expect(await one.ingest(item(), signal)).toMatchObject({ status: 'skipped', problem: { reason: 'filtered' } });
    expect(lines.join()).toContain('Skipped (filtered)');
    expect(await one.ingest(item({ origin: 'rest' }), signal)).toMatchObject({ status: 'indexed' });
    answer = () => extraction({});
    expect(await one.ingest(item(), signal)).toMatchObject({ status: 'indexed' });
  });
});

describe('metadata files and tags', () => {
  const staticFile = { name: 'static.yml', text: 'external: {category: general, owner: a}' };
  const folderFile = { name: '.meta.yml', text: 'external: {owner: b}' };

  test('go over the document: static, then the folder, then the request', async () => {
    const one = ingester([], staticFile);
    const external = async (more: Partial<IngestItem>): Promise<unknown> => {
      const outcome = await one.ingest(item(more), signal);
      return outcome.status === 'indexed' ? outcome.document.external : outcome;
    };
    expect(await external({})).toEqual({ category: 'general', owner: 'a' });
    expect(await external({ folderMetadata: folderFile })).toEqual({ category: 'general', owner: 'b' });
    expect(await external({ folderMetadata: folderFile, tags: { external: { owner: 'c' } } })).toEqual({
      category: 'general',
      owner: 'c',
    });
  });

  test.each(['file: [no]', 'a: [1', 'file: {filesize: many}'])('%s fails the file with its reason', async (text) => {
    const outcome = await ingester().ingest(item({ folderMetadata: { name: '.meta.yml', text } }), signal);
    expect(outcome).toMatchObject({ status: 'failed', problem: { reason: 'invalid_metadata' } });
    expect(lines.join()).toContain('Not indexed (invalid_metadata): Error parsing tags:');
  });

  test('an overwritten file name is the one that is answered and hashed', async () => {
    const outcome = await ingester().ingest(item({ origin: 'rest', tags: { file: { filename: 'test.txt' } } }), signal);
    expect(outcome).toMatchObject({ filename: 'test.txt', id: 'dd18bf3a8ea2a3e53e2661c7fb53534' });
  });
});

describe('passwords', () => {
  const locked = (request: ExtractionRequest): Extraction =>
    request.options.passwords.includes('open sesame')
      ? extraction({ text: 'secret' })
      : extraction({ problem: { reason: 'encrypted', message: 'no password opens it' } });

  test('are asked for only when a document needs one', async () => {
    answer = locked;
    candidates = ['wrong', 'open sesame'];
    const outcome = await ingester().ingest(item(), signal);
    expect(requests.map(({ options }) => options.passwords)).toEqual([[], ['wrong', 'open sesame']]);
    expect(outcome).toMatchObject({ status: 'indexed', problem: undefined, document: { content: 'secret' } });
    expect(outcome.status === 'indexed' && outcome.document.file).not.toHaveProperty('problem');
  });

  test('of a request is the only one used', async () => {
    answer = locked;
    candidates = ['open sesame'];
    const outcome = await ingester().ingest(item({ password: 'mine' }), signal);
    expect(requests.map(({ options }) => options.passwords)).toEqual([['mine']]);
    expect(outcome).toMatchObject({
      status: 'indexed',
      problem: { reason: 'encrypted' },
      document: { file: { problem: 'encrypted' } },
    });
  });
});

describe('failures', () => {
  test.each<[CrawlerError | Error, string]>([
    [new CrawlerError('not_found', 'gone'), 'vanished'],
    [new CrawlerError('denied', 'no'), 'unreadable'],
    [new CrawlerError('unavailable', 'away'), 'unavailable'],
    [new Error('bug'), 'internal'],
  ])('%s is %s', async (error, reason) => {
    answer = () => {
      throw error;
    };
    expect(await ingester().ingest(item(), signal)).toMatchObject({ status: 'failed', problem: { reason } });
  });

  test('a document that the engine refuses keeps the words of the engine', async () => {
    engine.refusing = ({ id }) => ({ ok: false, id, code: 'rejected', message: 'mapper_parsing_exception: …' });
    expect(await ingester().ingest(item(), signal)).toMatchObject({
      status: 'failed',
      problem: { reason: 'rejected', message: 'mapper_parsing_exception: …' },
    });
  });

  test('a document with a problem is indexed all the same', async () => {
    answer = () => extraction({ problem: { reason: 'corrupt', message: 'broken xref' } });
    expect(await ingester().ingest(item(), signal)).toMatchObject({
      status: 'indexed',
      problem: { reason: 'corrupt' },
    });
    expect(lines.join()).toContain('Indexed with a problem (corrupt): broken xref');
  });

  test('a document of which something is missing is logged with what it is', async () => {
    answer = () => extraction({ truncated: true });
    await ingester().ingest(item(), signal);
    expect(lines.join()).toContain('Indexed, but not all of it: its text is cut (fs.indexed_chars)');
    answer = () => extraction({ warnings: ['[/a.zip/b.doc] is encrypted.', 'A picture is damaged.'] });
    await ingester().ingest(item(), signal);
    expect(lines.join()).toContain('Indexed, but not all of it: [/a.zip/b.doc] is encrypted. (and 1 more)');
  });
});

test('simulate writes nothing', async () => {
  const outcome = await ingester().ingest(item({ simulate: true, id: 'x' }), signal);
  expect(outcome).toMatchObject({ status: 'indexed', id: 'x', document: { content: 'The text.' } });
  expect(await stored('x')).toBeUndefined();
});

describe('bytes from elsewhere', () => {
  test('few are handed over in memory, many in a file that is removed afterwards', async () => {
    const one = ingester();
    await one.ingest(item({}, 'small'), signal);
    expect(requests[0]?.content).toEqual({ kind: 'bytes', bytes: Buffer.from('small') });
    let spooled: string[] = [];
    answer = () => {
      spooled = readdirSync(join(directory, 'spool'));
      return extraction({});
    };
    await one.ingest(item({}, 'x'.repeat(300_000)), signal);
    expect(requests[1]?.content.kind).toBe('path');
    expect(spooled).toHaveLength(1);
    expect(readdirSync(join(directory, 'spool'))).toEqual([]);
  });
});

describe('content that is at hand', () => {
  test('is handed to the extraction as it is: bytes stay in memory, a file is not copied', async () => {
    const one = ingester();
    const bytes = Buffer.alloc(200_000, 'x');
    await one.ingest(item({ origin: 'rest', content: { kind: 'bytes', bytes } }), signal);
    await one.ingest(item({ origin: 'rest', content: { kind: 'path', path: '/somewhere/upload' } }), signal);
    expect(requests.map(({ content }) => content)).toEqual([
      { kind: 'bytes', bytes },
      { kind: 'path', path: '/somewhere/upload' },
    ]);
    expect(requests[0]?.content.kind === 'bytes' && requests[0].content.bytes).toBe(bytes);
    expect(existsSync(join(directory, 'spool'))).toBe(false);
  });

  test('elsewhere is not opened when nothing is wanted of it', async () => {
    const unopened = (): Promise<Readable> => Promise.reject(new Error('opened'));
    const outcome = await ingester(['fs.index_content=false']).ingest(
      item({ content: { kind: 'stream', open: unopened } }),
      signal,
    );
    expect(outcome).toMatchObject({ status: 'indexed', problem: undefined });
  });
});

describe('json and xml jobs', () => {
  test.each<[string, string[], unknown]>([
    ['{"a":{"b":[1,2]}}', ['fs.json_support=true'], { a: { b: [1, 2] } }],
    ['<x><Tag attr="false">Content</Tag></x>', ['fs.xml_support=true'], { Tag: { attr: 'false', $: 'Content' } }],
    [
      '<x><object id="1" name="foo"/><object id="2" name="bar"/><empty/></x>',
      ['fs.xml_support=true'],
      {
        object: [
          { id: '1', name: 'foo' },
          { id: '2', name: 'bar' },
        ],
      },
    ],
    ['<n:x xmlns:n="urn:x"><n:a>1</n:a></n:x>', ['fs.xml_support=true'], { a: '1' }],
  ])('%s is the document', async (text, overrides, body) => {
    const outcome = await ingester(overrides).ingest(item({ id: 'x' }, text), signal);
    expect(outcome.status).toBe('indexed');
    expect(await stored('x')).toEqual(body);
  });

  test('as an inner object it stands in an ordinary document without content', async () => {
    await ingester(['fs.json_support=true', 'fs.add_as_inner_object=true']).ingest(
      item({ id: 'x' }, '{"a":1}'),
      signal,
    );
    expect(await stored('x')).toMatchObject({ object: { a: 1 }, path: { virtual: '/sub/a.TXT' } });
  });

  test.each([
    ['{"a":', 'fs.json_support=true'],
    ['[1]', 'fs.json_support=true'],
    ['<a><b></a>', 'fs.xml_support=true'],
    ['<!DOCTYPE x [<!ENTITY e "ha">]><x>&e;</x>', 'fs.xml_support=true'],
  ])('%s is refused as corrupt', async (text, override) => {
    const outcome = await ingester([override]).ingest(item({}, text), signal);
    expect(outcome).toMatchObject({ status: 'failed', problem: { reason: 'corrupt' } });
  });

  test('a local file is read where it lies', async () => {
    const path = join(directory, 'local.json');
    writeFileSync(path, '\ufeff{"local":true}');
    const local = item({ id: 'x', content: { kind: 'path', path } });
    const outcome = await ingester(['fs.json_support=true']).ingest(local, signal);
    expect(outcome.status).toBe('indexed');
    expect(await stored('x')).toEqual({ local: true });
  });
});

test('a cancelled document rejects as cancelled', async () => {
  const controller = new AbortController();
  answer = () => {
    controller.abort();
    throw new Error('aborted');
  };
  await expect(ingester().ingest(item(), controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
});

test('a document costs the same, however many wait for the engine', async () => {
  engine.write = () => new Promise(() => undefined);
  const documents = ingester(['engine.bulk_size=1000']);
  const reactions = jest.spyOn(Promise.prototype, 'then');
  const costs: number[] = [];
  for (let at = 0; at < 100; at += 1) {
    reactions.mockClear();
    void documents.ingest(item({ id: String(at) }), signal);
    await new Promise(setImmediate);
    costs.push(reactions.mock.calls.length);
  }
  reactions.mockRestore();
  expect(costs.at(-1)).toBe(costs[10]);
});
