import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CatalogWriter } from '../../../src/crawler/scan/catalog-writer.js';
import { SqliteCatalog } from '../../../src/state/sqlite-catalog.js';
import { tempDir } from '../../support/temp-dir.js';

const folder = tempDir();
let catalog: SqliteCatalog;
let writer: CatalogWriter;
let transactions: number;
let at = 0;

beforeEach(() => {
  catalog = new SqliteCatalog(join(folder, `catalog-${(at += 1)}.db`));
  transactions = 0;
  const batch = (work: () => void): void => {
    transactions += 1;
    catalog.batch(work);
  };
  const { frontier, records } = catalog;
  writer = new CatalogWriter({ frontier, records, batch }, (error) => {
    throw error;
  });
});
afterEach(() => {
  writer.close();
  catalog.close();
});

/** Folders of a scan, all of which the last one found as `digest` says. */
function foldersWith(digest: string, count: number): readonly number[] {
  catalog.frontier.beginScan('/tree', 'scan', 1);
  const root = catalog.records.folderByPath('/tree')?.id ?? 0;
  const paths = Array.from({ length: count }, (_, each) => `/tree/${each}`);
  const ids = catalog.frontier.addSubfolders(root, paths).map(({ id }) => id);
  for (const id of ids) catalog.frontier.completeFolder(id, { digest, device: 1, reason: undefined });
  return ids;
}

function digests(): readonly string[] {
  const root = catalog.records.folderByPath('/tree')?.id ?? 0;
  return catalog.records.subfolders(root).map(({ digest }) => digest);
}

test('what many announce at the same time is one transaction, and there when they are told so', async () => {
  const ids = foldersWith('known', 300);
  await Promise.all(
    ids.map(async (folderId) => {
      writer.add({ kind: 'reconsider', folderId });
      await writer.saved();
      expect(catalog.records.subfolders(folderId)).toEqual([]);
      expect(digests()).not.toContain('known');
    }),
  );
  expect(transactions).toBe(1);
  writer.add({ kind: 'reconsider', folderId: ids[0] ?? 0 });
  await writer.saved();
  expect(transactions).toBe(2);
});

test('all of them are told that it cannot be written', async () => {
  const [folderId = 0] = foldersWith('known', 1);
  writer.add({ kind: 'reconsider', folderId });
  const saved = [writer.saved(), writer.saved()];
  catalog.close();
  const outcomes = await Promise.allSettled(saved);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  catalog = new SqliteCatalog(join(folder, 'unused.db'));
});
