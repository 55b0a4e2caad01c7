import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Extraction, ExtractionRequest, ExtractorService } from '../../../src/extract/extraction.js';
import { SharedExtraction } from '../../../src/extract/shared-extraction.js';
import { plainOptions } from '../../support/extraction-request.js';

const { signal } = new AbortController();

let directory: string;
let extracted: string[];
let answer: Partial<Extraction>;
let hold: Promise<void>;
let service: SharedExtraction;

/** The text of a document is its name when it was extracted. */
const extractor: ExtractorService = {
  version: '1',
  concurrency: 2,
  async extract({ name }) {
    extracted.push(name);
    await hold;
    return {
      text: `text of ${name}`,
      truncated: false,
      contentType: 'text/plain',
      metadata: { resourceName: [name], 'dc:title': ['a title'] },
      language: undefined,
      checksum: undefined,
      source: undefined,
      size: 10,
      members: [],
      warnings: [],
      problem: undefined,
      ...answer,
    };
  },
  activity: () => ({ current: [], waiting: 0, slowest: [] }),
  close: () => Promise.resolve(),
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'shared-'));
  extracted = [];
  answer = {};
  hold = Promise.resolve();
  service = new SharedExtraction(extractor, { leastBytes: 5, mostBytes: 100, characters: 10_000 });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, content: string): ExtractionRequest {
  const path = join(directory, name);
  writeFileSync(path, content);
  return { name, size: content.length, content: { kind: 'path', path }, options: plainOptions };
}

async function textOf(request: ExtractionRequest): Promise<string> {
  return (await service.extract(request, signal)).text;
}

describe('a copy', () => {
  test('has the extraction of the first file, under its own name', async () => {
    await service.extract(file('a.txt', '0123456789'), signal);
    const copy = await service.extract(file('b.txt', '0123456789'), signal);
    expect(extracted).toEqual(['a.txt']);
    expect(copy.text).toBe('text of a.txt');
    expect(copy.metadata).toEqual({ resourceName: ['b.txt'], 'dc:title': ['a title'] });
  });

  test('that comes while the first is under way waits for it', async () => {
    let release: () => void = () => undefined;
    hold = new Promise((resolve) => (release = resolve));
    const all = ['a.txt', 'b.txt', 'c.txt'].map((name) => service.extract(file(name, '0123456789'), signal));
    await new Promise((resolve) => setTimeout(resolve, 50));
    release();
    await Promise.all(all);
    expect(new Set(extracted).size).toBe(extracted.length);
    expect(extracted.length).toBeLessThan(3);
  });
});

describe('is extracted by itself', () => {
  test.each<[string, string, string]>([
    ['a file of the same size with other bytes', 'b.txt', '9876543210'],
    ['a copy under another extension', 'b.pdf', '0123456789'],
  ])('%s', async (_, name, content) => {
    await service.extract(file('a.txt', '0123456789'), signal);
    expect(await textOf(file(name, content))).toBe(`text of ${name}`);
  });

  test('a copy that is asked for with other options', async () => {
    await service.extract(file('a.txt', '0123456789'), signal);
    const request = file('b.txt', '0123456789');
    expect(await textOf({ ...request, options: { ...plainOptions, maxCharacters: 7 } })).toBe('text of b.txt');
  });

  test('a copy of what the first file has become since', async () => {
    const first = file('a.txt', '0123456789');
    await service.extract(first, signal);
    file('a.txt', 'abcdefghij');
    utimesSync(join(directory, 'a.txt'), new Date(1), new Date(1));
    expect(await textOf(file('b.txt', 'abcdefghij'))).toBe('text of b.txt');
  });

  test('a copy of a file that is gone', async () => {
    await service.extract(file('a.txt', '0123456789'), signal);
    rmSync(join(directory, 'a.txt'));
    expect(await textOf(file('b.txt', '0123456789'))).toBe('text of b.txt');
  });

  test.each<[string, Partial<Extraction>]>([
    ['had a problem', { problem: { reason: 'crashed', message: 'a.txt' } }],
    ['had a warning', { warnings: ['a part of a.txt is missing'] }],
  ])('a copy of a file that %s', async (_, changes) => {
    answer = changes;
    await service.extract(file('a.txt', '0123456789'), signal);
    expect(await textOf(file('b.txt', '0123456789'))).toBe('text of b.txt');
  });

  test.each([
    ['small', '1234'],
    ['large', 'x'.repeat(101)],
  ])('a copy of a %s file, where comparing would cost more', async (_, content) => {
    await service.extract(file('a.txt', content), signal);
    expect(await textOf(file('b.txt', content))).toBe('text of b.txt');
  });

  test('a copy of what was forgotten to make room', async () => {
    await service.extract(file('a.txt', '0123456789'), signal);
    for (let at = 0; at < 6; at += 1) await service.extract(file(`${at}.txt`, 'x'.repeat(20 + at)), signal);
    expect(await textOf(file('b.txt', '0123456789'))).toBe('text of b.txt');
  });
});
