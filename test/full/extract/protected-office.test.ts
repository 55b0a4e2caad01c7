import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import officeCrypto from 'officecrypto-tool';
import { writeOle } from '../../../src/extract/containers/ole/ole-writer.js';
import * as docExtractor from '../../../src/extract/formats/doc/doc-extractor.js';
import * as protectedOfficeExtractor from '../../../src/extract/formats/protected-office/protected-office-extractor.js';
import * as pptExtractor from '../../../src/extract/formats/ppt/ppt-extractor.js';
import { record, uint16 } from '../../support/biff-builder.js';
import * as xlsExtractor from '../../../src/extract/formats/xls/xls-extractor.js';
import { extractInProcess } from '../../support/extract-in-process.js';
import { runFormat, type FormatResult, type FormatRunOptions } from '../../support/format-harness.js';
import { propertySet } from '../../support/property-set-builder.js';
import { wordDocument } from '../../support/word-builder.js';
import { expectNoSurprises } from '../../unit/extract/mutations.js';

const TYPE = 'application/x-tika-ooxml-protected';
const PLAIN = Buffer.from('PK\u0003\u0004 the package as it was');

function extract(bytes: Uint8Array, options: FormatRunOptions = {}): Promise<FormatResult> {
  return runFormat(protectedOfficeExtractor, { name: 'x.docx', mediaType: TYPE, bytes }, options);
}

function encrypt(password: string, type?: 'standard'): Uint8Array {
  return new Uint8Array(officeCrypto.encrypt(PLAIN, type === undefined ? { password } : { password, type }));
}

describe('packages with a password', () => {
  test.each([['agile', undefined] as const, ['standard', 'standard'] as const])(
    'in the %s way are handed on decrypted, once a candidate fits',
    async (_, type) => {
      const { continuedAs, text } = await extract(encrypt('geheim', type), { passwords: ['wrong', '', 'geheim'] });
      expect(continuedAs.map(({ bytes, mediaType }) => [Buffer.from(bytes), mediaType])).toEqual([[PLAIN, undefined]]);
      expect(text).toBe('');
    },
  );

  test.each([0, 15, 4096, 4097])('of %i bytes come out to the last byte', async (length) => {
    const plain = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(length, 'abcdefg')]);
    const bytes = new Uint8Array(officeCrypto.encrypt(plain, { password: 'pässwörd 密码' }));
    const { continuedAs } = await extract(bytes, { passwords: ['pässwörd 密码'] });
    expect(Buffer.from(continuedAs[0]?.bytes ?? []).equals(plain)).toBe(true);
  });

  test('that only protects against changes open without one', async () => {
    const { continuedAs } = await extract(encrypt('VelvetSweatshop'));
    expect(continuedAs).toHaveLength(1);
  });

  test('end as encrypted when no candidate fits', async () => {
    await expect(extract(encrypt('geheim'), { passwords: ['wrong'] })).rejects.toMatchObject({ code: 'encrypted' });
  });

  test('that ask for endless hashing stay closed', async () => {
    const information = Buffer.concat([Buffer.alloc(8), Buffer.from('<keyEncryptor spinCount="2000000000"/>')]);
    const streams = [
      { path: 'EncryptionInfo', bytes: information },
      { path: 'EncryptedPackage', bytes: Buffer.alloc(100) },
    ];
    await expect(extract(writeOle({ streams }), { passwords: ['x'] })).rejects.toMatchObject({ code: 'encrypted' });
  });

  test('under rights management stay closed', async () => {
    const streams = [{ path: 'EncryptedPackage', bytes: Buffer.alloc(100) }];
    await expect(extract(writeOle({ streams }))).rejects.toMatchObject({ code: 'encrypted' });
  });

  test('that are damaged bring nothing but a result or a clear error', async () => {
    await expectNoSurprises(protectedOfficeExtractor, TYPE, Buffer.from(encrypt('x', 'standard')), 30);
  });
});

describe('binary documents with a password', () => {
  test.each([
    ['rc4.xls', xlsExtractor, 'application/vnd.ms-excel'],
    ['cryptoapi.xls', xlsExtractor, 'application/vnd.ms-excel'],
    ['xor.xls', xlsExtractor, 'application/vnd.ms-excel'],
    ['cryptoapi.doc', docExtractor, 'application/msword'],
    ['cryptoapi.ppt', pptExtractor, 'application/vnd.ms-powerpoint'],
  ] as const)('of %s are handed on decrypted', async (name, extractor, mediaType) => {
    const bytes = new Uint8Array(readFileSync(new URL(`../../corpus/office-passwords/${name}`, import.meta.url)));
    const input = { name, mediaType, bytes };
    const { continuedAs } = await runFormat(extractor, input, { passwords: ['wrong', 'geheim'] });
    expect(continuedAs.map((next) => next.mediaType)).toEqual([mediaType]);
    const { text } = await runFormat(extractor, { ...input, bytes: continuedAs[0]!.bytes });
    expect(text).toContain('opened with a password');
    await expect(runFormat(extractor, input, { passwords: ['wrong'] })).rejects.toMatchObject({ code: 'encrypted' });
  });

  test('still say who wrote them when none fits', async () => {
    const workbook = Buffer.concat([record(0x0809, uint16(0x0600, 5, 0, 0)), record(0x002f, uint16(1, 1, 1))]);
    const properties = propertySet({ format: 'summary', properties: { 4: { type: 'ansi', text: 'Ada' } } });
    const bytes = writeOle({
      streams: [
        { path: 'Workbook', bytes: workbook },
        { path: '\u0005SummaryInformation', bytes: properties },
      ],
    });
    const { metadata, problem } = await extractInProcess('x.xls', bytes);
    expect(problem?.reason).toBe('encrypted');
    expect(metadata['dc:creator']).toEqual(['Ada']);
  });

  test('end as encrypted when none fits', async () => {
    const word = wordDocument({ main: [{ text: 'secret\r' }] }, { encrypted: true });
    const input = { name: 'x.doc', mediaType: 'application/msword', bytes: word };
    await expect(runFormat(docExtractor, input, { passwords: ['a'] })).rejects.toMatchObject({ code: 'encrypted' });
    const stream = Buffer.concat([
      record(0x0809, uint16(0x0600, 5, 0, 0)),
      record(0x002f, uint16(1, 1, 1)),
      record(0x000a),
    ]);
    const bytes = writeOle({ streams: [{ path: 'Workbook', bytes: stream }] });
    const workbook = { name: 'x.xls', mediaType: 'application/vnd.ms-excel', bytes };
    await expect(runFormat(xlsExtractor, workbook, { passwords: ['a'] })).rejects.toMatchObject({ code: 'encrypted' });
  });
});
