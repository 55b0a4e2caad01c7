import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import type { ExtractionOptions } from '../../../src/extract/extraction.js';
import { defaultLimits } from '../../../src/extract/limits.js';
import { ExtractionPool } from '../../../src/extract/runtime/pool/extraction-pool.js';
import { MOST_BYTES, SmallTexts } from '../../../src/extract/small-texts.js';
import { requestFor } from '../../support/extraction-request.js';
import { tempDir } from '../../support/temp-dir.js';

const folder = tempDir();
const texts = new SmallTexts(defaultLimits.document);
const pool = new ExtractionPool({ size: 1, logger: silentLogger });
afterAll(() => pool.close());

function fileOf(name: string, content: string | Uint8Array): { readonly path: string } {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { path };
}

const rows = (delimiter: string): string =>
  Array.from({ length: 12 }, (_, at) => ['keeper', at, 'wicks'].join(delimiter)).join('\n');

describe('a small text', () => {
  test.each<[string, string | Uint8Array]>([
    ['note.txt', 'The lighthouse at the harbour.\n'],
    ['empty.txt', ''],
    ['windows.txt', 'one\r\ntwo\r\n'],
    ['marked.txt', '\ufeffmarked, and übergroß'],
    ['letters.md', '# Überschrift\n\nGrüße aus 長崎\n'],
    ['README', 'no ending'],
    ['keeper.py', 'def keeper():\n    return "wicks"\n'],
    ['script', '#!/bin/sh\necho wicks\n'],
    ['table.csv', rows(',')],
    ['table.txt', rows('|')],
    ['settings.json', '{"caf\\u00e9": 1}'],
    ['settings.yaml', 'url: /tmp\n'],
    ['log.log', '2026-01-01 12:00:00 started\n'.repeat(500)],
  ])('%s is what a process makes of it', async (name, content) => {
    const request = requestFor(name, fileOf(name, content));
    const extraction = await texts.extract(request);
    expect(extraction).toBeDefined();
    expect(extraction).toEqual(await pool.extract(request, new AbortController().signal));
  });

  test.each<[string, Partial<ExtractionOptions>]>([
    ['is cut as a process cuts it', { maxCharacters: 10 }],
    ['has the digest that a process gives it', { checksum: 'sha256' }],
  ])('%s', async (_what, options) => {
    const request = requestFor('note.txt', fileOf('note.txt', 'The lighthouse at the harbour.\n'), options);
    expect(await texts.extract(request)).toEqual(await pool.extract(request, new AbortController().signal));
  });
});

describe('for a process is', () => {
  test.each<[string, string | Uint8Array]>([
    ['page.txt', '<html><body>markup</body></html>'],
    ['later.txt', `\n\n  <!DOCTYPE html><title>markup</title>`],
    ['mail.txt', 'From: a@example.com\nSubject: wicks\n\nText\n'],
    ['latin.txt', Buffer.from('fa\u00e7ade', 'latin1')],
    ['wide.txt', Buffer.from('\ufeffwide', 'utf16le')],
    ['shifted.txt', '\u001b$B%F%9%H\u001b(B'],
    ['tilde.txt', 'This is ~{<:Ky2;S{#NpJ)l6HK!#~}'],
    ['zero.txt', 'a\0b'],
    ['picture.txt', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['document.txt', '%PDF-1.4\n1 0 obj\n'],
    ['long.txt', 'a'.repeat(MOST_BYTES + 1)],
  ])('%s', async (name, content) => {
    expect(await texts.extract(requestFor(name, fileOf(name, content)))).toBeUndefined();
  });

  test('what cannot be read as a file', async () => {
    mkdirSync(join(folder, 'folder.txt'));
    for (const name of ['missing.txt', 'folder.txt'])
      expect(await texts.extract(requestFor(name, { path: join(folder, name) }))).toBeUndefined();
  });

  test('what cannot be extracted, whatever the reason', async () => {
    const request = requestFor('note.txt', fileOf('note.txt', 'The lighthouse.'), { checksum: 'no-such-digest' });
    expect(await texts.extract(request)).toBeUndefined();
  });

  test('what has the name of another format, or is too large', () => {
    expect(['a.txt', 'README', 'a.pdf', 'a.docx', 'a.html', 'a.zip'].map((name) => texts.mayTake(name, 10))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(texts.mayTake('a.txt', MOST_BYTES + 1)).toBe(false);
  });
});
