import type { Worker } from 'node:worker_threads';

/**
 * Waits until a thread that was asked to end has ended. It is terminated only if it does not, since the binding of SQLite does
 * not survive that: within a call it throws where nobody can catch it, and the whole process ends by SIGABRT. The same happens
 * to a process that ends before such a thread.
 */
export async function endThread(worker: Worker, limitMs: number): Promise<void> {
  // What has ended has no number any more.
  if (worker.threadId === -1) return;
  const isEnded = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
  if (!isEnded) await worker.terminate();
}
