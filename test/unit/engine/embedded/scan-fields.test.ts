import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../../src/base/logger.js';
import { EmbeddedEngine } from '../../../../src/engine/embedded/embedded-engine.js';
import type { StoredDocument } from '../../../../src/engine/engine.js';
import { tempDir } from '../../../support/temp-dir.js';

const { signal } = new AbortController();
let engine: EmbeddedEngine;

beforeEach(() => {
  engine = new EmbeddedEngine({ directory: tempDir(), baseUrl: () => undefined, version: '1', logger: silentLogger });
});
afterEach(() => engine.close());

async function scan(fields?: readonly string[]): Promise<StoredDocument[]> {
  const found: StoredDocument[] = [];
  for await (const page of engine.scan('docs', signal, fields)) found.push(...page);
  return found;
}

describe('a scan that wants few fields', () => {
  test('gives paths as they were written, and leaves out what a document has not', async () => {
    const documents = [
      { path: { real: '/r/é Ü.txt', root: 'x' }, content: 'text' },
      { path: { real: '/r/line\nbreak' } },
      { title: 'an upload' },
    ];
    await engine.write(
      documents.map((document, at) => ({ kind: 'index', index: 'docs', id: `id-${at}`, document })),
      signal,
    );
    expect(await scan(['path.real', 'path.root'])).toEqual([
      { index: 'docs', id: 'id-0', version: 1, source: { path: { real: '/r/é Ü.txt', root: 'x' } } },
      { index: 'docs', id: 'id-1', version: 1, source: { path: { real: '/r/line\nbreak' } } },
      { index: 'docs', id: 'id-2', version: 1, source: {} },
    ]);
  });

  test('has every document once, over many pages, in the order of the whole documents', async () => {
    const operations = Array.from({ length: 4501 }, (_, at) => ({
      kind: 'index' as const,
      index: 'docs',
      id: `id-${at}`,
      document: { path: { real: `/r/${at}` } },
    }));
    await engine.write(operations, signal);
    const ids = (found: readonly StoredDocument[]): string[] => found.map(({ id }) => id);
    expect(ids(await scan(['path.real']))).toEqual(ids(await scan()));
  });

  test('reads the documents where a field is kept in another form', async () => {
    const document = { file: { filesize: 5, last_modified: '2026-01-02T03:04:05.678Z' }, path: { real: '/r/a' } };
    await engine.write([{ kind: 'index', index: 'docs', id: 'a', document }], signal);
    expect(await scan(['file.last_modified', 'path.real'])).toMatchObject([{ source: document }]);
  });

  test('finds nothing in an index that is not there', async () => {
    expect(await scan(['path.real'])).toEqual([]);
  });
});
