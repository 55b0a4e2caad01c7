import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * A thread that meets damage inside the file leaves a mark beside it, with what it has met: the short look when the file is
 * opened would not find it again.
 */
export function markDamaged(path: string, reason: string): void {
  try {
    writeFileSync(markOf(path), reason, { mode: 0o600 });
  } catch {
    // A folder that cannot be written: the damage is reported to the caller all the same.
  }
}

/** What was met; undefined for a file without a mark. Completes "The index is damaged: …". */
export function markedDamage(path: string): string | undefined {
  const mark = markOf(path);
  if (!existsSync(mark)) return undefined;
  try {
    return readFileSync(mark, 'utf8') || UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

export function clearDamageMark(path: string): void {
  rmSync(markOf(path), { force: true });
}

const UNKNOWN = 'it was found damaged while it was used';

function markOf(path: string): string {
  return `${path}.is-damaged`;
}
