import { describe, expect, test } from '@jest/globals';
import { renderPage } from '../../../../../src/extract/formats/pdf/page-picture.js';
import { PdfDocument } from '../../../../../src/extract/formats/pdf/pdf-document.js';
import * as pdfExtractor from '../../../../../src/extract/formats/pdf/pdf-extractor.js';
import { PdfBuilder, type PdfPage } from '../../../../support/pdf-builder.js';
import { onPage, pictureOfText } from '../../../../support/picture-of-text.js';
import { expectNoSurprises } from '../../mutations.js';

interface Drawn {
  readonly head: string;
  readonly dpi: number | undefined;
  /** Share of pixels that are not white. */
  readonly ink: number;
}

async function draw(
  page: PdfPage,
  options: { onlyPictures?: boolean; limitMs?: number } = {},
): Promise<Drawn | undefined> {
  return await drawFile(new PdfBuilder().build({ pages: [page] }), options);
}

async function drawFile(
  file: Buffer,
  { onlyPictures = false, limitMs = 20_000 }: { onlyPictures?: boolean; limitMs?: number } = {},
): Promise<Drawn | undefined> {
  const document = await PdfDocument.open(file, []);
  try {
    const picture = renderPage(document, 0, { onlyPictures, limitMs });
    if (picture === undefined) return undefined;
    const head = /^P5\n\d+ \d+\n255\n/.exec(Buffer.from(picture.bytes).toString('latin1', 0, 40))?.[0] ?? '';
    const pixels = picture.bytes.subarray(head.length);
    return { head, dpi: picture.dpi, ink: pixels.filter((value) => value < 128).length / pixels.length };
  } finally {
    document.close();
  }
}

describe('the picture of a page', () => {
  test('is a PGM file of 300 dpi', async () => {
    expect(await draw({ lines: ['Words'] })).toMatchObject({ head: 'P5\n2500 3333\n255\n', dpi: 300 });
  });

  test('shows text, or only what else is there', async () => {
    const drawing = '100 100 200 200 re f';
    const both = await draw({ lines: ['Words of this page'], drawing });
    const square = await draw({ lines: [], drawing });
    const without = await draw({ lines: ['Words of this page'], drawing }, { onlyPictures: true });
    expect(both?.ink).toBeGreaterThan(square!.ink);
    expect(without).toEqual(square);
  });

  test('leaves out the text within forms too', async () => {
    const builder = new PdfBuilder();
    const font = builder.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
    const form = builder.addStream(
      `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F9 ${font} 0 R >> >>`,
      'BT /F9 40 Tf 50 300 Td (Words within) Tj ET',
    );
    const page = { lines: [], drawing: '/Fm Do', resources: `/XObject << /Fm ${form} 0 R >>` };
    const file = builder.build({ pages: [page] });
    expect((await drawFile(file))?.ink).toBeGreaterThan(0);
    expect((await drawFile(file, { onlyPictures: true }))?.ink).toBe(0);
  });

  test('is coarser for a large page, so that it never has more than 20 million pixels', async () => {
    const drawn = await draw({ lines: ['Words'], mediaBox: '0 0 9000 9000' });
    const [width = 0, height = 0] = (drawn?.head ?? '').split(/\s/).slice(1).map(Number);
    expect(width * height).toBeLessThanOrEqual(20_000_000);
    expect(width * height).toBeGreaterThan(19_000_000);
    expect(drawn?.dpi).toBeLessThan(40);
  });

  test('is none when the page is too small for a word', async () => {
    expect(await draw({ lines: ['Words'], mediaBox: '0 0 2 800' })).toBeUndefined();
  });

  test('is given up when it takes too long to draw', async () => {
    const curves = Array.from(
      { length: 20_000 },
      (_, i) => `${(i * 7919) % 600} ${(i * 104729) % 800} m ${(i * 31) % 600} 1 ${(i * 97) % 600} 799 300 400 c S`,
    );
    expect(await draw({ lines: [], drawing: curves.join('\n') }, { limitMs: 1 })).toBeUndefined();
  });
});

test.each(['auto', 'ocr_and_text', 'ocr_only'] as const)(
  'damaged files end as they do without recognition (%s)',
  async (pdfStrategy) => {
    const builder = new PdfBuilder();
    const small = { ...onPage(builder, await pictureOfText('Scan')), mediaBox: '0 0 60 80' };
    const file = builder.build({
      pages: [
        { lines: ['Text of a page'], ...small },
        { lines: [], ...small },
      ],
    });
    await expectNoSurprises(pdfExtractor, 'application/pdf', file, 60, {
      pdfStrategy,
    });
  },
);
