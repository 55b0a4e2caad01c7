import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseError, parseListPage } from '../../../src/source/s3/list-page.js';
import { keyOf, nameOf } from '../../../src/source/s3/s3-path.js';
import { encodedQuery, signedHeaders } from '../../../src/source/s3/signature.js';

describe('signatures', () => {
  // The examples of "Signature Calculations for the Authorization Header" in Amazon's documentation of S3.
  const credentials = {
    accessKey: 'AKIAIOSFODNN7EXAMPLE',
    secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  };
  const time = Date.parse('2013-05-24T00:00:00Z');
  const question = { method: 'GET', host: 'examplebucket.s3.amazonaws.com', path: '/', region: 'us-east-1' };

  test.each([
    [{ lifecycle: '' }, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    [{ 'max-keys': '2', prefix: 'J' }, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('%j is signed as the documentation shows', (query, signature) => {
    const { authorization } = signedHeaders({ ...question, query }, credentials, time);
    expect(authorization).toContain(`Signature=${signature}`);
  });

  test('a request without keys has no signature', () => {
    expect(signedHeaders({ ...question, query: {} }, undefined, time)).toEqual({ host: question.host });
  });

  test('a query is sorted, and encoded once', () => {
    expect(encodedQuery({ prefix: "a b/ü+'*", delimiter: '/' })).toBe('delimiter=%2F&prefix=a%20b%2F%C3%BC%2B%27%2A');
  });
});

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
  const answer = (encoding: string): string =>
    `<ListBucketResult>${encoding}<IsTruncated>false</IsTruncated><Contents><Key>a+b%26</Key><Size>1</Size></Contents></ListBucketResult>`;
  expect(parseListPage(answer('<EncodingType>url</EncodingType>')).objects[0]?.key).toBe('a b&');
  expect(parseListPage(answer('')).objects[0]?.key).toBe('a+b%26');
});

test('an error is told as far as it can be read', () => {
  expect(parseError('<Error><Code>A</Code><Message>B</Message><Region>C</Region></Error>')).toEqual({
    code: 'A',
    message: 'B',
    region: 'C',
  });
  expect(parseError('<html><p>Bad gateway')).toEqual({ code: '', message: '', region: '' });
});
