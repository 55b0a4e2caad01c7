import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { listFailures, retryFailures } from '../../../src/operations/failures/job-failures.js';
import type { Failure, FailureCounts } from '../../../src/operations/failures/failures.js';
import type { Reason } from '../../../src/model/reason.js';
import { InspectedTree } from '../../support/inspected-tree.js';

let tree: InspectedTree;

beforeEach(() => {
  tree = new InspectedTree();
});
afterEach(() => tree.dispose());

async function failures(reason?: Reason, all = false): Promise<Failure[]> {
  const found: Failure[] = [];
  await listFailures(
    tree.place(),
    { reason, all },
    {
      counts: () => Promise.resolve(),
      page: (page) => {
        found.push(...page);
        return Promise.resolve();
      },
    },
  );
  return found;
}

/** What is said before the list. */
async function counts(reason?: Reason, all = false): Promise<FailureCounts> {
  const heard: string[] = [];
  let counted: FailureCounts | undefined;
  await listFailures(
    tree.place(),
    { reason, all },
    {
      counts: (answer) => {
        heard.push('counts');
        counted = answer;
        return Promise.resolve();
      },
      page: () => {
        heard.push('page');
        return Promise.resolve();
      },
    },
  );
  expect(heard[0]).toBe('counts');
  if (counted === undefined) throw new Error('Nothing was counted.');
  return counted;
}

function names(found: readonly Failure[]): string[] {
  return found.map(({ path, reason }) => `${path.slice(tree.root.length + 1)} ${reason}`).sort();
}

describe('failures', () => {
  beforeEach(async () => {
    tree.file('good.json', '{"a":1}');
    tree.file('bad.json', '{');
    tree.file('left.tmp', 'x');
    tree.set('fs.json_support=true', 'fs.excludes=*.tmp');
    await tree.run();
  });

  test('lists what failed with reason, sentence, time, tries and the next try', async () => {
    const [failure, ...others] = await failures();
    expect(others).toEqual([]);
    expect(failure).toMatchObject({ path: tree.path('bad.json'), standing: 'failed', reason: 'corrupt', tries: 1 });
    expect(failure?.message).toContain('Unable to parse JSON');
    expect(failure?.atMs).toBeGreaterThan(0);
    expect(failure?.retryMs).toBeGreaterThan(failure?.atMs ?? 0);
  });

  test('what rules leave out is counted, and listed on demand', async () => {
    expect(await counts()).toMatchObject({ total: 1, leftOut: { excluded: 1 } });
    expect(await counts(undefined, true)).toMatchObject({ total: 2, leftOut: {} });
    expect(names(await failures(undefined, true))).toEqual(['bad.json corrupt', 'left.tmp excluded']);
    expect(names(await failures('excluded'))).toEqual(['left.tmp excluded']);
    expect(names(await failures('encrypted'))).toEqual([]);
  });

  test('a failure waits for its time, although its folder is seen again', async () => {
    await tree.run();
    expect((await failures())[0]?.tries).toBe(1);
  });

  test('a failure whose time has come is tried again, although nothing else in its folder has changed', async () => {
    const due = 1;
    tree.withCatalog((catalog) => {
      const record = catalog.records.fileByPath(tree.root, 'bad.json');
      if (record !== undefined) catalog.records.saveFiles([{ ...record, retryMs: due }]);
    });
    await tree.run();
    const [failure] = await failures();
    expect(failure?.tries).toBe(2);
    // Twice the first interval.
    expect((failure?.retryMs ?? 0) - (failure?.atMs ?? 0)).toBeGreaterThan(100_000);
  });

  test('a file that changed begins anew with its tries', async () => {
    tree.withCatalog((catalog) => {
      const record = catalog.records.fileByPath(tree.root, 'bad.json');
      if (record !== undefined) catalog.records.saveFiles([{ ...record, tries: 9 }]);
    });
    tree.file('bad.json', '{{');
    await tree.run();
    expect((await failures())[0]?.tries).toBe(1);
  });

  test('--retry has them tried by the next scan, and only those that were asked for', async () => {
    expect(await retryFailures(tree.place(), { reason: 'encrypted', all: false })).toEqual({ queued: 0, live: false });
    expect(await retryFailures(tree.place(), { reason: undefined, all: false })).toEqual({ queued: 1, live: false });
    const before = (await failures())[0]?.atMs ?? 0;
    await tree.run();
    const [failure] = await failures();
    expect(failure?.tries).toBe(1);
    expect(failure?.atMs).toBeGreaterThan(before);
  });
});

test('what is in the index without its text is a failure too, and tried again on demand', async () => {
  tree.file('a.pdf', '%PDF-1.4\nnot really');
  await tree.run();
  expect(await failures()).toMatchObject([{ standing: 'partial', reason: 'corrupt', retryMs: 0 }]);
  const before = (await failures())[0]?.atMs ?? 0;
  await tree.run();
  expect((await failures())[0]?.atMs).toBe(before);
  await retryFailures(tree.place(), { reason: 'corrupt', all: false });
  await tree.run();
  expect((await failures())[0]?.atMs).toBeGreaterThan(before);
});

test('failures are counted by reason and type, most first, before they are listed', async () => {
  for (const name of ['a.pdf', 'b.pdf', 'c.PDF', 'd.docx', 'no_extension']) tree.file(name, '%PDF-1.4\nnot really');
  tree.file('left.tmp', 'x');
  tree.set('fs.excludes=*.tmp');
  await tree.run();
  const { total, reasons, leftOut } = await counts();
  expect(reasons[0]).toMatchObject({ reason: 'corrupt', count: 5 });
  expect(reasons[0]?.types[0]).toEqual(['pdf', 3]);
  expect(reasons[0]?.types.slice(1).sort()).toEqual([
    ['', 1],
    ['docx', 1],
  ]);
  expect(total).toBe(reasons.reduce((sum, { count }) => sum + count, 0));
  expect(leftOut).toEqual({ excluded: 1 });
  expect(await counts('corrupt')).toMatchObject({ total: 5, leftOut: {} });
});

test('a job that has never run says so', async () => {
  await expect(failures()).rejects.toThrow(/has not been run yet/);
});
