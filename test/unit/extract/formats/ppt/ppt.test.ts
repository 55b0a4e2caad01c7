import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { openOle } from '../../../../../src/extract/containers/ole/ole.js';
import { writeOle } from '../../../../../src/extract/containers/ole/ole-writer.js';
import * as pptExtractor from '../../../../../src/extract/formats/ppt/ppt-extractor.js';
import { runFormat, type FormatResult, type FormatRunOptions } from '../../../../support/format-harness.js';
import {
  atom,
  characterString,
  container,
  group,
  numbers,
  presentation,
  shape,
  type PresentationParts,
} from '../../../../support/ppt-builder.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/vnd.ms-powerpoint';
const FOOTER_PLACEHOLDER = 9;
const HEADER_PLACEHOLDER = 10;

function extract(bytes: Uint8Array, options: FormatRunOptions = {}): Promise<FormatResult> {
  return runFormat(pptExtractor, { name: 'x.ppt', mediaType: TYPE, bytes }, options);
}

async function linesOf(parts: PresentationParts): Promise<string[]> {
  return (await extract(presentation(parts))).text.split('\n').filter((line) => line !== '');
}

function headersFooters(header: string, footer: string, flags: number, instance: number): Buffer {
  const settings = Buffer.from([0, 0, flags, 0]);
  return container(4057, [atom(4058, settings), characterString(header, 1), characterString(footer, 2)], instance);
}

describe('slides', () => {
  test('come in the order of the list, titles and outlines first, then shapes, groups and tables', async () => {
    const slides = [
      {
        outline: ['Title one', 'Point a\rPoint b'],
        shapes: [
          shape({ text: 'Text box\vsecond line' }),
          group(shape({ text: 'in a group' }), group(shape({ text: 'deeper' }))),
          shape({}),
        ],
      },
      { outline: ['Überschrift zwei 日本'] },
    ];
    expect(await linesOf({ slides })).toEqual([
      'Title one',
      'Point a',
      'Point b',
      'Text box',
      'second line',
      'in a group',
      'deeper',
      'Überschrift zwei 日本',
    ]);
  });

  test('show what their master shows, but not its placeholders', async () => {
    const master = { shapes: [shape({ text: 'Click to edit', placeholder: 1 }), shape({ text: 'Company motto' })] };
    expect(await linesOf({ master, slides: [{ outline: ['One'] }, { outline: ['Two'] }] })).toEqual([
      'Company motto',
      'One',
      'Company motto',
      'Two',
    ]);
  });

  test('have comments and notes behind them', async () => {
    const comment = container(12000, [
      characterString('Carl', 0),
      characterString('A remark', 1),
      characterString('C', 2),
    ]);
    const tags = container(5000, [container(5002, [characterString('___PPT10', 0), container(5003, [comment])])]);
    const slides = [{ outline: ['Title'], records: [tags], notes: { shapes: [shape({ text: 'Speak slowly' })] } }];
    expect(await linesOf({ slides })).toEqual(['Title', 'Carl (C) - A remark', 'Speak slowly']);
  });

  test('have headers and footers where they are switched on', async () => {
    const records = [
      headersFooters('Not shown', 'Document footer', 0x20, 3),
      headersFooters('Notes header', '', 0x10, 4),
    ];
    const own = headersFooters('Slide header', 'Slide footer', 0x30, 0);
    const slides = [
      { outline: ['One'], notes: { shapes: [shape({ text: 'note' })] } },
      { outline: ['Two'], records: [own] },
    ];
    expect(await linesOf({ records, slides })).toEqual([
      'One',
      'Document footer',
      'Notes header',
      'note',
      'Slide header',
      'Two',
      'Slide footer',
    ]);
  });

  test('of PowerPoint 2007 have headers and footers in placeholders', async () => {
    const tag = container(5000, [container(5002, [characterString('___PPT12', 0)])]);
    const shapes = [
      shape({ text: '*', placeholder: HEADER_PLACEHOLDER }),
      shape({ text: 'A footer', placeholder: FOOTER_PLACEHOLDER }),
    ];
    expect(await linesOf({ master: { records: [tag] }, slides: [{ shapes }] })).toEqual(['*', 'A footer', 'A footer']);
  });

  test('stop when there is enough text', async () => {
    const slides = Array.from({ length: 300 }, (_, index) => ({ outline: [`Slide number ${index}`] }));
    expect((await extract(presentation({ slides }), { maxCharacters: 60 })).text).toHaveLength(60);
  });
});

describe('embedded', () => {
  const workbook = writeOle({ streams: [{ path: 'Workbook', bytes: Buffer.from('cells') }] });
  const deflated = (bytes: Uint8Array): Buffer =>
    atom(4113, Buffer.concat([numbers(bytes.length), deflateSync(bytes)]), 1);

  test('objects that shapes show have no name, the others do', async () => {
    const objects = [
      { id: 7, storage: deflated(workbook) },
      { id: 8, storage: atom(4113, Buffer.from(workbook)) },
    ];
    const slides = [{ outline: ['Title'], shapes: [shape({ objectId: 7 })] }];
    const { parts } = await extract(presentation({ slides, objects }));
    expect(parts.map((part) => [part.name, part.printName])).toEqual([
      ['7.xls', false],
      ['UNKNOWN-0.xls', true],
    ]);
  });

  test('pictures are handed over', async () => {
    const png = atom(0xf01e, Buffer.concat([Buffer.alloc(17), Buffer.from('a PNG picture')]), 0x6e0);
    const streams = [{ path: 'Pictures', bytes: png }];
    const { parts } = await extract(presentation({ slides: [], streams }));
    expect(parts.map((part) => [part.mediaType, Buffer.from(part.bytes).toString()])).toEqual([
      ['image/png', 'a PNG picture'],
    ]);
  });
});

describe('damage', () => {
  test.each([
    ['no container', Buffer.from('no container')],
    ['no presentation stream', writeOle({ streams: [{ path: 'Other', bytes: Buffer.alloc(10) }] })],
    ['no document', writeOle({ streams: [{ path: 'PowerPoint Document', bytes: Buffer.alloc(5000) }] })],
  ])('with %s ends as corrupt', async (_, bytes) => {
    await expect(extract(bytes)).rejects.toMatchObject({ code: 'corrupt' });
  });

  test('of the list of edits costs no slide, since all directories are searched then', async () => {
    const whole = openOle(presentation({ slides: [{ outline: ['Title'], shapes: [shape({ text: 'box' })] }] }));
    const stream = Buffer.from(whole.read('PowerPoint Document') ?? []);
    const directory = atom(6002, numbers((1 << 20) | 4000, 0));
    const edit = atom(4085, numbers(0, 0, 0xffffff, stream.length, 0, 0, 0));
    const user = Buffer.from(whole.read('Current User') ?? []);
    user.writeUInt32LE(stream.length + directory.length, 16);
    const streams = [
      { path: 'PowerPoint Document', bytes: Buffer.concat([stream, directory, edit]) },
      { path: 'Current User', bytes: user },
    ];
    expect((await extract(writeOle({ streams }))).text.trim()).toBe('Title\nbox');
  });

  test('of the encryption ends as a clear error', async () => {
    const bytes = presentation({ slides: [], encrypted: true });
    await expect(extract(bytes, { passwords: ['x'] })).rejects.toMatchObject({ name: 'CrawlerError' });
  });

  test('never brings anything but a result or a clear error', async () => {
    const slides = [
      { outline: ['Title'], shapes: [shape({ text: 'box' }), group(shape({ text: 'inner' }))], notes: { shapes: [] } },
    ];
    await expectNoSurprises(pptExtractor, TYPE, Buffer.from(presentation({ slides })), 400);
  });
});
