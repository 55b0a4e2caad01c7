import { randomUUID } from 'node:crypto';
import { openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file without a name that contains these bytes, to be inherited by a process and read from its beginning. */
export function openWith(bytes: Uint8Array): number {
  const path = join(tmpdir(), `crawler-filter-${randomUUID()}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  rmSync(path);
  // At a position: where it will be read from does not move.
  writeSync(descriptor, bytes, 0, bytes.length, 0);
  return descriptor;
}
