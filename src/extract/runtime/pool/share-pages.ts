import type { Worker } from './worker.js';

/**
 * Recognition runs beside the process that waits for it, so each busy process may have one page read at a time without
 * taking a core from anybody. The cores of idle processes are shared out among those that have pages to read.
 */
export function sharePages(workers: Iterable<Worker>, cores: number): void {
  const all = [...workers];
  const readers = all.filter((worker) => worker.isRecognising);
  if (readers.length === 0) return;
  const idle = Math.max(0, cores - all.filter((worker) => worker.load > 0).length);
  const share = Math.floor(idle / readers.length);
  const rest = idle % readers.length;
  readers.forEach((worker, index) => worker.allowPages(1 + share + (index < rest ? 1 : 0)));
}
