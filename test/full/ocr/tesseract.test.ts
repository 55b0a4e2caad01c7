import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { ocrStatus } from '../../../src/extract/ocr/ocr-status.js';
import type { OcrOptions } from '../../../src/extract/extraction.js';
import { extractInProcess } from '../../support/extract-in-process.js';
import { ocrOn } from '../../support/fake-tesseract.js';
import { docx, wordParagraph } from '../../support/ooxml-builder.js';
import { PdfBuilder, type PdfPage } from '../../support/pdf-builder.js';
import { onPage, pictureOfText, toBmp, toPng, toTiff, type GreyPicture } from '../../support/picture-of-text.js';
import { describeWith, findProgram } from '../../support/program.js';

/** With the tesseract program of the machine and its English data. */
const FOX = 'The quick brown fox jumps over the lazy dog';
const SHARED = '../shared/documents';
let fox: GreyPicture;
let box: GreyPicture;

beforeAll(async () => {
  fox = await pictureOfText('The quick brown fox', 'jumps over the lazy dog');
  box = await pictureOfText('Pack my box with five dozen jugs');
});

async function wordsOf(name: string, bytes: Uint8Array, ocr: Partial<OcrOptions> = {}): Promise<string> {
  const { text, warnings, problem } = await extractInProcess(name, bytes, { ocr: { ...ocrOn, ...ocr } });
  expect({ warnings, problem }).toEqual({ warnings: [], problem: undefined });
  return text.replace(/\s+/g, ' ').trim();
}

function corpus(name: string): Buffer {
  return readFileSync(`test/corpus/ocr/${name}`);
}

describeWith(['tesseract'], 'tesseract', () => {
  test('is found on the PATH, by its name and by its folder', async () => {
    const program = findProgram('tesseract')!;
    for (const path of [undefined, program, join(program, '..')]) {
      const status = await ocrStatus({ ...ocrOn, path });
      expect(status).toMatchObject({ engine: 'tesseract', languages: ['eng'], remedy: undefined });
      expect(status.version).toMatch(/^[45]\./);
    }
  });

  test('reads with the languages that it has when others are missing', async () => {
    expect(await wordsOf('a.png', toPng(fox), { language: 'eng+tlh' })).toBe(FOX);
  });

  test.each(['words.jpg', 'words.gif', 'words.webp', 'words.jp2'])('reads the picture %s', async (name) => {
    expect(await wordsOf(name, corpus(name))).toBe(FOX);
  });

  test('reads PNG and BMP, and every page of a TIFF', async () => {
    expect(await wordsOf('a.png', toPng(fox))).toBe(FOX);
    expect(await wordsOf('a.bmp', toBmp(fox))).toBe(FOX);
    expect(await wordsOf('a.tif', toTiff([fox, box, fox]))).toBe(`${FOX} Pack my box with five dozen jugs ${FOX}`);
  });

  test('gives the same words as plain text and as hOCR', async () => {
    expect(await wordsOf('a.png', toPng(fox), { outputType: 'hocr' })).toBe(FOX);
    expect(await wordsOf('a.tif', toTiff([fox, box]), { outputType: 'hocr' })).toContain('jugs');
  });

  test('leaves a warning, and nothing else, for a picture that is broken', async () => {
    const broken = toPng(fox).fill(0, 100);
    const { text, warnings, problem } = await extractInProcess('a.png', broken, { ocr: ocrOn });
    expect({ text, problem }).toEqual({ text: '', problem: undefined });
    expect(warnings.join('\n')).toContain('The picture is not recognised: tesseract ended with 1');
  });

  test('reads pictures in Word documents and in mails', async () => {
    const word = docx({
      body: wordParagraph('Words as text.'),
      parts: { 'media/image1.png': toPng(box) },
      links: [['rId5', 'image', 'media/image1.png']],
    });
    expect(await wordsOf('a.docx', word)).toMatch(/^Words as text\..*Pack my box with five dozen jugs$/);
    const mail = [
      'From: a@example.com',
      'Subject: A scan',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See attachment.',
      '--b',
      'Content-Type: image/png; name=scan.png',
      'Content-Transfer-Encoding: base64',
      '',
      toPng(box).toString('base64').replace(/.{76}/g, '$&\r\n'),
      '--b--',
      '',
    ].join('\r\n');
    expect(await wordsOf('a.eml', Buffer.from(mail))).toMatch(/See attachment\..*Pack my box with five dozen jugs$/);
  });
});

describeWith(['tesseract'], 'tesseract and PDF', () => {
  function mixed(): Buffer {
    const builder = new PdfBuilder();
    const pages: PdfPage[] = [
      { lines: ['This page is text.'] },
      { lines: [], ...onPage(builder, fox) },
      { lines: ['This page has both.'], ...onPage(builder, box) },
      { lines: [] },
    ];
    return builder.build({ pages });
  }

  test.each([
    ['no_ocr', 'This page is text. This page has both.'],
    ['auto', `This page is text. ${FOX} This page has both.`],
    ['ocr_and_text', `This page is text. ${FOX} This page has both. Pack my box with five dozen jugs`],
    ['ocr_only', `This page is text. ${FOX} This page has both. Pack my box with five dozen jugs`],
  ] as const)('%s reads what it should, and nothing twice', async (pdfStrategy, text) => {
    expect(await wordsOf('a.pdf', mixed(), { pdfStrategy })).toBe(text);
  });

  test('leaves no files behind', async () => {
    const own = (): string[] =>
      readdirSync(tmpdir()).filter((name) => /tess|crawler-ocr|\.(?:png|pgm|hocr)$/i.test(name));
    const before = own();
    await wordsOf('a.pdf', mixed(), { pdfStrategy: 'ocr_only', outputType: 'hocr' });
    expect(own().filter((name) => !before.includes(name))).toEqual([]);
  });
});

// They lie beside the project and are no part of it: without them there is nothing to compare.
if (existsSync(join(SHARED, 'test-ocr.pdf'))) {
  describeWith(['tesseract'], 'documents of FSCrawler', () => {
    const text = 'This file also contains text.';
    const picture = 'This file contains some words.';
    const second = 'This second part of the text is in Page 2';

    test.each([
      ['test-ocr.png', 'no_ocr', picture],
      ['test-ocr.pdf', 'no_ocr', `${text} ${second}`],
      ['test-ocr.pdf', 'auto', `${text} ${second}`],
      ['test-ocr.pdf', 'ocr_and_text', `${text} ${picture} ${second}`],
      ['test-ocr.pdf', 'ocr_only', `${picture} ${text} ${second}`],
    ] as const)('%s with %s', async (name, pdfStrategy, words) => {
      expect(await wordsOf(name, readFileSync(join(SHARED, name)), { pdfStrategy })).toBe(words);
    });
  });
}
