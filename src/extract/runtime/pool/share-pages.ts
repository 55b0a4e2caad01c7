import type { Worker } from './worker.js';

/**
 * OCR runs in its own process while the extraction process waits, so each busy process may have one page recognised without
 * using another core. The cores of idle processes are distributed among the processes that have pages to recognise.
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
