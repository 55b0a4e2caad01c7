import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * A thread that finds corruption inside the file leaves a marker beside it that says what it found: the short check when the file is
 * opened would not find it again.
 */
export function markCorrupt(path: string, reason: string): void {
  try {
    writeFileSync(markerOf(path), reason, { mode: 0o600 });
  } catch {
    // A folder that cannot be written: the damage is reported to the caller all the same.
  }
}

/** What was found; undefined for a file without a marker. Completes "The index is damaged: …". */
export function markedCorruption(path: string): string | undefined {
  const mark = markerOf(path);
  if (!existsSync(mark)) return undefined;
  try {
    return readFileSync(mark, 'utf8') || UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

export function clearCorruptionMarker(path: string): void {
  rmSync(markerOf(path), { force: true });
}

const UNKNOWN = 'it was found damaged while it was used';

function markerOf(path: string): string {
  return `${path}.is-damaged`;
}
