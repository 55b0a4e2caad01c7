import { readFileSync } from 'node:fs';

/**
 * The resident memory of a process in bytes, from the second field of `/proc/<pid>/statm` (pages). Undefined on other systems
 * than Linux, and when the process has ended.
 */
const PAGE_BYTES = 4096;

export function residentBytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
    return Number.isFinite(pages) ? pages * PAGE_BYTES : undefined;
  } catch {
    return undefined;
  }
}
