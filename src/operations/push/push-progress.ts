import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedIndex } from '../../engine/registry.js';

/**
 * How far the copies of a job's embedded index have come: `<job>/_push.json`, one entry for each engine whose copy is not
 * complete. An entry counts documents in the order of the file, which only holds as long as nobody writes to the index and
 * the copy's index is still the same one; otherwise the copy begins anew, and overwrites by id what it has written.
 */
export interface PushProgress {
  /** The index that is being copied; those before it by name are done. */
  readonly index: string;
  /** Documents of that index that have been answered for. */
  readonly position: number;
  readonly copied: number;
  readonly rejected: number;
  /** Reasons of rejections and how many documents each concerns; the first ones only. */
  readonly reasons: Readonly<Record<string, number>>;
}

interface Entry {
  /** State of the source's file, and identity of the target's index. */
  readonly of: string;
  readonly progress: PushProgress;
}

const FILE_NAME = '_push.json';

export class PushProgressFile {
  readonly #path: string;
  readonly #target: string;
  readonly #of: string;

  /** @param target the engine's address without credentials */
  constructor(jobDirectory: string, target: string, targetIdentity: string) {
    this.#path = join(jobDirectory, FILE_NAME);
    this.#target = target;
    this.#of = `${stateOfIndexFile(jobDirectory)} ${targetIdentity}`;
  }

  load(): PushProgress | undefined {
    const entry = this.#entries()[this.#target];
    return entry?.of === this.#of ? entry.progress : undefined;
  }

  save(progress: PushProgress): void {
    this.#write({ ...this.#entries(), [this.#target]: { of: this.#of, progress } });
  }

  clear(): void {
    const others = Object.entries(this.#entries()).filter(([target]) => target !== this.#target);
    if (others.length > 0) this.#write(Object.fromEntries(others));
    else rmSync(this.#path, { force: true });
  }

  /** A file that cannot be read costs only the work that it spared. */
  #entries(): Readonly<Record<string, Entry>> {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as Record<string, Entry>;
    } catch {
      return {};
    }
  }

  /** Written beside and renamed: a kill leaves the old file or the new one. */
  #write(entries: Readonly<Record<string, Entry>>): void {
    const part = `${this.#path}.part`;
    writeFileSync(part, `${JSON.stringify(entries, undefined, 2)}\n`);
    renameSync(part, this.#path);
  }
}

export function hasEmbeddedIndex(jobDirectory: string): boolean {
  return statSync(embeddedIndex.pathIn(jobDirectory), { throwIfNoEntry: false }) !== undefined;
}

/** Every commit changes the file or its log. */
function stateOfIndexFile(jobDirectory: string): string {
  return ['', '-wal']
    .map((suffix) => statSync(embeddedIndex.pathIn(jobDirectory) + suffix, { throwIfNoEntry: false }))
    .map((stats) => (stats === undefined || stats.size === 0 ? 'none' : `${stats.ino}:${stats.size}:${stats.mtimeMs}`))
    .join(' ');
}
