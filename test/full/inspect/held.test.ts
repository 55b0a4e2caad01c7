import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { planJob } from '../../../src/operations/plan/plan.js';
import { catalogCheck } from '../../../src/operations/doctor/crawl-checks.js';
import { InspectedTree } from '../../support/inspected-tree.js';

let tree: InspectedTree;

beforeEach(() => {
  tree = new InspectedTree();
});
afterEach(() => tree.dispose());

test('held deletions are shown as held by every look, and are no difference', async () => {
  for (let at = 0; at < 10; at += 1) tree.file(`sub/file-${at}.txt`);
  tree.file('kept.txt');
  tree.set('fs.delete_guard=5');
  await tree.run();
  rmSync(tree.path('sub'), { recursive: true });
  expect(await tree.verify()).toMatchObject({ differences: { gone: 10 }, held: 0 });
  await tree.run();
  expect(await tree.verify()).toMatchObject({ differences: {}, held: 10, counts: { documents: 11 } });
  const answer = await tree.why('sub/file-3.txt');
  expect(answer.standing).toBe('gone');
  expect(answer.sentence).toContain('[crawler approve job]');
  expect((await planJob(tree.place())).changes.gone.files).toBe(10);
  const check = tree.withCatalog((catalog) => catalogCheck(tree.place(), catalog));
  expect(check).toMatchObject({ status: 'warning' });
  // Found again: nothing is held any more, and nothing differs.
  for (let at = 0; at < 10; at += 1) tree.file(`sub/file-${at}.txt`);
  await tree.run();
  expect(await tree.verify()).toMatchObject({ findings: [], held: 0, counts: { documents: 11 } });
});
