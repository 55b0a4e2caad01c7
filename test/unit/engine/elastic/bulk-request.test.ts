import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bulkRequests, commonIndex, encodeOperation } from '../../../../src/engine/elastic/bulk-request.js';
import type { BulkOperation } from '../../../../src/engine/elastic/bulk-request.js';
import type { WriteOperation } from '../../../../src/engine/engine.js';

function encode(operation: WriteOperation, withIndex = false): BulkOperation {
  const encoded = encodeOperation(operation, 0, withIndex);
  if (!encoded.ok) throw new Error(encoded.message);
  return encoded.operation;
}

function linesOf(operation: BulkOperation): unknown[] {
  const text = operation.lines.toString('utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

describe('an operation on the wire', () => {
  test('names its index only when the path does not', () => {
    const operation: WriteOperation = { kind: 'delete', index: 'docs', id: 'a' };
    expect(linesOf(encode(operation))).toEqual([{ delete: { _id: 'a' } }]);
    expect(linesOf(encode(operation, true))).toEqual([{ delete: { _index: 'docs', _id: 'a' } }]);
  });

  test('carries mode and pipeline', () => {
    const operation: WriteOperation = {
      kind: 'index',
      index: 'docs',
      id: 'a',
      document: { content: 'x' },
      mode: 'create',
      pipeline: 'p',
    };
    expect(linesOf(encode(operation))).toEqual([{ create: { _id: 'a', pipeline: 'p' } }, { content: 'x' }]);
  });

  test('keeps whatever stands in ids, pipelines and documents apart from its own syntax', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.jsonValue(), (id, pipeline, value) => {
        const document = { value: JSON.parse(JSON.stringify(value)) as unknown };
        expect(linesOf(encode({ kind: 'index', index: 'docs', id, pipeline, document }))).toEqual([
          { index: { _id: id.toWellFormed(), pipeline } },
          document,
        ]);
      }),
    );
  });

  test('gets an id of 20 characters that grows with time when it has none', () => {
    const ids = Array.from(
      { length: 50 },
      () => encode({ kind: 'index', index: 'docs', id: undefined, document: {} }).id,
    );
    expect(new Set(ids).size).toBe(50);
    expect(ids.every((id) => /^[\w-]{20}$/.test(id))).toBe(true);
  });

  test('is refused with the reason when JSON can not express it', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const encoded = encodeOperation({ kind: 'index', index: 'docs', id: 'a', document: circular }, 0, false);
    expect(encoded).toMatchObject({ ok: false, id: 'a', message: expect.stringContaining('JSON') });
  });
});

describe('bulk requests', () => {
  const operation = (id: string, size = 10): BulkOperation =>
    encode({ kind: 'index', index: 'docs', id, document: { text: 'x'.repeat(size) } });

  test('stay below the limit, and an operation above it goes alone', () => {
    const operations = [operation('a'), operation('b'), operation('c', 1000), operation('d')];
    const requests = [...bulkRequests(operations, 150)].map((request) => request.map(({ id }) => id));
    expect(requests).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  test('never hold two operations on the same document, so that a retry can not turn their order', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 });
    fc.assert(
      fc.property(ids, (list) => {
        const operations = list.map((id) => operation(id));
        const requests = [...bulkRequests(operations, 400)];
        expect(requests.flat()).toEqual(operations);
        for (const request of requests) expect(new Set(request.map(({ id }) => id)).size).toBe(request.length);
      }),
    );
  });

  test.each([
    ['one index', ['docs', 'docs'], 'docs'],
    ['two indices', ['docs', 'folders'], undefined],
    ['none', [], undefined],
  ])('of %s have the common index %j → %s', (_, indices, expected) => {
    expect(commonIndex(indices.map((index) => ({ kind: 'delete', index, id: 'a' })))).toBe(expected);
  });
});
