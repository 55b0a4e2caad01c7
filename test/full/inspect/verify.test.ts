import { rmSync, utimesSync, statSync, chmodSync, renameSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { InspectedTree } from '../../support/inspected-tree.js';

let tree: InspectedTree;
const { signal } = new AbortController();

beforeEach(() => {
  tree = new InspectedTree();
});
afterEach(() => tree.dispose());

async function idOf(name: string): Promise<string> {
  return (await tree.why(name)).id;
}

async function deleteDocument(name: string, index = 'job_docs'): Promise<void> {
  const id = await idOf(name);
  await tree.withEngine((engine) => engine.write([{ kind: 'delete', index, id }], signal));
}

describe('what agrees', () => {
  test('a job that was just run has no differences, and the counts of the three are the same', async () => {
    tree.file('a.txt');
    tree.file('sub/b.txt');
    tree.file('sub/deep/c.txt');
    await tree.run();
    const answer = await tree.verify();
    expect(answer.findings).toEqual([]);
    expect(answer.counts).toMatchObject({ selected: 3, indexed: 3, documents: 3, folders: 3, folderDocuments: 3 });
    expect(answer.live).toBe(false);
  });

  test('what rules leave out, and what is not in the index for a reason, is no difference', async () => {
    tree.file('kept.txt');
    tree.file('left.tmp');
    tree.file('out/.crawlerignore');
    tree.file('out/inner/x.txt');
    tree.set('fs.excludes=*.tmp');
    await tree.run();
    const answer = await tree.verify();
    expect(answer.findings).toEqual([]);
    expect(answer.reasons).toEqual({ excluded: 1 });
  });

  test('documents of uploads are not taken for orphans', async () => {
    tree.file('a.txt');
    await tree.run();
    await tree.withEngine((engine, index) =>
      engine.write([{ kind: 'index', index, id: 'upload', document: { file: { filename: 'u.txt' } } }], signal),
    );
    expect(await tree.differences()).toEqual([]);
  });

  test('a job that has never run says so', async () => {
    await expect(tree.verify()).rejects.toThrow(/has not been run yet/);
  });
});

describe('between tree and catalog', () => {
  test.each([
    ['a new file', () => void tree.file('new.txt'), ['unseen new.txt']],
    ['a new folder', () => void tree.file('more/new.txt'), ['unseen more/new.txt']],
    ['a changed file', () => void tree.file('a.txt', 'changed'), ['changed a.txt']],
    ['a removed file', () => rmSync(tree.path('a.txt')), ['gone a.txt']],
    ['a removed folder', () => rmSync(tree.path('sub'), { recursive: true }), ['gone sub/b.txt', 'gone sub/c.txt']],
    ['a marker file', () => void tree.file('sub/.crawlerignore'), ['unwanted sub/b.txt', 'unwanted sub/c.txt']],
    ['a renamed file', () => renameSync(tree.path('a.txt'), tree.path('z.txt')), ['gone a.txt', 'unseen z.txt']],
  ])('%s is named', async (_, change, differences) => {
    for (const name of ['a.txt', 'sub/b.txt', 'sub/c.txt']) tree.file(name);
    await tree.run();
    change();
    expect(await tree.differences()).toEqual(differences);
    const repaired = await tree.verify({ fix: true });
    expect(repaired.findings).toHaveLength(differences.length);
    expect(await tree.differences()).toEqual([]);
  });

  test('a new rule makes documents unwanted, other settings make them outdated', async () => {
    tree.file('a.txt');
    tree.file('b.log');
    await tree.run();
    tree.set('fs.excludes=*.log');
    expect(await tree.differences()).toEqual(['unwanted b.log']);
    tree.set('fs.indexed_chars=3');
    expect(await tree.differences()).toEqual(['outdated a.txt', 'outdated b.log']);
    await tree.verify({ fix: true });
    expect(await tree.differences()).toEqual([]);
  });

  test('a record that was lost is noticed although the folder counts as settled', async () => {
    tree.file('a.txt');
    tree.file('b.txt');
    await tree.run();
    tree.withCatalog((catalog) =>
      catalog.records.forgetFile(catalog.records.folderByPath(tree.root)?.id ?? 0, 'a.txt'),
    );
    const { findings } = await tree.verify();
    expect(findings).toMatchObject([{ kind: 'unseen', path: tree.path('a.txt'), overlooked: true }]);
    await tree.verify({ fix: true });
    expect(await tree.differences()).toEqual([]);
  });

  test('what lies in a folder that cannot be listed is not called gone', async () => {
    tree.file('sub/b.txt');
    await tree.run();
    chmodSync(tree.path('sub'), 0);
    // Root may list everything.
    const canList = process.getuid?.() === 0;
    try {
      const answer = await tree.verify();
      expect(answer.findings).toEqual([]);
      expect(answer.closedFolders).toHaveLength(canList ? 0 : 1);
    } finally {
      chmodSync(tree.path('sub'), 0o755);
    }
  });

  test('with fs.remove_deleted off, documents of removed files belong there', async () => {
    tree.file('a.txt');
    tree.file('b.txt');
    tree.set('fs.remove_deleted=false');
    await tree.run();
    rmSync(tree.path('a.txt'));
    expect(await tree.differences()).toEqual([]);
    await tree.run();
    expect(await tree.differences()).toEqual([]);
  });
});

describe('between catalog and index', () => {
  test('a document that was lost is missing, and comes back', async () => {
    for (let at = 0; at < 30; at += 1) tree.file(`folder-${at % 3}/file-${at}.txt`);
    await tree.run();
    await deleteDocument('folder-1/file-4.txt');
    expect(await tree.differences()).toEqual(['missing folder-1/file-4.txt']);
    expect(await tree.why('folder-1/file-4.txt')).toMatchObject({ standing: 'missing' });
    await tree.verify({ fix: true });
    expect(await tree.differences()).toEqual([]);
    expect(await tree.why('folder-1/file-4.txt')).toMatchObject({ standing: 'indexed' });
  });

  test('documents of files that never were are orphans, and go, in known folders and others', async () => {
    tree.file('a.txt');
    await tree.run();
    const orphans = ['b.txt', 'lost/c.txt', 'lost/deep/d.txt'];
    const ids = await Promise.all(orphans.map((name) => idOf(name)));
    await tree.withEngine((engine, index) =>
      engine.write(
        orphans.map((name, at) => ({
          kind: 'index',
          index,
          id: ids[at],
          document: { path: { real: tree.path(name), root: 'r', virtual: `/${name}` } },
        })),
        signal,
      ),
    );
    expect(await tree.differences()).toEqual(orphans.map((name) => `orphan ${name}`));
    await tree.verify({ fix: true });
    expect(await tree.differences()).toEqual([]);
    const { counts } = await tree.verify();
    expect(counts).toMatchObject({ documents: 1, folderDocuments: 1 });
  });

  test('a document below the root under an id that no path gives is an orphan, and goes', async () => {
    tree.file('a.txt');
    await tree.run();
    const document = { path: { real: tree.path('a.txt'), root: 'r' } };
    await tree.withEngine((engine, index) => engine.write([{ kind: 'index', index, id: 'mine', document }], signal));
    expect(await tree.differences()).toEqual(['orphan a.txt']);
    await tree.verify({ fix: true });
    expect(await tree.differences()).toEqual([]);
    expect(await tree.why('a.txt')).toMatchObject({ standing: 'indexed' });
  });

  test('a document of a file that a rule leaves out is unwanted, and goes', async () => {
    tree.file('a.txt');
    tree.file('b.tmp');
    tree.set('fs.excludes=*.tmp');
    await tree.run();
    const id = await idOf('b.tmp');
    const document = { path: { real: tree.path('b.tmp'), root: 'r' } };
    await tree.withEngine((engine, index) => engine.write([{ kind: 'index', index, id, document }], signal));
    expect(await tree.differences()).toEqual(['unwanted b.tmp']);
    await tree.verify({ fix: true });
    expect(await tree.differences()).toEqual([]);
  });

  test('a lost folder document is missing, and comes back', async () => {
    tree.file('sub/a.txt');
    await tree.run();
    const id = (await tree.why('sub')).id;
    await tree.withEngine((engine) => engine.write([{ kind: 'delete', index: 'job_folder', id }], signal));
    expect(await tree.differences()).toEqual(['missing sub']);
    await tree.verify({ fix: true });
    expect(await tree.differences()).toEqual([]);
  });

  test('a lost index is reported file by file, and built again', async () => {
    for (let at = 0; at < 1200; at += 1) tree.file(`f${at % 7}/n${at}.txt`, '');
    tree.set('fs.index_content=false', 'fs.index_folders=false');
    await tree.run();
    rmSync(`${tree.jobDirectory}/index.db`);
    for (const suffix of ['-wal', '-shm']) rmSync(`${tree.jobDirectory}/index.db${suffix}`, { force: true });
    const { differences } = await tree.verify({ fix: true });
    expect(differences).toEqual({ missing: 1200 });
    expect(await tree.differences()).toEqual([]);
  });

  test('json documents say nothing of their place: missing ones are reported, others are left alone', async () => {
    tree.file('a.json', '{"x":1}');
    tree.file('b.json', '{"x":2}');
    tree.set('fs.json_support=true');
    await tree.run();
    expect(await tree.differences()).toEqual([]);
    await deleteDocument('a.json');
    expect(await tree.differences()).toEqual(['missing a.json']);
    await tree.verify({ fix: true });
    expect(await tree.differences()).toEqual([]);
  });
});

describe('--deep', () => {
  test('finds a text that is not the one of its file, by extracting again', async () => {
    tree.file('a.txt', 'the text');
    tree.file('b.txt', 'another text');
    await tree.run();
    const id = await idOf('a.txt');
    await tree.withEngine(async (engine, index) => {
      const stored = await engine.get(index, id, signal);
      const document = { ...stored?.source, content: 'forged' };
      await engine.write([{ kind: 'index', index, id, document }], signal);
    });
    expect(await tree.differences()).toEqual([]);
    const { deep, comparedBy, findings } = await tree.verify({ deep: true });
    expect({ deep, comparedBy }).toEqual({ deep: { compared: 2, failed: 0 }, comparedBy: 'text' });
    expect(findings).toMatchObject([{ kind: 'content', path: tree.path('a.txt') }]);
    await tree.verify({ deep: true, fix: true });
    expect(await tree.differences({ deep: true })).toEqual([]);
  });

  test('finds a file whose bytes changed under the same size and dates, by its checksum', async () => {
    const path = tree.file('a.txt', 'one');
    tree.set('fs.checksum=SHA-256');
    await tree.run();
    // What a failing disk does: the catalog is told that nothing has changed.
    const { mtime, atime } = statSync(path);
    tree.file('a.txt', 'two');
    utimesSync(path, atime, mtime);
    tree.withCatalog((catalog) => {
      const folder = catalog.records.folderByPath(tree.root);
      const stats = statSync(path);
      const record = catalog.records.fileByPath(tree.root, 'a.txt');
      if (folder === undefined || record === undefined) throw new Error('The catalog does not know the file.');
      catalog.records.saveFiles([{ ...record, modifiedMs: stats.mtimeMs, changedMs: stats.ctimeMs }]);
    });
    expect(await tree.differences()).toEqual([]);
    const { findings, comparedBy } = await tree.verify({ deep: true });
    expect(comparedBy).toBe('checksum');
    expect(findings).toMatchObject([{ kind: 'content' }]);
  });

  test('says when there is nothing to compare', async () => {
    tree.file('a.txt');
    tree.set('fs.index_content=false');
    await tree.run();
    expect(await tree.verify({ deep: true })).toMatchObject({ comparedBy: 'nothing', deep: undefined });
  });
});
