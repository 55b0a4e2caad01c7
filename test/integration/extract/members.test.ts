import { gzipSync } from 'node:zlib';
import { basename } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import type { ExtractedMember, Extraction } from '../../../src/extract/extraction.js';
import { ExtractionPool } from '../../../src/extract/runtime/pool/extraction-pool.js';
import { requestFor } from '../../support/extraction-request.js';
import { makeTar, makeZip } from '../../support/make-archive.js';
import { sampleDocuments } from '../../support/sample-documents.js';

const pool = new ExtractionPool({ size: 2, logger: silentLogger });
afterAll(() => pool.close());

const signal = new AbortController().signal;

function extract(path: string): Promise<Extraction> {
  return pool.extract(requestFor(basename(path), { path }, { passwords: ['secret', 'geheim'] }), signal);
}

function outline({ text, members }: Extraction): [name: string, type: string, text: string][] {
  return members.map(({ name, contentType, from, to }) => [name, contentType, text.slice(from, to).trim()]);
}

/** Levels above in the path of a member: names may hold slashes, so only the depth tells how many there are. */
function expectSound(member: ExtractedMember, text: string): void {
  const { from, to, contentType, depth, metadata } = member;
  expect(from).toBeGreaterThanOrEqual(0);
  expect(to).toBeGreaterThanOrEqual(from);
  expect(to).toBeLessThanOrEqual(text.length);
  expect(contentType).toMatch(/^[\w.+-]+\/[\w.+-]+/);
  expect(metadata['Content-Type']).toEqual([contentType]);
  expect(metadata['tk:embedded_depth']).toEqual([String(depth)]);
  expect(metadata['tk:embedded_resource_path']?.[0]).toMatch(/^\//);
}

describe('the members of every sample document', () => {
  test.each(sampleDocuments())('%s', async (path) => {
    const { text, members } = await extract(path);
    for (const member of members) expectSound(member, text);
    // Members inside of a member come before it, and their text lies in its text.
    members.forEach((inner, at) => {
      if (inner.depth === 1) return;
      const outer = members.slice(at + 1).find(({ depth }) => depth === inner.depth - 1);
      expect(outer?.from).toBeLessThanOrEqual(inner.from);
      expect(outer?.to).toBeGreaterThanOrEqual(inner.to);
    });
  });
});

test('attachments of a mail are members with the metadata of their own formats', async () => {
  const extraction = await extract('examples/documents/mail/the-new-lens-is-ready.eml');
  expect(outline(extraction)).toEqual([
    ['', 'text/html; charset=UTF-8', expect.stringContaining('Dear harbour office')],
    ['invoice-2025-117.pdf', 'application/pdf', expect.stringContaining('Invoice 2025-117')],
  ]);
  expect(extraction.members[1]?.metadata).toMatchObject({
    resourceName: ['invoice-2025-117.pdf'],
    'xmpTPg:NPages': [expect.any(String)],
    'tk:Parsed-By': ['pdf'],
  });
});

test('messages of a mailbox are members with sender and subject', async () => {
  const { members } = await extract('examples/documents/mail/letters-to-the-harbour.mbox');
  expect(members.map(({ name, contentType }) => [name, contentType])).toEqual([
    ['Lighting ceremony', 'message/rfc822'],
    ['Basket of mussels', 'message/rfc822'],
    ['Verspätung der Fähre wegen Nebels', 'message/rfc822'],
  ]);
  for (const { metadata } of members) expect(metadata['dc:creator']).toHaveLength(1);
});

test('an Office document in an archive has its own title and author, the archive has not', async () => {
  const { members, metadata } = await extract('examples/documents/archive/old-log-books.zip');
  const letter = members.find(({ name }) => name === '1936/estimate.docx');
  expect(letter?.metadata['dc:title']).toHaveLength(1);
  expect(metadata).not.toHaveProperty('dc:title');
});

test('archives in archives in archives keep every level apart', async () => {
  const inner = makeZip([
    { name: 'a.txt', content: 'one' },
    { name: 'b/c.html', content: '<html><title>T</title><body>two</body></html>' },
  ]);
  const outer = makeZip([
    { name: 'middle.tgz', content: gzipSync(makeTar([{ name: 'inner.zip', content: inner }])) },
    { name: 'd.txt', content: 'three' },
  ]);
  const extraction = await pool.extract(requestFor('outer.zip', outer), signal);
  expect(extraction.members.map(({ depth, metadata }) => [depth, metadata['tk:embedded_resource_path']?.[0]])).toEqual([
    [4, '/middle.tgz/middle.tar/inner.zip/a.txt'],
    [4, '/middle.tgz/middle.tar/inner.zip/b/c.html'],
    [3, '/middle.tgz/middle.tar/inner.zip'],
    [2, '/middle.tgz/middle.tar'],
    [1, '/middle.tgz'],
    [1, '/d.txt'],
  ]);
  expect(outline(extraction)[1]?.[2]).toBe('two');
  expect(extraction.members[1]?.metadata['dc:title']).toEqual(['T']);
});
