import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import type { Extraction } from '../../../src/extract/extraction.js';
import { ExtractionPool } from '../../../src/extract/pool/extraction-pool.js';
import { AutoExtractor } from '../../../src/extract/tika/auto-extractor.js';
import type { TikaExtractor } from '../../../src/extract/tika/tika-extractor.js';
import { TikaKnowledge } from '../../../src/extract/tika/tika-knowledge.js';
import { TikaServer } from '../../../src/extract/tika/tika-server.js';
import { TikaTypes } from '../../../src/extract/tika/tika-types.js';
import { TIKA_VERSION, startTika } from '../../engines/start-tika.mjs';
import { plainOptions, requestFor } from '../../support/extraction-request.js';
import { tempDir } from '../../support/temp-dir.js';
import { describeTika, tikaExtractor } from '../../support/tika-server.js';

const never = new AbortController().signal;
const documents = 'examples/documents';
const folder = mkdtempSync(join(tempDir(), 'tika-'));

/** Words in any order. */
function words(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).sort();
}

/** The share of `wanted` that is in `found`, each word as often as it stands there. */
function share(wanted: readonly string[], found: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1);
  const hits = wanted.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
  return wanted.length === 0 ? 1 : hits.length / wanted.length;
}

/** A dBase III table with one column of text: a header, the columns, and a byte in front of each row. */
function dBase(column: string, rows: readonly string[]): Uint8Array {
  const width = 40;
  const header = Buffer.alloc(32);
  header.set([3, 125, 1, 1]);
  header.writeUInt32LE(rows.length, 4);
  header.writeUInt16LE(32 + 32 + 1, 8);
  header.writeUInt16LE(1 + width, 10);
  const field = Buffer.alloc(32);
  field.write(column, 'latin1');
  field.write('C', 11, 'latin1');
  field[16] = width;
  const body = rows.map((row) => Buffer.from(` ${row.padEnd(width)}`, 'latin1'));
  return Buffer.concat([header, field, Buffer.from([13]), ...body, Buffer.from([26])]);
}

describeTika('extraction by a Tika server', (own) => {
  let tika: TikaExtractor;
  const extract = (path: string, options = {}): Promise<Extraction> =>
    tika.extract(requestFor(basename(path), { path }, options), never);

  beforeEach(() => {
    tika = tikaExtractor(own.server.url);
  });
  afterEach(() => tika.close());

  describe('and by the embedded extractor are alike:', () => {
    let pool: ExtractionPool;
    beforeAll(() => {
      pool = new ExtractionPool({ size: 1, logger: silentLogger });
    });
    afterAll(() => pool.close());

    test.each([
      'handbook/lighthouse-keepers-handbook.pdf',
      'handbook/flag-signals.html',
      'mail/the-new-lens-is-ready.eml',
      'texts/toudai-shift-jis.txt',
      'texts/mayak-windows-1251.txt',
      'reports/2025/annual-meeting.pptx',
      'reports/2025/harbour-accounts.xlsx',
      'contracts/boat-house-lease.rtf',
      'contracts/ferry-berth-agreement.docx',
      'archive/old-log-books.zip',
      'archive/charts-2024.tar.gz',
    ])('%s has the same words, type and parts', async (name) => {
      const path = join(documents, name);
      const theirs = await extract(path);
      const ours = await pool.extract(requestFor(basename(path), { path }), never);
      expect(theirs.problem).toBeUndefined();
      expect(theirs.contentType).toBe(ours.contentType);
      expect(share(words(ours.text), words(theirs.text))).toBeGreaterThan(0.9);
      const names = ({ members }: Extraction): string[] =>
        members
          .map(({ name: each }) => basename(each))
          .filter(Boolean)
          .sort();
      expect(names(theirs)).toEqual(names(ours));
    });
  });

  test('the text of an entry stands behind its name, once, and where the member says', async () => {
    const { text, members } = await extract(join(documents, 'archive/old-log-books.zip'));
    expect(members.length).toBeGreaterThan(1);
    for (const { name, from, to } of members) {
      expect(text.split(`${name}\n`)).toHaveLength(2);
      expect(text.slice(0, from).endsWith(`${name}\n`)).toBe(true);
      expect(text.slice(from, to).trim()).not.toBe('');
    }
  });

  test.each(['rc4.xls', 'xor.xls', 'cryptoapi.xls'])('%s opens with its password, and only with it', async (name) => {
    const path = join('test/corpus/office-passwords', name);
    expect((await extract(path)).problem?.reason).toBe('encrypted');
    expect((await extract(path, { passwords: ['falsch'] })).problem?.reason).toBe('encrypted');
    const opened = await extract(path, { passwords: ['falsch', 'geheim'] });
    expect([opened.problem, opened.text.trim()]).toEqual([
      undefined,
      expect.stringContaining('opened with a password'),
    ]);
  });

  test('a name in another script arrives: it decides about the type', async () => {
    const path = join(folder, '报告.md');
    writeFileSync(path, 'nothing but the name tells what it is\n');
    expect((await extract(path)).contentType).toMatch(/^text\/markdown/);
  });

  test.each(['ocr_and_text', 'ocr_only', 'auto', 'no_ocr'] as const)(
    'the settings of recognition are understood (%s)',
    async (pdfStrategy) => {
      const ocr = { ...plainOptions.ocr, enabled: true, language: 'eng+deu', pdfStrategy };
      const { problem } = await extract(join(documents, 'reports/2025/invoice-2025-117.pdf'), { ocr });
      expect(problem).toBeUndefined();
    },
  );

  test('a damaged document is corrupt, with what was found before', async () => {
    const path = join(folder, 'half.pdf');
    writeFileSync(path, readFileSync(join(documents, 'reports/2025/annual-meeting.pptx')).subarray(0, 2_000));
    expect((await extract(path)).problem?.reason).toBe('corrupt');
  });

  test('bytes without a meaning are unsupported', async () => {
    const path = join(folder, 'noise.bin');
    writeFileSync(path, Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7_919 * (at % 251)) % 256)));
    expect((await extract(path)).problem?.reason).toBe('unsupported');
  });

  test('the limit of characters holds', async () => {
    const path = join(documents, 'handbook/lighthouse-keepers-handbook.pdf');
    const whole = await extract(path);
    const cut = await extract(path, { maxCharacters: 100 });
    expect([cut.text, cut.truncated]).toEqual([whole.text.slice(0, 100), true]);
    expect(await extract(path, { maxCharacters: 0 })).toMatchObject({ text: '', truncated: false, problem: undefined });
  });

  test('a large file is not held in memory', async () => {
    const path = join(folder, 'large.bin');
    const file = openSync(path, 'w');
    ftruncateSync(file, 300 * 1024 * 1024);
    closeSync(file);
    let most = 0;
    const before = process.memoryUsage().rss;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 10);
    const { size } = await extract(path);
    clearInterval(watch);
    expect(size).toBe(300 * 1024 * 1024);
    expect(most).toBeLessThan(150 * 1024 * 1024);
  });

  test('a format that is not built in is read by both together', async () => {
    const auto = new AutoExtractor({
      embedded: new ExtractionPool({ size: 1, logger: silentLogger }),
      tika: tikaExtractor(own.server.url),
      types: new TikaTypes(new TikaServer({ url: own.server.url, retries: 1, logger: silentLogger }), own.server.url),
    });
    const table = dBase('KEEPER', ['Ann of the lighthouse', 'Bob of the harbour']);
    const read = await auto.extract(requestFor('keepers.dbf', table, { checksum: 'md5' }), never);
    await auto.close();
    expect(read.problem).toBeUndefined();
    expect(words(read.text)).toEqual(words('KEEPER Ann of the lighthouse Bob of the harbour'));
    expect([read.contentType, read.checksum?.length]).toEqual([expect.stringMatching(/dbf/), 32]);
  });

  describe('what the server says that it can do', () => {
    let knowledge: TikaKnowledge;
    beforeAll(async () => {
      knowledge = await TikaKnowledge.ask(own.server.url);
    });

    test('has its version', () => {
      expect(knowledge.version).toBe(TIKA_VERSION);
      expect(knowledge.parsers).toBeGreaterThan(50);
      expect(knowledge.detectors).toBeGreaterThan(3);
    });

    test.each([
      ['application/vnd.ms-outlook-pst', true],
      ['application/onenote; format=one', true],
      ['application/vnd.ms-htmlhelp', true],
      ['application/x-msaccess', true],
      ['application/x-mspublisher', true],
      ['application/vnd.visio', true],
      ['application/vnd.wordperfect; version=6.x', true],
      ['application/x-hwp-v5', true],
      ['image/vnd.dwg', true],
      ['application/x-rar-compressed; version=5', true],
      ['application/vnd.ms-works', true],
      ['application/x-elf', false],
      ['video/x-msvideo', false],
      ['application/x-msdownload', false],
      ['application/x-dosexec', false],
      ['application/x-sqlite3', false],
      ['application/octet-stream', false],
    ])('%s: %p', (type, known) => {
      expect(knowledge.knows(type)).toBe(known);
    });
  });
});

describeTika(
  'an outage of a Tika server',
  (own) => {
    const path = join(documents, 'contracts/ferry-berth-agreement.docx');
    const settings = { retries: 20, firstPauseMs: 200, concurrency: 3 };
    let tika: TikaExtractor | undefined;
    afterEach(() => tika?.close());

    /** Extracts the same document many times, and does something in the middle. */
    async function extractAround(event: () => Promise<void>): Promise<(string | undefined)[]> {
      tika = tikaExtractor(own.server.url, settings);
      let done = 0;
      const from = tika;
      const all = Array.from({ length: 60 }, async (_, at) => {
        const { problem, text } = await from.extract(requestFor(`${at}.docx`, { path }), never);
        done += 1;
        return problem?.reason ?? (text === '' ? 'empty' : undefined);
      });
      while (done < 10) await delay(5);
      await event();
      return await Promise.all(all);
    }

    test('by a kill of the whole server costs no document', async () => {
      const outcomes = await extractAround(async () => {
        const { port } = own.server;
        await own.server.kill();
        own.server = await startTika({ port, watched: true, heapMb: 512 });
      });
      expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([]);
    });

    test('by a death of the process that its watchdog starts again costs no document', async () => {
      const outcomes = await extractAround(() => {
        const worker = own.server.pids().at(-1);
        if (worker !== undefined) process.kill(worker, 'SIGKILL');
        return Promise.resolve();
      });
      expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([]);
    });

    test('by a standstill is no fault of the document', async () => {
      tika = tikaExtractor(own.server.url, { retries: 1, timeoutMs: 500 });
      own.server.pause();
      try {
        await expect(tika.extract(requestFor('a.docx', { path }), never)).rejects.toMatchObject({
          code: 'unavailable',
        });
      } finally {
        own.server.resume();
      }
      expect(
        (await tikaExtractor(own.server.url).extract(requestFor('a.docx', { path }), never)).problem,
      ).toBeUndefined();
    });
  },
  { watched: true },
);
