import { existsSync, rmSync, writeFileSync } from 'node:fs';

/**
 * A thread that meets damage inside the file leaves a mark beside it, since the quick look at the next start would not find
 * it again.
 */
export function markDamaged(path: string): void {
  try {
    writeFileSync(markOf(path), '');
  } catch {
    // A folder that cannot be written: the damage is reported to the caller all the same.
  }
}

export function isMarkedDamaged(path: string): boolean {
  return existsSync(markOf(path));
}

export function clearDamageMark(path: string): void {
  rmSync(markOf(path), { force: true });
}

function markOf(path: string): string {
  return `${path}.is-damaged`;
}
