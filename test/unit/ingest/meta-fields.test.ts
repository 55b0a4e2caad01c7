import { expect, test } from '@jest/globals';
import { mapMetadata } from '../../../src/ingest/meta-fields.js';

test.each([
  ['keyword1, keyword2', ['keyword1', 'keyword2']],
  ['one', ['one']],
  [' a ,\tb\n,, c,', ['a', 'b', 'c']],
  [' , ', undefined],
])('the keywords %j have no blanks around them', (value, keywords) => {
  const { meta, unparsable } = mapMetadata({ 'meta:keyword': [value] }, false);
  expect(meta['keywords']).toEqual(keywords);
  expect(unparsable).toEqual([]);
});
