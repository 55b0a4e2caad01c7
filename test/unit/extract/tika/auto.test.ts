import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../../src/base/logger.js';
import type { Extraction } from '../../../../src/extract/extraction.js';
import { ExtractionPool } from '../../../../src/extract/runtime/pool/extraction-pool.js';
import { AutoExtractor } from '../../../../src/extract/tika/auto-extractor.js';
import { TikaServer } from '../../../../src/extract/tika/tika-server.js';
import { TikaTypes } from '../../../../src/extract/tika/tika-types.js';
import { requestFor } from '../../../support/extraction-request.js';
import { freePort } from '../../../support/program.js';
import { answerWith, ScriptedTika, tikaExtractor, type Reaction } from '../../../support/tika-server.js';

const never = new AbortController().signal;
const oneNote = Buffer.concat([Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex'), Buffer.alloc(84)]);
const program = Buffer.concat([Buffer.from('7f454c46010101', 'hex'), Buffer.alloc(64)]);
const unknown = Buffer.from('0001fffe0180ff017f9d00ff', 'hex');

const parsers = {
  children: [
    {
      name: 'o.a.t.parser.executable.ExecutableParser',
      supportedTypes: ['application/x-elf', 'application/x-sharedlib'],
    },
    { children: [{ name: 'o.a.t.OneNoteParser', supportedTypes: ['application/onenote; format=one'] }] },
    { name: 'o.a.t.parser.SpecialParser', supportedTypes: ['application/x-special'] },
  ],
};
const types = {
  'application/onenote; format=one': { supertype: 'application/onenote' },
  'application/x-very-special': { supertype: 'application/x-special' },
};

let server: ScriptedTika;
let auto: AutoExtractor;
let react: (path: string) => Reaction;

function open(url: string): void {
  const connection = new TikaServer({ url, retries: 1, firstPauseMs: 5, logger: silentLogger });
  auto = new AutoExtractor({
    embedded: new ExtractionPool({ size: 1, logger: silentLogger }),
    tika: tikaExtractor(url, { retries: 1 }),
    types: new TikaTypes(connection, url),
  });
}

beforeEach(async () => {
  react = () => answerWith('from Tika', { 'Content-Type': 'application/onenote; format=one' });
  server = new ScriptedTika(({ path }) => react(path));
  server.lists = { '/parsers/details': parsers, '/mime-types': types, '/detectors': { children: [] } };
  open(await server.start());
});

afterEach(async () => {
  await auto.close();
  await server.stop();
});

function extract(name: string, bytes: Uint8Array | string): Promise<Extraction> {
  return auto.extract(requestFor(name, bytes, { checksum: 'md5', includeSource: true }), never);
}

function paths(): string[] {
  return server.documents.map(({ path }) => path);
}

test('what is built in is never sent to the server', async () => {
  expect((await extract('a.txt', 'plain')).text.trim()).toBe('plain');
  expect(paths()).toEqual([]);
});

test('what is not built in, but known to the server, is read there; the rest is known already', async () => {
  const found = await extract('a.one', oneNote);
  expect(found).toMatchObject({
    text: 'from Tika',
    problem: undefined,
    size: 100,
    contentType: expect.stringMatching('onenote'),
  });
  expect([found.source, found.checksum?.length]).toEqual([oneNote.toString('base64'), 32]);
  expect(paths()).toEqual(['/rmeta/body']);
});

test('programs are not sent, although the server takes them: it finds no text', async () => {
  expect((await extract('a.bin', program)).problem?.reason).toBe('unsupported');
  expect(paths()).toEqual([]);
});

describe('a file of unknown type', () => {
  test.each([
    ['application/x-special', ['/detect/stream', '/rmeta/body']],
    ['application/x-very-special', ['/detect/stream', '/rmeta/body']],
    ['application/octet-stream', ['/detect/stream']],
    ['application/x-elf', ['/detect/stream']],
  ])('that the server calls %s is asked about at %j', async (type, asked) => {
    react = (path) => (path === '/detect/stream' ? (response) => response.end(type) : answerWith('from Tika'));
    const { problem, text } = await extract('a.bin', unknown);
    expect(problem?.reason ?? text).toBe(asked.length === 2 ? 'from Tika' : 'unsupported');
    expect(paths()).toEqual(asked);
  });

  test('is sent in its first bytes only', async () => {
    react = () => (response) => response.end('application/octet-stream');
    await extract('a.bin', Buffer.concat([unknown, Buffer.alloc(1_000_000)]));
    expect(server.documents[0]?.body.length).toBeLessThanOrEqual(65_536);
  });
});

test('what the server does not read either stays unsupported', async () => {
  react = () => answerWith('', { 'X-TIKA:Parsed-By': 'org.apache.tika.parser.EmptyParser' });
  expect((await extract('a.one', oneNote)).problem).toMatchObject({ reason: 'unsupported' });
});

test('the server is asked what it can do only once', async () => {
  await Promise.all([extract('a.one', oneNote), extract('b.one', oneNote)]);
  await extract('c.one', oneNote);
  expect(server.listed.filter((path) => path === '/parsers/details')).toHaveLength(1);
});

describe('while the server is away', () => {
  test('a file that needs it fails with its reason, and everything else is indexed', async () => {
    await server.stop();
    await expect(extract('a.one', oneNote)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/onenote.*tried again.*cannot be (?:used|reached)/),
    });
    expect((await extract('a.txt', 'plain')).text.trim()).toBe('plain');
    await server.start();
  });

  test('and away since the beginning, the file is read when it is back', async () => {
    await auto.close();
    const port = await freePort();
    open(`http://127.0.0.1:${port}`);
    await expect(extract('a.one', oneNote)).rejects.toMatchObject({ code: 'unsupported' });
    await server.stop();
    await server.start(port);
    expect((await extract('a.one', oneNote)).text).toBe('from Tika');
  });
});

test('the version names both', () => {
  expect(auto.version).toMatch(/^embedded-.+\+tika-/);
});
