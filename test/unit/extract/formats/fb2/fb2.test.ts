import { expect, test } from '@jest/globals';
import * as fb2Extractor from '../../../../../src/extract/formats/fb2/fb2-extractor.js';
import { runFormat } from '../../../../support/format-harness.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/x-fictionbook+xml';
const BOOK = Buffer.from(
  '<?xml version="1.0" encoding="UTF-8"?><FictionBook><description><title-info><genre>sf</genre><author><first-name>Ann</first-name><last-name>Other</last-name></author>' +
    '<book-title>Title</book-title><lang>ru</lang></title-info><publish-info><publisher>House</publisher></publish-info></description>' +
    '<body><title><p>Head</p></title><section><p>para <emphasis>one</emphasis><a type="note">1</a></p><poem><v>verse</v></poem></section></body>' +
    '<body name="notes"><section><p>note</p></section></body><binary id="cover.png" content-type="image/png">UE5H\n</binary></FictionBook>',
);

test('description, bodies and notes are text, the description is metadata too, pictures are handed on', async () => {
  const result = await runFormat(fb2Extractor, { name: 'book.fb2', mediaType: TYPE, bytes: BOOK });
  expect(result.text.split('\n').filter((line) => line !== '')).toEqual([
    ...['sf', 'Ann', 'Other', 'Title', 'ru', 'House'],
    ...['Head', 'para one1', 'verse', 'note'],
  ]);
  expect(result.metadata).toEqual({
    'dc:subject': ['sf'],
    'dc:creator': ['Ann Other'],
    'dc:title': ['Title'],
    'dc:language': ['ru'],
    'dc:publisher': ['House'],
  });
  expect(result.parts.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([['cover.png', 'PNG']]);
});

test('damaged documents end in text or in an error of ours', async () => {
  await expectNoSurprises(fb2Extractor, TYPE, BOOK);
});
