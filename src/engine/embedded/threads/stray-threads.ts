import type { Worker } from 'node:worker_threads';

/**
 * Threads that nobody waits for any more while SQLite still holds them. When a process ends, Node waits for every one of its
 * threads, also in `process.exit`, and a thread within a call of the binding can only be waited for. So a process that has
 * such a thread at its end is ended by SIGTERM, which waits for nobody. Everything else has ended by then.
 */
const strays = new Set<Worker>();

export function letGo(worker: Worker): void {
  worker.unref();
  if (strays.size === 0) process.on('exit', endProcess);
  strays.add(worker);
  worker.once('exit', () => {
    strays.delete(worker);
    if (strays.size === 0) process.off('exit', endProcess);
  });
}

function endProcess(): void {
  process.removeAllListeners('SIGTERM');
  process.kill(process.pid, 'SIGTERM');
}
