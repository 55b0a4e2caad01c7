import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toListPage } from '../../../src/source/s3/list-page.js';
import { errorReplyOf } from '../../../src/source/s3/s3-fault.js';
import { keyOf, nameOf } from '../../../src/source/s3/s3-path.js';

test('every key is a path of its own, and the path leads back to it', () => {
  const part = fc.string({ maxLength: 3 }).filter((text) => !text.includes('/') && text !== nameOf(''));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const path = `/${parts.map(nameOf).join('/')}`;
      expect(path).not.toContain('//');
      expect(keyOf(path)).toBe(parts.join('/'));
    }),
  );
});

test('names are decoded as the answer says, not otherwise', () => {
  const answer = { $metadata: {}, IsTruncated: false, Contents: [{ Key: 'a+b%26', Size: 1 }] };
  expect(toListPage({ ...answer, EncodingType: 'url' }).objects[0]?.key).toBe('a b&');
  expect(toListPage(answer).objects[0]?.key).toBe('a+b%26');
});

test('a document without what every listing has is none', () => {
  expect(() => toListPage({ $metadata: {} })).toThrow('not a listing');
});

test('an error is reported as far as it can be read', () => {
  const refused = { name: 'AccessDenied', message: 'No.', Region: 'mars-1', $metadata: { httpStatusCode: 403 } };
  expect(errorReplyOf(refused)).toEqual({ status: 403, code: 'AccessDenied', message: 'No.', region: 'mars-1' });
  expect(errorReplyOf(new Error('socket hang up'))).toBeUndefined();
});
