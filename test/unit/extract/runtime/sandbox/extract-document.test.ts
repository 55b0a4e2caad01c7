import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CrawlerError, type ErrorCode } from '../../../../../src/base/errors.js';
import type { FormatContext, FormatExtractor } from '../../../../../src/extract/format.js';
import { defaultLimits } from '../../../../../src/extract/limits.js';
import { extractDocument } from '../../../../../src/extract/runtime/sandbox/extract-document.js';
import { extractInProcess } from '../../../../support/extract-in-process.js';
import { requestFor } from '../../../../support/extraction-request.js';
import { makeZip } from '../../../../support/make-archive.js';
import { tempDir } from '../../../../support/temp-dir.js';

/** The memory of this process is that of all tests before. */
const ownLimits = { ...defaultLimits.document, memoryBytes: Number.POSITIVE_INFINITY };

const folder = tempDir();
const TEXT = 'This file contains some words.\n';

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('a document', () => {
  test('comes back with its text, its type and what Tika says of it', async () => {
    const extraction = await extractInProcess('test.txt', { path: file('test.txt', TEXT) });
    expect(extraction).toMatchObject({
      contentType: 'text/plain; charset=ISO-8859-1',
      truncated: false,
      size: 31,
      problem: undefined,
      warnings: [],
      members: [],
      metadata: {
        'Content-Encoding': ['ISO-8859-1'],
        'Content-Length': ['31'],
        'Content-Type': ['text/plain; charset=ISO-8859-1'],
        resourceName: ['test.txt'],
        'tk:Parsed-By': ['text'],
        'tk:Parsed-By-Full-Set': ['text'],
        'tk:detectedEncoding': ['ISO-8859-1'],
        'tk:encodingDetector': ['UniversalEncodingDetector'],
      },
    });
    expect(extraction.text.trim()).toBe(TEXT.trim());
  });

  test.each([
    ['empty.txt', 'text/plain'],
    ['empty.pdf', 'application/pdf'],
    ['empty', 'application/octet-stream'],
  ])('without bytes (%s) has no text and the type of its name', async (name, contentType) => {
    const extraction = await extractInProcess(name, '');
    expect(extraction).toMatchObject({ text: '', contentType, problem: undefined, size: 0, truncated: false });
  });

  test('of an unknown binary format has metadata and the reason why there is no text', async () => {
    const extraction = await extractInProcess('blob.bin', Buffer.from([0, 1, 2, 3, 254, 255, 0, 0]));
    expect(extraction).toMatchObject({ text: '', contentType: 'application/octet-stream', size: 8 });
    expect(extraction.problem?.reason).toBe('unsupported');
    expect(extraction.metadata['resourceName']).toEqual(['blob.bin']);
  });

  test.each([
    [10, 'This file ', true],
    [29, TEXT.slice(0, 29), true],
    [30, TEXT.trim(), false],
    [31, TEXT, false],
    [-1, `${TEXT}\n`, false],
    [0, '', false],
  ])('is cut after exactly %i characters', async (maxCharacters, text, truncated) => {
    const extraction = await extractInProcess('test.txt', TEXT, { maxCharacters });
    expect(extraction).toMatchObject({ text, truncated, problem: undefined });
  });

  test('gives its checksum and its bytes even when no text is wanted', async () => {
    const extraction = await extractInProcess('test.txt', TEXT, {
      maxCharacters: 0,
      checksum: 'sha256',
      includeSource: true,
    });
    expect(extraction).toMatchObject({
      text: '',
      checksum: createHash('sha256').update(TEXT).digest('hex'),
      source: Buffer.from(TEXT).toString('base64'),
    });
  });

  test('that is larger than one block has the checksum of all its bytes', async () => {
    const bytes = Buffer.alloc(3_000_001, 'line of text\n');
    const path = file('large.txt', bytes);
    const extraction = await extractInProcess('large.txt', { path }, { maxCharacters: 100, checksum: 'md5' });
    expect(extraction.checksum).toBe(createHash('md5').update(bytes).digest('hex'));
    expect(extraction).toMatchObject({ truncated: true, size: 3_000_001 });
  });

  test('has no character that is a control or no character at all', async () => {
    const { text } = await extractInProcess('odd.txt', `a\0b\x07c\x1bd\ufffee\tf\r\ng ${'plain text '.repeat(50)}`);
    expect(text.startsWith('a b c d e\tf\r\ng plain')).toBe(true);
  });

  test('is asked for its language only when that is wanted', async () => {
    const french = 'Ce fichier contient quelques mots.';
    expect((await extractInProcess('a.txt', french)).language).toBeUndefined();
    expect((await extractInProcess('a.txt', french, { detectLanguage: true })).language).toBe('fr');
  });
});

describe('a path', () => {
  test.each([
    ['that does not exist', join(folder, 'nothing.txt'), 'not_found'],
    ['below a file', join(file('plain.txt', 'x'), 'below'), 'not_found'],
    ['that is a folder', folder, 'denied'],
  ])('%s cannot be opened', async (_what, path, code) => {
    await expect(extractInProcess('x', { path })).rejects.toMatchObject({ code });
  });

  test('that is a FIFO is refused and not waited for', async () => {
    const path = join(folder, 'fifo');
    execFileSync('mkfifo', [path]);
    await expect(extractInProcess('fifo', { path })).rejects.toMatchObject({ code: 'denied' });
  });

  test('without permission is denied', async () => {
    const path = file('secret.txt', 'x');
    chmodSync(path, 0);
    const isRoot = process.getuid?.() === 0;
    // Root may read everything: for this one file the test is somebody else.
    if (isRoot) process.seteuid?.(65_534);
    try {
      await expect(extractInProcess('secret.txt', { path })).rejects.toMatchObject({ code: 'denied' });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test('that is no valid UTF-8 is opened by its bytes', async () => {
    const path = Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]);
    writeFileSync(path, TEXT);
    const extraction = await extractInProcess('caf\ufffd.txt', { path: new Uint8Array(path) });
    expect(extraction.text.trim()).toBe(TEXT.trim());
  });
});

describe('a large file', () => {
  test('of text is read only as far as its text is wanted', async () => {
    const path = file('huge.log', Buffer.alloc(1024 * 1024, 'one line of a log\n'));
    truncateSync(path, 5 * 1024 ** 3);
    const before = process.memoryUsage().arrayBuffers;
    const extraction = await extractInProcess('huge.log', { path }, { maxCharacters: 100_000 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 ** 2);
    expect(extraction).toMatchObject({ truncated: true, size: 5 * 1024 ** 3, problem: undefined });
    expect(extraction.text).toHaveLength(100_000);
  });

  test('of text without limit gives as much as is allowed, and says that there is more', async () => {
    const path = file('long.txt', Buffer.alloc(50_000, 'word '));
    const extraction = await extractInProcess(
      'long.txt',
      { path },
      {},
      { outputCharacters: 10_000, fileBytes: 20_000 },
    );
    expect(extraction).toMatchObject({ truncated: true, problem: { reason: 'too_large' } });
    expect(extraction.text).toHaveLength(10_000);
  });

  test('of a format that needs all bytes has its type, its checksum and the reason', async () => {
    const zip = makeZip([{ name: 'a.txt', content: TEXT.repeat(100) }]);
    const extraction = await extractInProcess('a.zip', zip, { checksum: 'md5' }, { fileBytes: 100 });
    expect(extraction).toMatchObject({ text: '', contentType: 'application/zip', problem: { reason: 'too_large' } });
    expect(extraction.checksum).toMatch(/^[0-9a-f]{32}$/);
  });

  test('of markup is read from the front', async () => {
    const page = `<html><body>${'<p>word</p>'.repeat(1_000)}`;
    const extraction = await extractInProcess('page.html', page, {}, { fileBytes: 2_000 });
    expect(extraction.problem?.reason).toBe('too_large');
    expect(extraction.text.match(/word/g)?.length).toBeGreaterThan(150);
  });

  test('is not returned as source', async () => {
    const extraction = await extractInProcess('a.txt', TEXT, { includeSource: true }, { sourceBytes: 10 });
    expect(extraction.source).toBeUndefined();
    expect(extraction.warnings).toHaveLength(1);
  });
});

describe('a format', () => {
  async function withFormat(extract: (context: FormatContext, bytes: Uint8Array) => Promise<void> | void) {
    const extractor: FormatExtractor = { extract: (input, context) => extract(context, input.bytes) };
    const format = { name: 'made-up', needs: 'whole' as const, load: () => Promise.resolve(extractor) };
    return extractDocument(requestFor('a.txt', 'some text'), {
      limits: { ...ownLimits, unpackedBytes: 1_000_000, entryBytes: 400_000, parts: 10, depth: 3 },
      findFormat: (type) => (type === 'text/plain' ? format : undefined),
      flush: () => undefined,
    });
  }

  test.each<[ErrorCode, string]>([
    ['encrypted', 'encrypted'],
    ['corrupt', 'corrupt'],
    ['too_large', 'too_large'],
    ['unsupported', 'unsupported'],
    ['unavailable', 'corrupt'],
  ])('that throws %s ends its document with the reason %s and keeps what it has written', async (code, reason) => {
    const extraction = await withFormat((context) => {
      context.write('before');
      throw new CrawlerError(code, 'A sentence.');
    });
    expect(extraction.text).toBe('before');
    expect(extraction.problem?.reason).toBe(reason);
    expect(extraction.problem?.message).toContain('A sentence.');
  });

  test('that fails in a way of its own means a damaged document, said in one short line', async () => {
    const extraction = await withFormat(() => {
      throw new TypeError(`Cannot read properties of undefined\n    at somewhere${'x'.repeat(1_000)}`);
    });
    expect(extraction.problem).toEqual({
      reason: 'corrupt',
      message: 'The content could not be read: Cannot read properties of undefined',
    });
  });

  test('adds and replaces metadata; dates are in UTC and seconds, empty values are dropped', async () => {
    const { metadata } = await withFormat((context) => {
      context.meta('dc:creator', 'A');
      context.meta('dc:creator', 'B');
      context.meta('dcterms:created', new Date('2026-01-02T03:04:05.678Z'));
      context.meta('xmpTPg:NPages', 3);
      context.meta('dc:title', '');
      context.meta('dc:subject', undefined);
      context.setMeta('dc:type', 'old');
      context.setMeta('dc:type', 'new');
    });
    expect(metadata).toMatchObject({
      'dc:creator': ['A', 'B'],
      'dcterms:created': ['2026-01-02T03:04:05Z'],
      'xmpTPg:NPages': ['3'],
      'dc:type': ['new'],
    });
    expect(Object.keys(metadata)).not.toContain('dc:title');
  });

  test('that unpacks more than is allowed is stopped', async () => {
    const extraction = await withFormat(async (context) => {
      for (let part = 0; ; part++) {
        context.countBytes(300_000);
        await context.embedded({ name: `${part}.bin`, bytes: new Uint8Array([0, 1]) });
      }
    });
    expect(extraction.problem?.reason).toBe('too_large');
    expect(extraction.members).toHaveLength(3);
  });

  test('that unpacks one part larger than is allowed is stopped', async () => {
    const extraction = await withFormat((context) => context.countBytes(400_001));
    expect(extraction.problem?.reason).toBe('too_large');
  });

  test('that finds more parts than are allowed is stopped', async () => {
    const extraction = await withFormat(async (context) => {
      for (let part = 0; ; part++) await context.embedded({ name: `${part}.bin`, bytes: new Uint8Array([0]) });
    });
    expect(extraction.problem?.reason).toBe('too_large');
    expect(extraction.members).toHaveLength(10);
  });

  test('that embeds itself for ever ends at the depth that is allowed', async () => {
    const extraction = await withFormat((context, bytes) => context.embedded({ name: 'again.txt', bytes }));
    expect(extraction.problem?.reason).toBe('too_large');
    expect(extraction.members.map(({ depth }) => depth)).toEqual([3, 2, 1]);
  });

  test('that hands its document on to itself for ever is stopped', async () => {
    const extraction = await withFormat((context, bytes) => context.continueAs(bytes, 'text/plain'));
    expect(extraction.problem?.reason).toMatch(/too_large|corrupt/);
  });

  test('may hand its document on once: that text and metadata become the document', async () => {
    const extraction = await extractDocument(requestFor('a.txt', 'wrapped'), {
      limits: ownLimits,
      findFormat: (type) => {
        const extract: FormatExtractor['extract'] =
          type === 'text/plain'
            ? (_input, context) => context.continueAs(Buffer.from('inner'), 'made/up')
            : (input, context) => context.write(Buffer.from(input.bytes).toString());
        return { name: type, needs: 'whole', load: () => Promise.resolve({ extract }) };
      },
      flush: () => undefined,
    });
    expect(extraction).toMatchObject({ text: 'inner', contentType: 'made/up', problem: undefined });
    expect(extraction.metadata['tk:Parsed-By']).toEqual(['text/plain', 'made/up']);
  });
});
