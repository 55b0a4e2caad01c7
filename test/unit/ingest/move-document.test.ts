import { expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { BulkWriter } from '../../../src/ingest/bulk-writer.js';
import { moveDocument } from '../../../src/ingest/move-document.js';
import type { Entry } from '../../../src/model/entry.js';
import { MemoryEngine } from '../../support/memory-engine.js';

const { signal } = new AbortController();
const MODIFIED_MS = Date.parse('2026-03-02T10:20:30.456Z');

const entry: Entry = {
  name: 'new.txt',
  path: '/docs/new.txt',
  kind: 'file',
  size: 3,
  modifiedMs: MODIFIED_MS + 0.789,
  changedMs: MODIFIED_MS,
  createdMs: MODIFIED_MS,
  accessedMs: MODIFIED_MS,
  device: 1,
  inode: 2,
  version: undefined,
};

/** Moves the document of `old` to `new`; returns what the index holds then, by id. */
async function move(file: Readonly<Record<string, unknown>> | undefined): Promise<Record<string, string>> {
  const engine = new MemoryEngine();
  const writer = new BulkWriter({ engine, bulkSize: 1, byteSize: 0, flushIntervalMs: 1, logger: silentLogger });
  const document = { content: 'old text', path: { real: '/docs/old.txt' }, ...(file === undefined ? {} : { file }) };
  await engine.write([{ kind: 'index', index: 'docs', id: 'old', document }]);
  const place = { filename: 'new.txt', real: '/docs/new.txt', virtual: '/new.txt', root: 'root' };
  const { status } = await moveDocument(
    engine,
    writer,
    { index: 'docs', fromId: 'old', toId: 'new', entry, place },
    signal,
  );
  const found: Record<string, string> = { status };
  for (const id of ['old', 'new']) {
    const path = (await engine.get('docs', id))?.source['path'] as { real?: string } | undefined;
    if (path?.real !== undefined) found[id] = path.real;
  }
  return found;
}

const date = '2026-03-02T10:20:30.456Z';

test.each([
  ['its size and date', { filesize: 3, last_modified: date }],
  ['its date, without a size (fs.add_filesize off)', { last_modified: date }],
])('a document with %s goes with the file', async (_, file) => {
  expect(await move(file)).toEqual({ status: 'moved', new: '/docs/new.txt' });
});

test.each([
  ['another date', { filesize: 3, last_modified: '2026-03-02T10:20:30.457Z' }],
  ['another size', { filesize: 4, last_modified: date }],
  ['no date', { filesize: 3 }],
  ['nothing about its file', undefined],
])('one with %s is another file of that name: it stays, and the moved file is read', async (_, file) => {
  expect(await move(file)).toEqual({ status: 'missing', old: '/docs/old.txt' });
});
