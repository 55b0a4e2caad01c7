import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { utils, write, type BookType, type WorkSheet } from '@e965/xlsx';
import { writeOle } from '../../../../../src/extract/containers/ole/ole-writer.js';
import * as xlsExtractor from '../../../../../src/extract/formats/xls/xls-extractor.js';
import * as xlsbExtractor from '../../../../../src/extract/formats/xlsb/xlsb-extractor.js';
import * as biff from '../../../../support/biff-builder.js';
import { cell, record, result, text, uint16, uint32, workbook } from '../../../../support/biff-builder.js';
import { runFormat, type FormatResult, type FormatRunOptions } from '../../../../support/format-harness.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/vnd.ms-excel';

function extract(bytes: Uint8Array, options: FormatRunOptions = {}): Promise<FormatResult> {
  return runFormat(xlsExtractor, { name: 'x.xls', mediaType: TYPE, bytes }, options);
}

function sheet(...records: Buffer[]): Uint8Array {
  return workbook({ sheets: [{ name: 'Sheet one', records }] });
}

async function textOf(...records: Buffer[]): Promise<string> {
  return (await extract(sheet(...records))).text.trim();
}

function madeByOthers(bookType: BookType, rows: unknown[][], change?: (cells: WorkSheet) => void): Uint8Array {
  const cells = utils.aoa_to_sheet(rows);
  change?.(cells);
  const book = utils.book_new();
  utils.book_append_sheet(book, cells, 'Data');
  return new Uint8Array(write(book, { type: 'buffer', bookType }) as Buffer);
}

describe('cells', () => {
  test('stand in rows, with a tab for each column to the left', async () => {
    const cells = [cell.label(0, 0, 'A1'), cell.label(0, 2, 'C1'), cell.label(3, 1, 'B4')];
    expect(await textOf(...cells)).toBe('Sheet one\n\tA1\t\tC1\n\tB4');
  });

  test('show numbers by their format', async () => {
    const formats = [0, 10, 14, 100].map((format) => record(0x00e0, uint16(0, format), Buffer.alloc(16)));
    const globals = [record(0x041e, uint16(100), text('#,##0.00 "km"')), ...formats];
    const records = [
      cell.number(0, 0, 13.5, 0),
      cell.number(0, 1, 0.256, 1),
      cell.number(0, 2, 44197, 2),
      cell.number(0, 3, 1234.5, 3),
    ];
    const { text: shown } = await extract(workbook({ globals, sheets: [{ name: 'S', records }] }));
    expect(shown.trim()).toBe('S\n\t13.5\t25.60%\t1/1/21\t1,234.50 km');
  });

  test('count days from 1904 when the workbook does', async () => {
    const globals = [record(0x0022, uint16(1)), record(0x00e0, uint16(0, 14), Buffer.alloc(16))];
    const parts = { globals, sheets: [{ name: 'S', records: [cell.number(0, 0, 0, 0)] }] };
    expect((await extract(workbook(parts))).text.trim()).toBe('S\n\t1/1/04');
  });

  test.each([
    ['an integer', (5 << 2) | 2, '5'],
    ['a negative integer', ((-7 << 2) | 2) >>> 0, '-7'],
    ['hundredths', (1234 << 2) | 3, '12.34'],
    ['a double', 0x40590000, '100'],
  ])('unpack %s', async (_, packed, shown) => {
    expect(await textOf(record(0x027e, uint16(0, 0, 0), uint32(packed)))).toBe(`Sheet one\n\t${shown}`);
  });

  test('unpack several numbers of a row', async () => {
    const numbers = [1, 2, 3].flatMap((value) => [uint16(0), uint32((value << 2) | 2)]);
    expect(await textOf(record(0x00bd, uint16(0, 1), ...numbers, uint16(3)))).toBe('Sheet one\n\t1\t2\t3');
  });

  test('show results of formulas', async () => {
    const records = [
      cell.formula(0, 0, biff.float64(2.5)),
      cell.formula(0, 1, result.string),
      record(0x0207, text('joined')),
      cell.formula(0, 2, result.boolean(1)),
      cell.formula(0, 3, result.error(0x07)),
      cell.formula(0, 4, result.empty),
      cell.boolean(0, 5, 0, false),
      cell.boolean(0, 6, 0x2a, true),
    ];
    expect(await textOf(...records)).toBe('Sheet one\n\t2.5\tjoined\tTRUE\t#DIV/0!\t\tFALSE\t#N/A');
  });

  test('with links are given once more behind the sheet, as Tika does', async () => {
    const link = record(0x01b8, uint16(0, 0, 0, 0), Buffer.alloc(24));
    expect(await textOf(cell.label(0, 0, 'linked'), cell.label(1, 0, 'plain'), link)).toBe(
      'Sheet one\n\tlinked\n\tplain\nlinked',
    );
  });
});

describe('shared strings', () => {
  function sharedStrings(...segments: Buffer[]): Buffer {
    const [first, ...rest] = segments;
    return Buffer.concat([record(0x00fc, first!), ...rest.map((segment) => record(0x003c, segment))]);
  }

  test('go on in continuations, also with characters of another width', async () => {
    const globals = [
      sharedStrings(
        Buffer.concat([uint32(3, 3), text('short'), uint16(12), Buffer.from([0]), Buffer.from('narrow')]),
        Buffer.concat([Buffer.from([1]), Buffer.from('日本語ab', 'utf16le')]),
        Buffer.concat([Buffer.from([0]), Buffer.from('c'), text('after')]),
      ),
    ];
    const records = [0, 1, 2].map((index) => cell.shared(0, index, index));
    const { text: shown } = await extract(workbook({ globals, sheets: [{ name: 'S', records }] }));
    expect(shown.trim()).toBe('S\n\tshort\tnarrow日本語abc\tafter');
  });

  test('go on in continuations that begin between the length of a string and its characters', async () => {
    const globals = [
      sharedStrings(
        Buffer.concat([uint32(2, 2), text('first'), uint16(4), Buffer.from([1])]),
        Buffer.concat([Buffer.from([1]), Buffer.from('日本', 'utf16le')]),
        Buffer.concat([Buffer.from([0]), Buffer.from('ab')]),
      ),
    ];
    const records = [0, 1].map((index) => cell.shared(0, index, index));
    const { text: shown } = await extract(workbook({ globals, sheets: [{ name: 'S', records }] }));
    expect(shown.trim()).toBe('S\n\tfirst\t日本ab');
  });

  test('have formatting and phonetic text behind them', async () => {
    const phonetic = Buffer.concat([uint16(1, 0, 0, 0, 0, 0, 3), Buffer.from('ニホン', 'utf16le')]);
    const head = Buffer.concat([uint16(2), Buffer.from([1 | 4 | 8]), uint16(1), uint32(phonetic.length)]);
    const string = Buffer.concat([head, Buffer.from('日本', 'utf16le'), uint16(0, 0), phonetic]);
    const globals = [sharedStrings(Buffer.concat([uint32(2, 2), string, text('next')]))];
    const records = [cell.shared(0, 0, 0), cell.shared(0, 1, 1)];
    const { text: shown } = await extract(workbook({ globals, sheets: [{ name: 'S', records }] }));
    expect(shown.trim()).toBe('S\n\t日本 ニホン\tnext');
  });

  test('are read as far as the limit of text allows', async () => {
    const strings = Array.from({ length: 2000 }, (_, index) => text(`string number ${index}`));
    const segments: Buffer[] = [];
    for (let at = 0; at < strings.length; at += 200) segments.push(Buffer.concat(strings.slice(at, at + 200)));
    segments[0] = Buffer.concat([uint32(2000, 2000), segments[0]!]);
    const globals = [sharedStrings(...segments)];
    const records = strings.map((_, index) => cell.shared(index, 0, index));
    const { text: shown } = await extract(workbook({ globals, sheets: [{ name: 'S', records }] }), {
      maxCharacters: 400,
    });
    expect(shown).toHaveLength(400);
    expect(shown).toContain('string number 3');
  });
});

describe('what belongs to no cell', () => {
  test('follows behind its sheet', async () => {
    const box = (value: string): Buffer =>
      Buffer.concat([
        record(0x01b6, uint16(0, 0, 0, 0, 0, value.length, 0, 0, 0)),
        record(0x003c, text(value).subarray(2)),
        record(0x003c, uint32(0, 0)),
      ]);
    const records = [
      record(0x0014, text('&LLeft &P')),
      record(0x0015, text('&CFooter')),
      cell.label(0, 0, 'cell'),
      box('Text box'),
      record(0x001c, uint16(0, 0, 0, 1), text('Carl')),
      biff.chart(record(0x100d, uint16(0), text('Chart title', 1))),
    ];
    const sheets = [
      { name: 'First', records },
      { name: 'Second', hidden: true, records: [cell.label(0, 0, 'last')] },
    ];
    const { text: shown, metadata } = await extract(workbook({ sheets }));
    const lines = shown.split('\n').map((line) => line.trim());
    expect(lines.filter((line) => line !== '')).toEqual([
      'First',
      'cell',
      '&LLeft &P',
      '&CFooter',
      'Text box',
      'First',
      'Chart title',
      'Second',
      'last',
    ]);
    expect(metadata).toMatchObject({
      'msoffice:excel:has-hidden-sheets': ['true'],
      'msoffice:excel:hidden-sheet-names': ['Second'],
      'msoffice:has-comments': ['true'],
      'msoffice:comment-person-display-name': ['Carl'],
    });
  });

  test('pictures and embedded objects are handed over', async () => {
    const emf = deflateSync(Buffer.from('an EMF picture'));
    const blip = art(0xf01a, 0x3d4, Buffer.concat([Buffer.alloc(16 + 34), emf]));
    const png = art(0xf01e, 0x6e0, Buffer.concat([Buffer.alloc(17), Buffer.from('a PNG picture')]));
    const store = art(0xf001, 0, Buffer.concat([art(0xf007, 0, Buffer.concat([Buffer.alloc(36), blip])), png]), true);
    const group = art(0xf000, 0, store, true);
    const globals = [record(0x00eb, group.subarray(0, 60)), record(0x003c, group.subarray(60))];
    const streams = [{ path: 'MBD0001/Package', bytes: Buffer.from('PK') }];
    const { parts } = await extract(workbook({ globals, sheets: [], streams }));
    expect(parts.map((part) => [part.mediaType, Buffer.from(part.bytes).toString(), part.printName])).toEqual([
      ['image/emf', 'an EMF picture', false],
      ['image/png', 'a PNG picture', false],
      [undefined, 'PK', false],
    ]);
  });
});

function art(type: number, instance: number, content: Buffer, container = false): Buffer {
  return Buffer.concat([uint16((instance << 4) | (container ? 15 : 0), type), uint32(content.length), content]);
}

describe('workbooks of another program', () => {
  const rows = [
    ['Name', 'Größe', '日本'],
    ['plain', 12.5, true],
    ['', -3, 'last'],
  ];

  test.each(['biff8', 'biff5', 'biff4', 'biff3', 'biff2'])('of %s are read', async (bookType) => {
    const unicode = bookType === 'biff8';
    const shown = (await extract(madeByOthers(bookType as BookType, rows))).text;
    for (const word of ['Name', 'plain', '12.5', '-3', 'TRUE', 'last']) expect(shown).toContain(word);
    if (unicode) expect(shown).toContain('Größe\t日本');
  });

  test.each([
    ['everywhere', 0x0500],
    ['only in front', 0x0600],
  ])(
    'before Excel 97 have text in the code page that they name, also when they say their version %s',
    async (_, later) => {
      const beginning = (type: number, version = 0x0500): Buffer => record(0x0809, uint16(version, type, 0, 0));
      const bytes = iconv.encode('Привет', 'windows-1251');
      const label = record(0x0204, uint16(0, 0, 0, bytes.length), bytes);
      const name = record(0x0085, uint32(0), uint16(0), Buffer.from([bytes.length]), bytes);
      const end = record(0x000a);
      const globals = [beginning(0x0005), record(0x0042, uint16(1251)), name, end];
      const stream = Buffer.concat([...globals, beginning(0x0010, later), label, end]);
      expect((await extract(writeOle({ streams: [{ path: 'Book', bytes: stream }] }))).text.trim()).toBe(
        'Привет\n\tПривет',
      );
    },
  );

  test('dates and percentages are shown as there', async () => {
    const bytes = madeByOthers('biff8', [[44197.5, 0.125]], (cells) => {
      (cells['A1'] as { z: string }).z = 'yyyy-mm-dd hh:mm';
      (cells['B1'] as { z: string }).z = '0.0%';
    });
    expect((await extract(bytes)).text.trim()).toBe('Data\n\t2021-01-01 12:00\t12.5%');
  });
});

describe('hidden rows and columns', () => {
  test.each([
    ['rows', record(0x0208, uint16(3, 0, 2, 255, 0, 0, 0x20, 15)), record(0x007d, uint16(0, 1, 2048, 15, 0, 0))],
    ['cols', record(0x0208, uint16(3, 0, 2, 255, 0, 0, 0, 15)), record(0x007d, uint16(0, 1, 2048, 15, 1, 0))],
  ])('are told of: %s', async (kind, row, column) => {
    const { metadata } = await extract(sheet(row, column, cell.label(3, 0, 'x')));
    const told = Object.keys(metadata).filter((key) => key.startsWith('msoffice:excel:has-hidden'));
    expect(told).toEqual([`msoffice:excel:has-hidden-${kind}`]);
  });
});

describe('binary OOXML workbooks', () => {
  const bytes = madeByOthers(
    'xlsb',
    [
      ['Name', 'Größe', '日本'],
      ['plain', 12.5, true],
      ['far', null, 44197],
    ],
    (cells) => {
      (cells['C3'] as { z: string }).z = 'yyyy-mm-dd';
    },
  );
  const xlsb = 'application/vnd.ms-excel.sheet.binary.macroenabled.12';

  test('are read', async () => {
    const { text: shown } = await runFormat(xlsbExtractor, { name: 'x.xlsb', mediaType: xlsb, bytes });
    expect(shown.trim()).toBe('Data\n\tName\tGröße\t日本\n\tplain\t12.5\tTRUE\n\tfar\t\t2021-01-01');
  });

  test('never bring anything but a result or a clear error', async () => {
    await expectNoSurprises(xlsbExtractor, xlsb, Buffer.from(bytes), 100);
  });
});

describe('damage', () => {
  test.each([
    ['no container', Buffer.from('no container')],
    ['no workbook stream', writeOle({ streams: [{ path: 'Other', bytes: Buffer.alloc(10) }] })],
  ])('with %s ends as corrupt', async (_, bytes) => {
    await expect(extract(bytes)).rejects.toMatchObject({ code: 'corrupt' });
  });

  test('that cuts the stream keeps what stands before', async () => {
    const stream = biff.workbookStream({
      sheets: [{ name: 'S', records: [cell.label(0, 0, 'kept'), cell.label(1, 0, 'cut off')] }],
    });
    const bytes = writeOle({ streams: [{ path: 'Workbook', bytes: stream.subarray(0, -12) }] });
    expect((await extract(bytes)).text).toContain('kept');
  });

  test('never brings anything but a result or a clear error', async () => {
    await expectNoSurprises(
      xlsExtractor,
      TYPE,
      Buffer.from(
        madeByOthers('biff8', [
          ['a', 1],
          ['b', 2.5],
        ]),
      ),
      400,
    );
  });
});
