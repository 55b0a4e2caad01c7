import { describe, expect, test } from '@jest/globals';
import { rowsOf, type GlyphRun } from '../../../../../src/extract/formats/xps/glyph-rows.js';
import * as xpsExtractor from '../../../../../src/extract/formats/xps/xps-extractor.js';
import { runFormat, type FormatResult } from '../../../../support/format-harness.js';
import { officePackage, type Files } from '../../../../support/ooxml-builder.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/vnd.ms-xpsdocument';
const THUMBNAIL = 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail';

function glyphs(text: string, x: number, y: number, more = ''): string {
  return `<Glyphs OriginX="${x}" OriginY="${y}" FontRenderingEmSize="10" UnicodeString="${text}" ${more}/>`;
}

function xps(page: string, more: Files = {}): Uint8Array {
  return officePackage({
    types: {},
    links: {
      '/': [
        ['r', 'http://schemas.microsoft.com/xps/2005/06/fixedrepresentation', '/FixedDocSeq.fdseq'],
        ['t', THUMBNAIL, '/thumb.jpeg'],
      ],
    },
    files: {
      'FixedDocSeq.fdseq':
        '<FixedDocumentSequence><DocumentReference Source="/Documents/1/FixedDoc.fdoc"/></FixedDocumentSequence>',
      'Documents/1/FixedDoc.fdoc':
        '<FixedDocument><PageContent Source="Pages/1.fpage"/><PageContent Source="/Documents/1/Pages/2.fpage"/></FixedDocument>',
      'Documents/1/Pages/1.fpage': `<FixedPage>${page}</FixedPage>`,
      'Documents/1/Pages/2.fpage': `<FixedPage>${glyphs('page two', 0, 0)}</FixedPage>`,
      'Resources/i.png': 'PNG',
      'thumb.jpeg': 'JPEG',
      ...more,
    },
  });
}

function extract(bytes: Uint8Array): Promise<FormatResult> {
  return runFormat(xpsExtractor, { name: 'print.xps', mediaType: TYPE, bytes });
}

describe('pages', () => {
  test('come in order, with links and pictures behind them', async () => {
    const result = await extract(
      xps(
        `${glyphs('{}{first}', 0, 10)}<Path FixedPage.NavigateUri="http://example.com/"><Path.Fill><ImageBrush ImageSource="/Resources/i.png"/></Path.Fill></Path>`,
      ),
    );
    expect(result.text).toBe('{first}\nhttp://example.com/\n\npage two\n\n');
    expect(result.parts.map(({ name, printName }) => [name, printName])).toEqual([
      ['i.png', false],
      ['thumb.jpeg', false],
    ]);
  });

  test('parts that are written in pieces are put together', async () => {
    const bytes = xps('', {
      'Documents/1/Pages/1.fpage/[0].piece': '<FixedPage><Glyphs UnicodeStr',
      'Documents/1/Pages/1.fpage/[1].last.piece': 'ing="whole"/></FixedPage>',
    });
    const withoutWhole = Buffer.from(bytes);
    expect((await extract(withoutWhole)).text).toContain('page two');
    const pieces = officePackage({
      types: {},
      links: {},
      files: {
        'a.fpage/[0].piece': '<FixedPage><Glyphs UnicodeStr',
        'a.fpage/[1].last.piece': 'ing="whole"/></FixedPage>',
      },
    });
    expect((await extract(pieces)).text).toBe('whole\n\n');
  });

  test('a damaged sequence leaves the pages by name', async () => {
    expect((await extract(xps(glyphs('one', 0, 0), { 'FixedDocSeq.fdseq': 'no xml' }))).text).toBe(
      'one\n\npage two\n\n',
    );
  });

  test('damaged documents end in text or in an error of ours', async () => {
    await expectNoSurprises(xpsExtractor, TYPE, Buffer.from(xps(glyphs('one', 0, 0))));
  });
});

describe('rows of glyph runs', () => {
  function run(text: string, x: number, y: number, rightToLeft = false): GlyphRun {
    return { text, x, y, fontSize: 10, width: text.length * 5, rightToLeft };
  }

  test.each([
    [
      'runs on one line are joined, with a space where there is a gap',
      [run('Hel', 0, 10), run('lo', 15, 10), run('you', 40, 11)],
      ['Hello you'],
    ],
    ['lines are ordered from top to bottom', [run('second', 0, 30), run('first', 0, 10)], ['first', 'second']],
    ['runs are ordered from left to right', [run('b', 50, 10), run('a', 0, 10)], ['a b']],
    ['right-to-left runs the other way', [run('שלום', 100, 10, true), run('עולם', 60, 10, true)], ['שלום עולם']],
  ])('%s', (_, runs, rows) => {
    expect(rowsOf(runs)).toEqual(rows);
  });
});
