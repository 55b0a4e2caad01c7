import { Worker } from 'node:worker_threads';

/**
 * Ends this process when its parent is gone although it cannot notice: a document that keeps it in an endless loop also
 * keeps it from hearing that the channel has closed. A thread of its own looks who the parent is. Programs that this process
 * has started (its process group, which it leads) end with it.
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

/** A thread needs about this much to start at all. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

export function guardAgainstLosingParent(): void {
  const guard = new Worker(WATCH, {
    eval: true,
    workerData: { parent: process.ppid, everyMs: CHECK_MS },
    resourceLimits: RESOURCES,
  });
  // Where no thread can be had, documents are still worth more than the guard.
  guard.on('error', () => undefined);
  guard.unref();
}
