import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { ThreadInspector } from '../../../src/operations/inspector/thread-inspector.js';
import { InspectedTree } from '../../support/inspected-tree.js';

const threads = (): number => readdirSync('/proc/self/task').length;

test('the thread that inspects ends when nobody asks, and the next question starts another one', async () => {
  const tree = new InspectedTree();
  tree.file('report.txt');
  await tree.run();
  const { settings } = tree.loaded();
  const inspector = new ThreadInspector({ settings, jobDirectory: tree.jobDirectory, origins: {} }, silentLogger, 200);
  for (let round = 0; round < 2; round += 1) {
    expect((await inspector.questions.named('report')).files).toHaveLength(1);
    const asked = threads();
    while (threads() >= asked) await delay(50);
  }
  await inspector.close();
  tree.dispose();
});
