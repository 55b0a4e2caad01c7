import { Worker } from 'node:worker_threads';

/**
 * Ends this process when its parent has ended, even while a document keeps it in an endless loop in which it cannot notice
 * that the channel was closed: a thread checks the id of the parent. Programs that this process has started (its process
 * group, of which it is the leader) end with it.
 */
const CHECK_MS = 250;

const WATCH = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid === workerData.parent) return;
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}, workerData.everyMs);
`;

/** The minimum with which a thread starts. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

export function exitWithParent(): void {
  const watcher = new Worker(WATCH, {
    eval: true,
    workerData: { parent: process.ppid, everyMs: CHECK_MS },
    resourceLimits: RESOURCES,
  });
  // Without the thread, extraction still works.
  watcher.on('error', () => undefined);
  watcher.unref();
}
