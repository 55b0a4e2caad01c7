import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import type { Extraction } from '../../../src/extract/extraction.js';
import { defaultLimits } from '../../../src/extract/limits.js';
import { ExtractionPool } from '../../../src/extract/runtime/pool/extraction-pool.js';
import { archiveOf } from '../../support/archive-corpus.js';
import { requestFor } from '../../support/extraction-request.js';
import { makeTar, makeZip, pack } from '../../support/make-archive.js';
import { docx, wordParagraph, xlsx } from '../../support/ooxml-builder.js';

/**
 * Documents that are small and cost much. (Archives in the usual ways: test/unit/extract/formats/archive/bombs.test.ts.) Each must end
 * by itself, with a reason or with little text, long before the process would have to be ended.
 */
const MIB = 1024 * 1024;
const LONGEST_MS = 20_000;

const pool = new ExtractionPool({
  size: 1,
  logger: silentLogger,
  limits: {
    document: { ...defaultLimits.document, memoryBytes: 900 * MIB },
    worker: { ...defaultLimits.worker, documentMs: LONGEST_MS, memoryBytes: 900 * MIB },
  },
});
afterAll(() => pool.close());

function extract(name: string, bytes: Uint8Array | string, maxCharacters = -1): Promise<Extraction> {
  return pool.extract(requestFor(name, bytes, { maxCharacters }), new AbortController().signal);
}

const xzStream = archiveOf('zeros-4-mb.xz');
const manyXz = Buffer.concat(Array.from({ length: 30 }, () => xzStream));

describe('unpacks to too much', () => {
  test.each([
    ['an xz of 120 MB', 'zeros.xz', manyXz],
    ['a 7z of 40 MB (LZMA2)', 'zeros.7z', archiveOf('zeros-40-mb-lzma2.7z')],
    ['a 7z of 100 MB (bzip2)', 'zeros.7z', archiveOf('zeros-100-mb-bzip2.7z')],
    ['a 7z of 40 MB (deflate)', 'zeros.7z', archiveOf('zeros-40-mb-deflate.7z')],
    ['a 7z in a zip', 'outer.zip', makeZip([{ name: 'zeros.7z', content: archiveOf('zeros-40-mb-lzma2.7z') }])],
    ['an xz in a gzip in a tar', 'outer.tar', makeTar([{ name: 'a.xz.gz', content: gzipSync(manyXz) }])],
    [
      'a Word document of 64 MB',
      'a.docx',
      replacing(docx({ body: wordParagraph('word') }), 'word/document.xml', Buffer.alloc(64 * MIB, ' ')),
    ],
    [
      'a workbook of 64 MB',
      'a.xlsx',
      replacing(xlsx({ sheets: [] }), 'xl/sharedStrings.xml', Buffer.alloc(64 * MIB, ' ')),
    ],
  ])('%s', async (_what, name, bytes) => {
    const { problem } = await extract(name, bytes);
    expect(problem).toMatchObject({ reason: 'too_large', message: expect.stringContaining('unpacks to more than') });
  });

  test('what was unpacked before is kept', async () => {
    const archive = makeTar([
      { name: 'before.txt', content: 'the words before' },
      { name: 'zeros.xz', content: manyXz },
      { name: 'after.txt', content: 'the words after' },
    ]);
    const { text, members, problem } = await extract('a.tar', archive);
    expect(problem?.reason).toBe('too_large');
    expect(text).toContain('the words before');
    expect(members.map(({ name }) => name)).toContain('before.txt');
  });
});

/** An office package with one more entry, which stands for the one of that name. */
function replacing(document: Uint8Array, name: string, content: Buffer): Buffer {
  const start = Buffer.from(document);
  const packed = pack({ name, content });
  const directoryAt = start.readUInt32LE(start.lastIndexOf('PK\x05\x06') + 16);
  const addition = makeZip([packed]);
  const additionDirectoryAt = addition.readUInt32LE(addition.lastIndexOf('PK\x05\x06') + 16);
  const entries = start.subarray(directoryAt, start.lastIndexOf('PK\x05\x06'));
  const own = Buffer.from(addition.subarray(additionDirectoryAt, addition.lastIndexOf('PK\x05\x06')));
  own.writeUInt32LE(directoryAt, 42);
  const end = Buffer.from(start.subarray(start.lastIndexOf('PK\x05\x06')));
  end.writeUInt16LE(end.readUInt16LE(8) + 1, 8);
  end.writeUInt16LE(end.readUInt16LE(10) + 1, 10);
  const directory = Buffer.concat([own, entries]);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(directoryAt + additionDirectoryAt, 16);
  return Buffer.concat([start.subarray(0, directoryAt), addition.subarray(0, additionDirectoryAt), directory, end]);
}

const entities = Array.from({ length: 30 }, (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`);
const billionLaughs = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "laugh">${entities.join('')}]><a>&e30; end</a>`;
const quadratic = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "${'x'.repeat(100_000)}">]><a>${'&e;'.repeat(100_000)} end</a>`;

describe('says too much of itself', () => {
  test.each([
    ['billion laughs', 'a.xml', billionLaughs],
    ['quadratic blow-up', 'a.xml', quadratic],
    ['billion laughs in an SVG', 'a.svg', billionLaughs.replaceAll('<a>', '<svg xmlns="http://www.w3.org/2000/svg">')],
    ['billion laughs in a web page', 'a.xhtml', billionLaughs.replaceAll('<a>', '<html><body>')],
  ])('%s: entities are not expanded', async (_what, name, text) => {
    const extraction = await extract(name, text);
    expect(extraction.text.length).toBeLessThan(text.length * 2);
    expect(extraction.problem?.reason).not.toBe('timed_out');
  });

  test.each([
    ['100,000 open elements', 'a.xml', '<a>'.repeat(100_000)],
    ['100,000 open elements of a web page', 'a.html', '<div>'.repeat(100_000)],
    ['100,000 open groups of RTF', 'a.rtf', `{\\rtf1 ${'{'.repeat(100_000)}`],
    ['100,000 open brackets of JSON', 'a.json', '['.repeat(100_000)],
    ['one line of 20 MB', 'a.txt', 'word '.repeat(4 * MIB)],
    ['one element name of 5 MB', 'a.xml', `<${'a'.repeat(5 * MIB)}>`],
    ['a mail with 5,000 nested parts', 'a.eml', nestedMail(5_000)],
    ['a table of 1,000,000 cells', 'a.csv', `${'1,'.repeat(1_000)}\n`.repeat(1_000)],
  ])('%s comes to an end', async (_what, name, text) => {
    const { problem } = await extract(name, text);
    expect(['timed_out', 'crashed', 'internal']).not.toContain(problem?.reason);
  });

  test('a PDF whose tree of pages leads back to its root comes to an end', async () => {
    const { problem } = await extract('loop.pdf', pdf('[2 0 R 3 0 R]', 2_000_000));
    expect(['timed_out', 'crashed']).not.toContain(problem?.reason);
  });

  test('a PDF that shows one page 200,000 times gives no more text than is wanted, and soon', async () => {
    const { text, truncated } = await extract('many.pdf', pdf(`[${'3 0 R '.repeat(200_000)}]`, 200_000), 10_000);
    expect(text).toHaveLength(10_000);
    expect(truncated).toBe(true);
  });

  test('a PDF whose page unpacks to 300 MB ends in time', async () => {
    const content = deflateSync(Buffer.alloc(300 * MIB, '% nothing\n'));
    const { problem } = await extract('page.pdf', pdf('[3 0 R]', 1, content));
    expect(['timed_out', 'crashed']).not.toContain(problem?.reason);
  });
});

function nestedMail(depth: number): string {
  const part = (level: number): string => `Content-Type: multipart/mixed; boundary="b${level}"\n\n--b${level}\n`;
  return `From: a@example.com\nSubject: nested\n${Array.from({ length: depth }, (_, level) => part(level)).join('')}`;
}

/** A PDF of two objects for the pages: the tree, whose children are given, and a page with words. */
function pdf(kids: string, count: number, packed?: Buffer): Buffer {
  const words = Buffer.from('BT /F 12 Tf 20 100 Td (the same words again and again) Tj ET');
  const content = packed ?? words;
  const filter = packed === undefined ? '' : ' /Filter /FlateDecode';
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Count ${count} /Kids ${kids} >>`),
    Buffer.from(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    ),
    Buffer.concat([
      Buffer.from(`<< /Length ${content.length}${filter} >>\nstream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
  ];
  let file = Buffer.from('%PDF-1.4\n');
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(file.length);
    file = Buffer.concat([file, Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `xref\n0 6\n0000000000 65535 f \n${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.concat([file, Buffer.from(trailer)]);
}
