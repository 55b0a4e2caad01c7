import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  decodeExtendedValue,
  decodeHeaderText,
  fileNameOfDisposition,
  toFileName,
} from '../../src/source/file-name.js';
import { MULTIPART_TYPE, multipart } from './raw-http.js';
import { call, startRest, upload } from './rest-harness.js';
import type { Answer, RestHarness } from './rest-harness.js';

let rest: RestHarness;

beforeAll(async () => {
  rest = await startRest();
});

afterAll(() => rest.close());

function uploadNamed(disposition: string | Buffer): Promise<Answer> {
  const body = multipart([{ disposition, content: 'x', type: 'text/plain' }]);
  return call(`${rest.url}/_document`, {
    method: 'POST',
    headers: { 'content-type': MULTIPART_TYPE },
    body: new Uint8Array(body),
  });
}

const part = (filename: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from('form-data; name="file"; '), Buffer.from(filename)]);

describe('the name of an uploaded file', () => {
  test.each<[string, string | Buffer, string]>([
    ['plain', 'filename="test.txt"', 'test.txt'],
    ['without quotes', 'filename=test.txt', 'test.txt'],
    ['raw UTF-8', 'filename="名前 é.txt"', '名前 é.txt'],
    ['raw Latin-1', Buffer.from('filename="caf\u00e9.txt"', 'latin1'), 'café.txt'],
    ['filename* in UTF-8', "filename*=UTF-8''na%C3%AFve%20%E2%82%AC.txt", 'naïve €.txt'],
    ['filename* in Latin-1', "filename*=iso-8859-1'en'%A3.txt", '£.txt'],
    ['filename* beside filename', 'filename="fallback.txt"; filename*=UTF-8\'\'real%20%C3%A9.txt', 'real é.txt'],
    ['a path', 'filename="a/b/c.txt"', 'c.txt'],
    ['a path that leads upwards', 'filename="../../etc/passwd"', 'passwd'],
    ['a Windows path', 'filename="C:\\Users\\me\\report.doc"', 'report.doc'],
    ['a relative Windows path', 'filename="..\\dir\\a.txt"', 'a.txt'],
    ['escaped quotes', 'filename="say \\"hi\\".txt"', 'say "hi".txt'],
    ['quotes as browsers escape them', 'filename="say %22hi%22.txt"', 'say "hi".txt'],
    ['a line break as browsers escape it', 'filename="two%0D%0Alines.txt"', 'two__lines.txt'],
    ['a percent sign', 'filename="100%.txt"', '100%.txt'],
    ['spaces around', 'filename=" a.txt "', 'a.txt'],
    ['a leading dot', 'filename=".bashrc"', '.bashrc'],
    ['255 bytes', `filename="${'a'.repeat(251)}.txt"`, `${'a'.repeat(251)}.txt`],
    ['255 characters of three bytes', `filename="${'名'.repeat(251)}.txt"`, `${'名'.repeat(251)}.txt`],
  ])('%s', async (_name, filename, expected) => {
    expect((await uploadNamed(part(filename))).body).toMatchObject({ ok: true, filename: expected });
  });

  test.each(['filename="/"', 'filename=".."', 'filename="a/"', 'filename="..\\\\.."'])(
    '%s leaves nothing to call it',
    async (filename) => {
      expect(await uploadNamed(part(filename))).toMatchObject({ status: 400, body: { ok: false } });
    },
  );

  test('of 256 characters is refused', async () => {
    const { status, body } = await upload(rest.url, { content: 'x', filename: 'a'.repeat(256) });
    expect([status, body['message']]).toEqual([400, 'The file name of the part [file] is longer than 255 characters.']);
  });

  test.each([
    'form-data; name="file"',
    'form-data; name="file"; filename=""',
    'attachment; name="file"; filename="x"',
    'nonsense',
  ])('with the disposition [%s] there is no file', async (disposition) => {
    expect(await uploadNamed(disposition)).toMatchObject({ status: 200, body: { ok: false, message: /^No file|/ } });
  });

  test('survives whatever characters it has, but for path separators', async () => {
    const names = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 60 })
      .filter((name) => /^[^\p{C}/\\%"]*$/u.test(name) && name.trim() === name);
    await fc.assert(
      fc.asyncProperty(
        names.filter((name) => !['', '.', '..'].includes(name)),
        async (name) => {
          expect((await upload(rest.url, { content: 'x', filename: name })).body).toMatchObject({
            ok: true,
            filename: name,
          });
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('decoding', () => {
  test.each([
    ['plain', 'plain'],
    [Buffer.from('é€', 'utf8').toString('latin1'), 'é€'],
    ['caf\u00e9', 'café'],
    ['名', '名'],
    ['', ''],
  ])('header text %j', (value, expected) => {
    expect(decodeHeaderText(value)).toBe(expected);
  });

  test.each([
    ["UTF-8''a%20b", 'a b'],
    ["utf-8'de'%E2%82%AC", '€'],
    ["ISO-8859-1''%E9", 'é'],
    ["UTF-8''%E9", undefined],
    ["UTF-8''%", undefined],
    ['UTF-8', undefined],
    ["EBCDIC''a", undefined],
  ])('extended value %s', (value, expected) => {
    expect(decodeExtendedValue(value)).toBe(expected);
  });

  test.each([
    ['attachment; filename="report.pdf"', 'report.pdf'],
    ['attachment; filename=report.pdf; size=3', 'report.pdf'],
    ["attachment; filename=x; filename*=UTF-8''%e2%82%ac.pdf", '€.pdf'],
    ['attachment; filename=fallback.pdf; filename*=broken', 'fallback.pdf'],
    ['attachment; filename="a\\"b.pdf"', 'a"b.pdf'],
    ['attachment; filename="../../x.pdf"', 'x.pdf'],
    ['inline', undefined],
    ['attachment; filename=""', undefined],
    ['', undefined],
  ])('Content-Disposition %s', (header, expected) => {
    expect(fileNameOfDisposition(header)).toBe(expected);
  });

  test('a file name never holds a separator or a control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        expect(toFileName(raw) ?? 'x').toMatch(/^[^/\\\p{Cc}]+$/u);
      }),
    );
  });

  test('no header makes the parsers throw or hang', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('filename', '*', '=', '"', ';', "'", '%', '\\', ' ', 'é', '\n'),
          maxLength: 200,
        }),
        (header) => {
          expect(typeof (fileNameOfDisposition(`attachment;${header}`) ?? '')).toBe('string');
          expect(typeof (decodeExtendedValue(header) ?? '')).toBe('string');
        },
      ),
    );
  });
});
