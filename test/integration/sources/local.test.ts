import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalSource } from '../../../src/source/local/local-source.js';
import { sourceContract } from '../../contract/source-contract.js';
import { folderTree } from '../../support/source-tree.js';

sourceContract('Local source', () => {
  const folder = mkdtempSync(join(tmpdir(), 'local-source-'));
  return Promise.resolve({
    tree: folderTree(folder, folder),
    datePrecisionMs: 1,
    source: new LocalSource({ followSymlinks: false }),
    end: () => {
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  });
});
