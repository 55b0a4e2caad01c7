import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder of its own, for the duration of `work`. */
export async function withTempDir<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = create();
  try {
    return await work(folder);
  } finally {
    remove(folder);
  }
}

/** An empty folder of its own that is removed after the last test of the file, or at the end of a benchmark. */
export function tempDir(): string {
  const folder = create();
  folders.add(folder);
  return folder;
}

const folders = new Set<string>();

/** Taken from the globals and not imported, so that benchmarks can import this file: the package refuses them. */
const { afterAll } = globalThis as { afterAll?: (work: () => void) => void };
if (afterAll === undefined) process.once('exit', removeAll);
else afterAll(removeAll);

function removeAll(): void {
  for (const folder of folders) remove(folder);
  folders.clear();
}

function create(): string {
  return mkdtempSync(join(tmpdir(), 'crawler-test-'));
}

/** On some systems a file that was closed a moment ago is still held: a few attempts. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
