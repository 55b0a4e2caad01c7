import { throwIfCancelled } from '../../base/errors.js';

/**
 * Counts the files below a root without touching their attributes: about a quarter of the time of a scan. Folders that
 * cannot be read are passed over here; the scan reports them.
 */
export async function countFiles(root: string, followSymlinks: boolean, signal: AbortSignal): Promise<number> {
  const { default: glob } = await import('fast-glob');
  const files = glob.stream('**', {
    cwd: root,
    dot: true,
    onlyFiles: true,
    stats: false,
    unique: false,
    followSymbolicLinks: followSymlinks,
    suppressErrors: true,
  });
  let count = 0;
  // fast-glob types its stream as holding `string | Buffer`; only the number of chunks matters.
  for await (const file of files) {
    if (file.length > 0) count += 1;
    if ((count & 1023) === 0) throwIfCancelled(signal);
  }
  return count;
}
