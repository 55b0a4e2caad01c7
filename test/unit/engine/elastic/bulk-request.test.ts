import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  bulkOperation,
  bulkRequest,
  commonIndex,
  type BulkOperation,
  type BulkRequest,
} from '../../../../src/engine/elastic/bulk-request.js';
import type { WriteOperation } from '../../../../src/engine/engine.js';

function neverRefused(_: BulkOperation, reason: string): void {
  throw new Error(reason);
}

/** All requests that the operations make. */
function requests(operations: readonly WriteOperation[], limitBytes = Infinity, withIndex = false): BulkRequest[] {
  const made: BulkRequest[] = [];
  let open = operations.map(bulkOperation);
  while (open.length > 0) {
    const request = bulkRequest(open, { limitBytes, withIndex, onRefused: neverRefused });
    made.push(request);
    open = open.slice(request.taken);
  }
  return made;
}

function linesOf(operation: WriteOperation, withIndex = false): unknown[] {
  const text = requests([operation], Infinity, withIndex)[0]?.body.toString('utf8') ?? '';
  expect(text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

describe('an operation on the wire', () => {
  test('names its index only when the path does not', () => {
    const operation: WriteOperation = { kind: 'delete', index: 'docs', id: 'a' };
    expect(linesOf(operation)).toEqual([{ delete: { _id: 'a' } }]);
    expect(linesOf(operation, true)).toEqual([{ delete: { _index: 'docs', _id: 'a' } }]);
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
    expect(linesOf(operation)).toEqual([{ create: { _id: 'a', pipeline: 'p' } }, { content: 'x' }]);
  });

  test('keeps whatever stands in ids, pipelines and documents apart from its own syntax', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.jsonValue(), (id, pipeline, value) => {
        const document = { value: JSON.parse(JSON.stringify(value)) as unknown };
        expect(linesOf({ kind: 'index', index: 'docs', id, pipeline, document })).toEqual([
          { index: { _id: id.toWellFormed(), pipeline } },
          document,
        ]);
      }),
    );
  });

  test('gets an id of 20 characters that grows with time when it has none', () => {
    const ids = Array.from(
      { length: 50 },
      (_, at) => bulkOperation({ kind: 'index', index: 'docs', id: undefined, document: {} }, at).id,
    );
    expect(new Set(ids).size).toBe(50);
    expect(ids.every((id) => /^[\w-]{20}$/.test(id))).toBe(true);
  });

  test('is refused with the reason when JSON cannot express it, and the others go', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const operations = [put('a'), { ...put('b'), document: circular }, put('c')].map(bulkOperation);
    const refused: string[] = [];
    const onRefused = ({ id }: BulkOperation, reason: string): void => {
      refused.push(`${id}: ${reason}`);
    };
    const request = bulkRequest(operations, { limitBytes: Infinity, withIndex: false, onRefused });
    expect(request.operations.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(request.taken).toBe(3);
    expect(refused).toEqual([expect.stringMatching(/^b: .*JSON/)]);
  });
});

function put(id: string, size = 10): WriteOperation {
  return { kind: 'index', index: 'docs', id, document: { text: 'x'.repeat(size) } };
}

describe('bulk requests', () => {
  test('stay below the limit, and an operation above it goes alone', () => {
    const made = requests([put('a'), put('b'), put('c', 1000), put('d')], 150);
    expect(made.map(({ operations }) => operations.map(({ id }) => id))).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  test('count bytes and not characters', () => {
    const wide: WriteOperation = { kind: 'index', index: 'docs', id: 'a', document: { text: '手'.repeat(100) } };
    const [request] = requests([wide]);
    expect(request?.body.byteLength).toBeGreaterThan(300);
    expect(request?.body.toString('utf8')).toContain('手'.repeat(100));
  });

  test('never hold two operations on the same document, so that a retry cannot turn their order', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 });
    fc.assert(
      fc.property(ids, (list) => {
        const made = requests(
          list.map((id) => put(id)),
          400,
        );
        expect(made.flatMap(({ operations }) => operations.map(({ position }) => position))).toEqual([...list.keys()]);
        for (const { operations } of made) {
          expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
        }
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
