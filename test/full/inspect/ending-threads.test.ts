import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { InspectedTree } from '../../support/inspected-tree.js';
import { libraryProgram } from '../../support/library-program.js';

/**
 * Threads that read the catalog are asked to end in the middle of their work, at other moments each time. A thread that is
 * terminated within SQLite ends the whole process (SIGABRT), so the programs are processes of their own.
 */
const FOLDERS = 300;
const ROUNDS = 20;
const dist = resolve(process.env['PROGRAM_DIST'] ?? 'dist');

const tree = new InspectedTree();
beforeAll(async () => {
  for (let at = 0; at < FOLDERS; at += 1) tree.file(`folder-${at}/a.txt`);
  await tree.run();
});
afterAll(() => tree.dispose());

const PARTS = {
  'that counts what a run has to do': `
    import { RunWorkCount } from '${dist}/operations/monitor/run-work-count.js';
    const begin = () => {
      const count = new RunWorkCount({ settings, jobDirectory, extractorVersion: '1', staticMetadata: undefined });
      count.begin(Date.now(), () => true);
      return () => count.end();
    };`,
  'that answers questions': `
    import { silentLogger } from '${dist}/base/logger.js';
    import { ThreadInspector } from '${dist}/operations/inspector/thread-inspector.js';
    const begin = () => {
      const inspector = new ThreadInspector({ settings, jobDirectory, origins: {} }, silentLogger);
      for (const each of [inspector.plan, inspector.verify]) each.start();
      return () => inspector.close();
    };`,
};

test.each(Object.entries(PARTS))('a thread %s ends in the middle of its work', async (_, part) => {
  const { code, stdout, stderr } = await libraryProgram(`
    import { loadSettings } from '${dist}/settings/load-settings.js';
    const overrides = ['fs.url=${tree.root}'];
    const configDir = '${resolve(tree.jobDirectory, '..')}';
    const jobDirectory = '${tree.jobDirectory}';
    const { settings } = loadSettings({ configDir, job: 'job', env: {}, overrides, fsJavaOpts: undefined });
    ${part}
    for (let round = 0; round < ${ROUNDS}; round += 1) {
      const end = begin();
      await new Promise((resolve) => setTimeout(resolve, 80 + 12 * round));
      await end();
    }
    console.log('ended');`);
  expect([code, stdout, stderr]).toEqual([0, 'ended\n', '']);
});
