import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Extraction, OcrOptions } from '../../../src/extract/extraction.js';
import { extractInProcess } from '../../support/extract-in-process.js';
import { FakeTesseract } from '../../support/fake-tesseract.js';
import { isAlive } from '../../support/misbehaving-sandbox.js';
import { zipFiles } from '../../support/ooxml-builder.js';
import { PdfBuilder, type PdfPage } from '../../support/pdf-builder.js';
import { onPage, pictureOfText, toPng, toTiff, type GreyPicture } from '../../support/picture-of-text.js';
import { tempDir } from '../../support/temp-dir.js';

/** What is recognised when, and for how long; the program that does it is a script here. */
const root = tempDir();
let picture: GreyPicture;

beforeAll(async () => {
  picture = await pictureOfText('Scanned words');
});

function fake(deed = 'echo "what the picture says"'): FakeTesseract {
  return new FakeTesseract(mkdtempSync(join(root, 'bin-')), deed);
}

function extract(name: string, bytes: Uint8Array, ocr: OcrOptions, maxCharacters = -1): Promise<Extraction> {
  return extractInProcess(name, bytes, { ocr, maxCharacters });
}

function words({ text }: Extraction): string {
  return text.replace(/\s+/g, ' ').trim();
}

function pdf(...kinds: ('text' | 'scan' | 'both' | 'empty' | 'layer')[]): Buffer {
  const builder = new PdfBuilder();
  const pages = kinds.map((kind, index): PdfPage => {
    const lines = [`This is the text of page ${index + 1}`];
    if (kind === 'text') return { lines, drawing: '10 10 500 1 re f' };
    if (kind === 'empty') return { lines: [] };
    if (kind === 'both') return { lines, ...onPage(builder, picture) };
    const scan = onPage(builder, picture);
    // 3 Tr: the text is there, but not drawn.
    return kind === 'scan' ? { lines: [], ...scan } : { lines, ...scan, drawing: `3 Tr ${scan.drawing}` };
  });
  return builder.build({ pages });
}

describe('pages of a PDF', () => {
  test.each([
    ['auto', ['text', 'text'], 0, 'This is the text of page 1 This is the text of page 2'],
    ['auto', ['text', 'scan', 'empty'], 1, 'This is the text of page 1 what the picture says'],
    ['auto', ['both', 'layer'], 0, 'This is the text of page 1 This is the text of page 2'],
    ['ocr_and_text', ['text', 'text'], 0, 'This is the text of page 1 This is the text of page 2'],
    ['ocr_and_text', ['both'], 1, 'This is the text of page 1 what the picture says'],
    [
      'ocr_and_text',
      ['both', 'both'],
      1,
      'This is the text of page 1 what the picture says This is the text of page 2',
    ],
    ['ocr_and_text', ['scan', 'text'], 1, 'what the picture says This is the text of page 2'],
    ['ocr_only', ['text', 'empty', 'scan'], 2, 'what the picture says what the picture says'],
    ['no_ocr', ['both', 'scan'], 0, 'This is the text of page 1'],
  ] as const)('with %s, pages [%s] are recognised %d times', async (pdfStrategy, kinds, calls, text) => {
    const program = fake();
    const extraction = await extract('a.pdf', pdf(...kinds), { ...program.options, pdfStrategy });
    expect(words(extraction)).toBe(text);
    expect(program.calls).toHaveLength(calls);
    expect(extraction.warnings).toEqual([]);
  });

  test('letters that the file does not explain are recognised as well', async () => {
    const builder = new PdfBuilder();
    const fontDescriptor = builder.add(
      '<< /Type /FontDescriptor /FontName /ABCDEF+X /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 ' +
        '/Descent -200 /CapHeight 700 /StemV 80 >>',
    );
    const glyphs = builder.add(
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) ' +
        `/Supplement 0 >> /FontDescriptor ${fontDescriptor} 0 R /DW 600 >>`,
    );
    const font = builder.add(
      `<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+X /Encoding /Identity-H /DescendantFonts [${glyphs} 0 R] >>`,
    );
    const page = {
      lines: [],
      drawing: `BT /F2 12 Tf 50 200 Td <${'002400250026'.repeat(8)}> Tj ET`,
      resources: `/Font << /F2 ${font} 0 R >>`,
    };
    const program = fake();
    const extraction = await extract('a.pdf', builder.build({ pages: [page] }), program.options);
    expect(words(extraction)).toMatch(/^\S{24} what the picture says$/);
    expect(program.calls).toHaveLength(1);
  });

  test('what a scan says is not written twice when it has been recognised before', async () => {
    const program = fake('echo "This is the text of page 1"; echo "and a note in the margin"');
    const extraction = await extract('a.pdf', pdf('layer'), { ...program.options, pdfStrategy: 'ocr_and_text' });
    expect(words(extraction)).toBe('This is the text of page 1 and a note in the margin');
  });

  test('the text of the document comes in the order of its pages, however long each takes', async () => {
    const program = fake('echo "scan of $$"');
    const extraction = await extract('a.pdf', pdf('scan', 'text', 'scan', 'scan', 'text'), program.options);
    const [first, third, fourth] = program.calls.map(({ pid }) => `scan of ${pid}`);
    expect(words(extraction)).toBe(`${first} This is the text of page 2 ${third} ${fourth} This is the text of page 5`);
  });

  test('recognition ends with the characters that are wanted', async () => {
    const program = fake();
    const pages = Array.from({ length: 10 }, () => 'scan' as const);
    const extraction = await extract('a.pdf', pdf(...pages), program.options, 30);
    expect(extraction).toMatchObject({ truncated: true, warnings: [] });
    expect(program.calls.length).toBeLessThan(5);
  });

  test('without wanted characters nothing is recognised', async () => {
    const program = fake();
    await extract('a.pdf', pdf('scan'), program.options, 0);
    expect(program.calls).toHaveLength(0);
  });
});

describe('the program', () => {
  test('gets one thread, the languages and the settings', async () => {
    const program = fake();
    await extract('a.pdf', pdf('scan'), { ...program.options, pageSegMode: 6, preserveInterwordSpacing: true });
    expect(program.calls[0]).toMatchObject({
      threads: '1',
      args: 'stdin stdout -l eng --psm 6 --dpi 300 -c page_separator= -c preserve_interword_spaces=1',
    });
  });

  test('gets the folder of language data, and is asked for hOCR', async () => {
    const program = fake();
    const ocr = { ...program.options, dataPath: '/srv/tessdata', outputType: 'hocr' as const };
    await extract('a.png', toPng(picture), ocr);
    expect(program.calls[0]?.args).toBe(
      'stdin stdout --tessdata-dir /srv/tessdata -l eng --psm 1 -c page_separator= -c preserve_interword_spaces=0 hocr',
    );
  });

  test('is named among the extractors of what it has read, and of nothing else', async () => {
    const { options } = fake();
    const text = await extract('a.pdf', pdf('text'), options);
    const scan = await extract('a.pdf', pdf('scan'), options);
    expect(text.metadata['tk:Parsed-By']).toEqual(['pdf']);
    expect(scan.metadata['tk:Parsed-By']).toEqual(['pdf', 'tesseract']);
    expect(scan.metadata['tk:Parsed-By-Full-Set']).toEqual(['pdf', 'tesseract']);
  });

  test('that fails costs the text of the picture, with its words as a warning', async () => {
    const { options } = fake('echo "Estimating resolution as 300" >&2; echo "Error in pixReadMem: no pix" >&2; exit 1');
    const { text, warnings, problem } = await extract('a.png', toPng(picture), options);
    expect({ text, problem }).toEqual({ text: '', problem: undefined });
    expect(warnings).toEqual(['The picture is not recognised: tesseract ended with 1: Error in pixReadMem: no pix']);
  });

  test.each([
    ['switched off', { enabled: false }],
    ['asked for the orientation only', { pageSegMode: 0 }],
  ])('is not called when recognition is %s', async (_case, settings) => {
    const program = fake();
    const { text, warnings } = await extract('a.pdf', pdf('both', 'scan'), {
      ...program.options,
      ...settings,
      pdfStrategy: 'ocr_only',
    });
    expect({ text: text.replace(/\s+/g, ' ').trim(), warnings }).toEqual({
      text: 'This is the text of page 1',
      warnings: [],
    });
    expect(program.calls).toHaveLength(0);
  });
});

describe('time', () => {
  test('a page that takes too long is left out, and the rest continues', async () => {
    const program = fake(
      'case $(wc -l < "$0".n 2>/dev/null || echo 0) in 0) echo >> "$0".n; exec sleep 60 ;; *) echo next ;; esac',
    );
    const extraction = await extract('a.pdf', pdf('scan', 'scan', 'text'), {
      ...program.options,
      pageTimeoutMs: 4_000,
    });
    expect(words(extraction)).toBe('next This is the text of page 3');
    expect(extraction.warnings).toEqual(['Page 1 is not recognised: it took longer than 4 s.']);
    expect(extraction.problem).toBeUndefined();
    expect(program.calls.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  test('every page of a TIFF has its own time', async () => {
    const program = fake('sleep 2; echo "a page"');
    const ocr = { ...program.options, pageTimeoutMs: 5_000 };
    const extraction = await extract('a.tif', toTiff([picture, picture, picture]), ocr);
    expect(extraction).toMatchObject({ text: 'a page\n'.repeat(3), warnings: [] });
    expect(extraction.metadata['tk:Parsed-By']).toEqual(['image', 'tesseract']);
    expect(program.calls).toHaveLength(3);
  });

  test('a document that uses up its time keeps what it has, and says once that something is missing', async () => {
    // The first page is read at once, and whatever comes next never ends.
    const program = fake('mkdir "$0".first 2>/dev/null || exec sleep 60; echo page');
    const ocr = { ...program.options, documentTimeoutMs: 4_000 };
    const extraction = await extract('a.pdf', pdf('scan', 'scan', 'scan', 'scan', 'scan', 'text'), ocr);
    expect(words(extraction)).toBe('page This is the text of page 6');
    expect(extraction.warnings).toEqual(['The rest of the document is not recognised: it took longer than 4 s.']);
    expect(program.calls.length).toBeLessThan(5);
  });
});

describe('pictures inside documents', () => {
  test('are recognised where they are found, and keep their own text', async () => {
    const program = fake();
    const zip = zipFiles({ 'letter.txt': 'Dear reader', 'scan.png': toPng(picture) });
    const { members, text } = await extract('a.zip', zip, program.options);
    const scan = members.find(({ name }) => name === 'scan.png')!;
    expect(text.slice(scan.from, scan.to).trim()).toBe('what the picture says');
    expect(scan.metadata['tk:Parsed-By']).toEqual(['image', 'tesseract']);
  });

  test('thumbnails and pictures too small for a word are passed over', async () => {
    const program = fake();
    const icon = { width: 32, height: 32, pixels: Buffer.alloc(1024) };
    const rule = { width: 1000, height: 4, pixels: Buffer.alloc(4000) };
    const zip = zipFiles({
      'Thumbnails/thumbnail.png': toPng(picture),
      'icon.png': toPng(icon),
      'rule.png': toPng(rule),
    });
    await extract('a.zip', zip, program.options);
    expect(program.calls).toHaveLength(0);
  });

  test('a picture that nobody could hold in memory is not handed on', async () => {
    const program = fake();
    const png = toPng(picture);
    png.writeUInt32BE(40_000, 16);
    png.writeUInt32BE(40_000, 20);
    const { warnings } = await extract('a.png', png, program.options);
    expect(warnings).toEqual(['The picture is not recognised: 40000 × 40000 pixels are too many.']);
    expect(program.calls).toHaveLength(0);
  });

  test('with an unreadable name or type, the bytes decide', async () => {
    const program = fake();
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
    await extract('a.png', heic, program.options);
    expect(program.calls).toHaveLength(0);
  });
});
