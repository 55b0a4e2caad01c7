import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Extraction, OcrOptions } from '../../../src/extract/extraction.js';
import { ocrStatus } from '../../../src/extract/ocr/ocr-status.js';
import { findTesseractJs } from '../../../src/extract/ocr/tesseract-js/find-tesseract-js.js';
import { extractInProcess } from '../../support/extract-in-process.js';
import { ocrOn } from '../../support/fake-tesseract.js';
import { PdfBuilder } from '../../support/pdf-builder.js';
import { onPage, pictureOfText, toBmp, toPng, toTiff, type GreyPicture } from '../../support/picture-of-text.js';
import { tempDir } from '../../support/temp-dir.js';

/** With the packages tesseract.js and @tesseract.js-data/eng, on a machine that seems to have no tesseract program. */
const FOX = 'The quick brown fox jumps over the lazy dog';
const options: OcrOptions = { ...ocrOn, path: '/does/not/exist' };
const folder = tempDir();
let fox: GreyPicture;

beforeAll(async () => {
  fox = await pictureOfText('The quick brown fox', 'jumps over the lazy dog');
});

function extract(name: string, bytes: Uint8Array, ocr: Partial<OcrOptions> = {}): Promise<Extraction> {
  return extractInProcess(name, bytes, { ocr: { ...options, ...ocr } });
}

function words({ text }: Extraction): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The English data under other names, so that there are two languages. */
function dataFolder(): string {
  const path = join(folder, 'tessdata');
  mkdirSync(path, { recursive: true });
  const packed = readFileSync(
    createRequire(import.meta.url).resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'),
  );
  writeFileSync(join(path, 'abc.traineddata.gz'), packed);
  writeFileSync(join(path, 'xyz.traineddata'), gunzipSync(packed));
  return path;
}

describe('tesseract.js', () => {
  test('is the engine where there is no program, as far as its packages go', async () => {
    const status = await ocrStatus({ ...options, language: 'eng+tlh' });
    expect(status).toMatchObject({ engine: 'tesseract.js', languages: ['eng'] });
    expect(status.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect((await findTesseractJs({ ...options, language: 'eng+tlh' })).remedy).toBe(
      'tesseract.js lacks data: npm install @tesseract.js-data/tlh',
    );
  });

  test.each(['../eng', 'tlh', ''])('has no data for the language [%s]', async (language) => {
    expect((await findTesseractJs({ ...options, language })).engine).toBeUndefined();
  });

  test('reads pictures, and says that it did', async () => {
    const png = await extract('a.png', toPng(fox));
    expect(words(png)).toBe(FOX);
    expect(png.metadata['tk:Parsed-By']).toEqual(['image', 'tesseract.js']);
    expect(words(await extract('a.bmp', toBmp(fox)))).toBe(FOX);
    expect(words(await extract('a.tif', toTiff([fox, fox])))).toBe(`${FOX} ${FOX}`);
  });

  test.each(['words.jpg', 'words.webp'])('reads the picture %s', async (name) => {
    expect(words(await extract(name, readFileSync(`test/corpus/ocr/${name}`)))).toBe(FOX);
  });

  test('gives the same words as hOCR', async () => {
    expect(words(await extract('a.png', toPng(fox), { outputType: 'hocr' }))).toBe(FOX);
  });

  test('reads the scanned pages of a PDF', async () => {
    const builder = new PdfBuilder();
    const scan = onPage(builder, fox);
    const pdf = builder.build({ pages: [{ lines: ['Text of the first page'] }, { lines: [], ...scan }] });
    expect(words(await extract('a.pdf', pdf))).toBe(`Text of the first page ${FOX}`);
  });

  test('takes the languages of a folder, packed or not, and leaves no files behind', async () => {
    const own = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('crawler-ocr-'));
    const before = own();
    const dataPath = dataFolder();
    const { text, warnings } = await extract('a.png', toPng(fox), { dataPath, language: 'abc+xyz' });
    expect({ text: text.replace(/\s+/g, ' ').trim(), warnings }).toEqual({ text: FOX, warnings: [] });
    expect(own().filter((name) => !before.includes(name))).toEqual([]);
  });

  test('leaves a warning for a picture that is broken, and reads the next one', async () => {
    const { text, warnings } = await extract('a.png', toPng(fox).fill(0, 100));
    expect(text).toBe('');
    expect(warnings.join('\n')).toContain('The picture is not recognised: tesseract.js failed');
    expect(words(await extract('a.png', toPng(fox)))).toBe(FOX);
  });

  test('is ended when a page takes too long, and begins anew with the next document', async () => {
    const { text, warnings } = await extract('a.png', toPng(fox), { pageTimeoutMs: 20 });
    expect({ text, warnings }).toEqual({
      text: '',
      warnings: ['The picture is not recognised: it took longer than 0.02 s.'],
    });
    expect(words(await extract('a.png', toPng(fox)))).toBe(FOX);
  });

  test('data that are none cost the text of the picture, not the document', async () => {
    const dataPath = join(folder, 'broken');
    mkdirSync(dataPath);
    writeFileSync(join(dataPath, 'bad.traineddata'), 'not data');
    const { text, problem, warnings } = await extract('a.png', toPng(fox), { dataPath, language: 'bad' });
    expect({ text, problem }).toEqual({ text: '', problem: undefined });
    expect(warnings.join('\n')).toContain('The picture is not recognised: tesseract.js');
  });
});
