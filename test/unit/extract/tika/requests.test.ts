import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { OcrOptions } from '../../../../src/extract/extraction.js';
import type { TikaExtractor } from '../../../../src/extract/tika/tika-extractor.js';
import { plainOptions, requestFor } from '../../../support/extraction-request.js';
import { tempDir } from '../../../support/temp-dir.js';
import {
  answerWith,
  ScriptedTika,
  tikaExtractor,
  type Reaction,
  type TikaRequestSeen,
  type TikaSettings,
} from '../../../support/tika-server.js';

const never = new AbortController().signal;
const folder = mkdtempSync(join(tempDir(), 'tika-'));
let server: ScriptedTika;
let tika: TikaExtractor;

afterEach(async () => {
  await tika.close();
  await server.stop();
});

async function open(react: (request: TikaRequestSeen) => Reaction, settings: TikaSettings = {}): Promise<void> {
  server = new ScriptedTika(react);
  tika = tikaExtractor(await server.start(), settings);
}

async function headersFor(name: string, ocr: Partial<OcrOptions> = {}): Promise<TikaRequestSeen['headers']> {
  await open(() => answerWith('x'));
  await tika.extract(requestFor(name, 'x', { ocr: { ...plainOptions.ocr, ...ocr } }), never);
  return server.documents[0]?.headers ?? {};
}

describe('a request', () => {
  test.each([
    ['report.pdf', "attachment; filename*=UTF-8''report.pdf"],
    ['中文 名.txt', "attachment; filename*=UTF-8''%E4%B8%AD%E6%96%87%20%E5%90%8D.txt"],
    [`it's "(1)*".txt`, "attachment; filename*=UTF-8''it%27s%20%22%281%29%2A%22.txt"],
    ['broken\ud800.txt', "attachment; filename*=UTF-8''broken%EF%BF%BD.txt"],
  ])('names %s so that the name arrives', async (name, disposition) => {
    expect((await headersFor(name))['content-disposition']).toBe(disposition);
  });

  test('switches recognition off when the job does', async () => {
    expect(await headersFor('a', { enabled: false })).toMatchObject({
      'x-tika-ocrskipocr': 'true',
      'x-tika-pdfocrstrategy': 'no_ocr',
    });
  });

  test.each([
    ['ocr_and_text', 'ocr_and_text_extraction'],
    ['ocr_only', 'ocr_only'],
    ['auto', 'auto'],
    ['no_ocr', 'no_ocr'],
  ] as const)('tells the settings of recognition, with the strategy %s as %s', async (pdfStrategy, told) => {
    const ocr = {
      enabled: true,
      language: 'eng+fra',
      pageSegMode: 6,
      outputType: 'hocr',
      pageTimeoutMs: 90_000,
      pdfStrategy,
    } as const;
    expect(await headersFor('a', { ...ocr, preserveInterwordSpacing: true })).toMatchObject({
      'x-tika-ocrlanguage': 'eng+fra',
      'x-tika-ocrpagesegmode': '6',
      'x-tika-ocroutputtype': 'hocr',
      'x-tika-ocrtimeoutseconds': '90',
      'x-tika-ocrpreserveinterwordspacing': 'true',
      'x-tika-pdfocrstrategy': told,
    });
  });

  test('keeps the path and the credentials of the address', async () => {
    await open(() => answerWith('x'));
    const { host } = new URL(server.url);
    const behindProxy = tikaExtractor(`http://me:p%40ss@${host}/tika-service/`);
    await behindProxy.extract(requestFor('a', 'x'), never);
    const [{ path, headers } = { path: '', headers: {} }] = server.documents;
    expect(path).toBe('/tika-service/rmeta/body');
    expect(headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    await behindProxy.close();
  });
});

describe('passwords', () => {
  const encrypted = {
    'X-TIKA:EXCEPTION:container_exception': 'org.apache.tika.exception.EncryptedDocumentException: x',
  };
  const locked = (right: string) => {
    return ({ headers }: TikaRequestSeen): Reaction => {
      const base64 = headers['password_base64_utf-8'];
      const given = typeof base64 === 'string' ? Buffer.from(base64, 'base64').toString() : headers['password'];
      return given === right ? answerWith('open') : answerWith('', encrypted);
    };
  };

  test.each(['secret', 'with blank ', 'pässwörd', '密码', 'a\nb'])(
    'reach the server as they are: %j',
    async (password) => {
      await open(locked(password));
      const passwords = ['wrong', password, 'not tried'];
      expect(await tika.extract(requestFor('a', 'x', { passwords }), never)).toMatchObject({ text: 'open' });
      expect(server.documents).toHaveLength(3);
    },
  );

  test('that all fail leave the document encrypted', async () => {
    await open(locked('right'));
    const { problem, text } = await tika.extract(requestFor('a', 'x', { passwords: ['wrong'] }), never);
    expect([problem?.reason, text]).toEqual(['encrypted', '']);
  });

  test('are not asked for when none is needed', async () => {
    await open(() => answerWith('open'));
    await tika.extract(requestFor('a', 'x', { passwords: ['one', 'two'] }), never);
    expect(server.documents.map(({ headers }) => headers['password'])).toEqual([undefined]);
  });
});

describe('the file', () => {
  const bytes = Buffer.from('0123456789'.repeat(100_000));
  const path = join(folder, 'large.txt');
  writeFileSync(path, bytes);

  test('arrives whole, by path or as bytes, with digest, base64 and size made here', async () => {
    await open(({ body }) => answerWith(body.slice(-3)));
    const options = { checksum: 'md5', includeSource: true };
    const byPath = await tika.extract(requestFor('a', { path }, options), never);
    const byBytes = await tika.extract(requestFor('a', bytes, options), never);
    for (const extraction of [byPath, byBytes]) {
      expect(extraction.text).toBe('789');
      expect(extraction.size).toBe(bytes.length);
      expect(extraction.checksum).toBe(createHash('md5').update(bytes).digest('hex'));
      expect(extraction.source).toBe(bytes.toString('base64'));
      expect(extraction.metadata['Content-Length']).toEqual([String(bytes.length)]);
    }
    expect(server.documents.map(({ body }) => body.length)).toEqual([bytes.length, bytes.length]);
  });

  test('too large to be kept as base64 is said to be so', async () => {
    await open(() => answerWith('x'), { limits: { sourceBytes: 1000 } });
    const { source, warnings } = await tika.extract(requestFor('a', { path }, { includeSource: true }), never);
    expect([source, warnings]).toEqual([undefined, [expect.stringContaining('not stored as source')]]);
  });

  test('without a byte is an empty document, and no question', async () => {
    await open(() => answerWith('x'));
    const empty = join(folder, 'empty.txt');
    writeFileSync(empty, '');
    const extraction = await tika.extract(requestFor('empty.txt', { path: empty }), never);
    expect(extraction).toMatchObject({ text: '', size: 0, contentType: 'text/plain', problem: undefined });
    expect(server.documents).toHaveLength(0);
  });

  test('that is not there is `not_found`, and one that is no file is `denied`', async () => {
    await open(() => answerWith('x'));
    const fifo = join(folder, 'fifo');
    spawnSync('mkfifo', [fifo]);
    await expect(tika.extract(requestFor('a', { path: join(folder, 'none') }), never)).rejects.toMatchObject({
      code: 'not_found',
    });
    for (const odd of [fifo, folder]) {
      await expect(tika.extract(requestFor('a', { path: odd }), never)).rejects.toMatchObject({ code: 'denied' });
    }
  });

  test('may have a name that is no text', async () => {
    await open(({ body }) => answerWith(body));
    const odd = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe, 0x2e, 0x74])]);
    writeFileSync(odd, 'found');
    expect((await tika.extract(requestFor('odd.t', { path: odd }), never)).text).toBe('found');
  });
});

describe('the limit of characters', () => {
  test.each([
    [10, '/rmeta/body', '1010', '0123456789', true],
    [20, '/rmeta/body', '1020', '0123456789abcdefghij', false],
    [0, '/rmeta/ignore', '1000', '', false],
    [-1, '/rmeta/body', '1500', '0123456789abcdefghij', false],
  ])('%i is asked for at %s and kept exactly', async (maxCharacters, path, writeLimit, text, truncated) => {
    await open(() => answerWith('0123456789abcdefghij'), { limits: { outputCharacters: 500 } });
    const extraction = await tika.extract(requestFor('a', 'x', { maxCharacters }), never);
    expect([extraction.text, extraction.truncated]).toEqual([text, truncated]);
    expect([server.documents[0]?.path, server.documents[0]?.headers['writelimit']]).toEqual([path, writeLimit]);
  });

  test('that the job does not set is too_large when it cuts', async () => {
    await open(() => answerWith('0123456789'), { limits: { outputCharacters: 5 } });
    const { text, problem, truncated } = await tika.extract(requestFor('a', 'x'), never);
    expect([text, problem?.reason, truncated]).toEqual(['01234', 'too_large', true]);
  });

  test('that the server reached is truncation, even when little came of it', async () => {
    await open(() => answerWith('0123', { 'X-TIKA:EXCEPTION:write_limit_reached': 'true' }));
    const { truncated, problem } = await tika.extract(requestFor('a', 'x', { maxCharacters: 100 }), never);
    expect([truncated, problem]).toEqual([true, undefined]);
  });
});
