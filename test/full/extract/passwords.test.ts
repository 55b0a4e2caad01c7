import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import officeCrypto from 'officecrypto-tool';
import { silentLogger } from '../../../src/base/logger.js';
import type { Extraction } from '../../../src/extract/extraction.js';
import { ExtractionPool } from '../../../src/extract/runtime/pool/extraction-pool.js';
import { archiveOf } from '../../support/archive-corpus.js';
import { encryptedOdt } from '../../support/encrypt-odf.js';
import { encryptPdf } from '../../support/encrypt-pdf.js';
import { requestFor } from '../../support/extraction-request.js';
import { writeZip } from '../../support/zip-writer.js';

const examples = join('examples', 'documents');
const officePasswords = join('test', 'corpus', 'office-passwords');

function office(path: string, type: 'agile' | 'standard'): Buffer {
  const plain = readFileSync(join(examples, path));
  return officeCrypto.encrypt(plain, { password: 'geheim', ...(type === 'standard' ? { type } : {}) });
}

function zip(scheme: 'traditional' | 'aes128' | 'aes256'): Buffer {
  const content = Buffer.from('words in an entry '.repeat(20));
  return writeZip([{ name: 'a.txt', content, encrypt: { scheme, password: 'geheim' } }]);
}

interface Protected {
  readonly name: string;
  readonly word: string;
  readonly password?: string;
  readonly make: () => Buffer | Promise<Buffer>;
}

const invoice = join(examples, 'reports', '2025', 'invoice-2025-117.pdf');
const documents: readonly Protected[] = [
  { name: 'a.pdf', word: 'Invoice', make: () => encryptPdf(readFileSync(invoice), 'geheim') },
  { name: 'agile.docx', word: 'berth', make: () => office('contracts/ferry-berth-agreement.docx', 'agile') },
  { name: 'standard.docx', word: 'berth', make: () => office('contracts/ferry-berth-agreement.docx', 'standard') },
  { name: 'agile.xlsx', word: 'harbour', make: () => office('reports/2025/harbour-accounts.xlsx', 'agile') },
  { name: 'agile.pptx', word: 'meeting', make: () => office('reports/2025/annual-meeting.pptx', 'agile') },
  ...['xor.xls', 'rc4.xls', 'cryptoapi.xls', 'cryptoapi.doc', 'cryptoapi.ppt'].map((name) => ({
    name,
    word: 'opened with a password',
    make: () => readFileSync(join(officePasswords, name)),
  })),
  { name: 'a.odt', word: 'secret paragraph', make: () => encryptedOdt('secret paragraph', 'geheim') },
  { name: 'traditional.zip', word: 'words in an entry', make: () => zip('traditional') },
  { name: 'aes128.zip', word: 'words in an entry', make: () => zip('aes128') },
  { name: 'aes256.zip', word: 'words in an entry', make: () => zip('aes256') },
  ...['encrypted.7z', 'encrypted-stored.7z', 'encrypted-names.7z'].map((name) => ({
    name,
    word: 'some words',
    password: 'secret',
    make: () => archiveOf(name),
  })),
];

const pool = new ExtractionPool({ size: 2, logger: silentLogger });
afterAll(() => pool.close());

describe.each(documents.map((document) => [document.name, document] as const))('%s', (name, document) => {
  const right = document.password ?? 'geheim';
  let bytes: Buffer;
  beforeAll(async () => {
    bytes = await document.make();
  });
  const extract = (passwords: readonly string[]): Promise<Extraction> =>
    pool.extract(requestFor(name, bytes, { passwords }), new AbortController().signal);

  test('opens with the right one of several passwords, wherever it stands', async () => {
    for (const passwords of [[right], ['wrong', '', right], ['another', right, 'wrong']]) {
      const { text, problem } = await extract(passwords);
      expect(problem).toBeUndefined();
      expect(text.toLowerCase()).toContain(document.word.toLowerCase());
    }
  });

  test.each([[[]], [['wrong']], [['wrong', '', 'nearly']]])('is encrypted when none fits: %j', async (passwords) => {
    const { text, problem } = await extract(passwords);
    expect(problem?.reason).toBe('encrypted');
    expect(text.toLowerCase()).not.toContain(document.word.toLowerCase());
  });
});

test('a protected document inside an archive opens with the same passwords', async () => {
  const inner = office('contracts/ferry-berth-agreement.docx', 'agile');
  const outer = writeZip([{ name: 'inner.docx', content: inner }]);
  const request = requestFor('outer.zip', outer, { passwords: ['wrong', 'geheim'] });
  const { text, members } = await pool.extract(request, new AbortController().signal);
  expect(members.map(({ name }) => name)).toEqual(['inner.docx']);
  expect(text).toContain('berth');
});

test('a protected document inside an archive that no password opens leaves a warning that names it', async () => {
  const outer = writeZip([
    { name: 'inner.docx', content: office('contracts/ferry-berth-agreement.docx', 'agile') },
    { name: 'open.txt', content: Buffer.from('everybody may read this') },
  ]);
  const { text, warnings } = await pool.extract(requestFor('outer.zip', outer), new AbortController().signal);
  expect(text).toContain('everybody may read this');
  expect(warnings.join('\n')).toMatch(/inner\.docx.*(password|encrypted)/);
});
