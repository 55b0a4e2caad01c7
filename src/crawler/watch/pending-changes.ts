import { joinPath } from '../../base/path.js';
import type { FileStat, FileStats } from '../../source/tree-watch.js';
import type { PartialScanRequest } from '../scan/scan-runner.js';
import {
  needsOpenWriters,
  isStable,
  newWriteStability,
  observe,
  QUIET_MS,
  type WriteStability,
} from './write-stability.js';

export interface PendingChangesDeps {
  readonly stabilityMs: number;
  readonly files: FileStats;
  /** Whether the catalog knows the file by its inode, size and dates: it was moved, or only touched, and is at rest. */
  readonly isKnown: (stat: FileStat) => boolean;
  readonly maxFolders?: number;
  readonly maxNames?: number;
}

/** Folders and names that are told apart; beyond, a folder stands for its names, and the tree for its folders. */
const MAX_FOLDERS = 20_000;
const MAX_NAMES = 20_000;
/** Asking who writes may take this share of the time. */
const WRITERS_SHARE = 0.05;

const TOGETHER_MS = QUIET_MS / 2;

interface FolderChanges {
  readonly sinceMs: number;
  /** Files that were written to and have not come to rest. */
  readonly names: Map<string, WriteStability>;
}

/**
 * What was seen to change and has not been scanned. Ten thousand events become the folders that they happened in; a folder
 * is due when one of its files has come to rest (write-stability.ts), and the others stay behind. Bounded, whatever happens.
 */
export class PendingChanges {
  readonly #deps: PendingChangesDeps;
  readonly #maxFolders: number;
  readonly #maxNames: number;
  #folders = new Map<string, FolderChanges>();
  #names = 0;
  #isWide = false;
  /** Files that were read after a short rest: written to again, they have to rest longer. */
  #readEarly = new Map<string, number>();
  #askAgainMs = 0;

  constructor(deps: PendingChangesDeps) {
    this.#deps = deps;
    this.#maxFolders = deps.maxFolders ?? MAX_FOLDERS;
    this.#maxNames = deps.maxNames ?? MAX_NAMES;
  }

  get isEmpty(): boolean {
    return this.#folders.size === 0 && !this.#isWide;
  }

  add(folder: string, name: string | undefined, nowMs: number): void {
    if (this.#isWide && name === undefined) return;
    let change = this.#folders.get(folder);
    if (change === undefined) {
      if (this.#folders.size >= this.#maxFolders) return this.addTree();
      change = { sinceMs: nowMs, names: new Map() };
      this.#folders.set(folder, change);
    }
    if (name === undefined || change.names.has(name) || this.#names >= this.#maxNames) return;
    change.names.set(name, this.#newWriteStability(joinPath(folder, name), nowMs));
    this.#names += 1;
  }

  /** Anything may have changed. Files that are being written keep their names. */
  addTree(): void {
    this.#isWide = true;
    for (const [folder, { names }] of this.#folders) if (names.size === 0) this.#folders.delete(folder);
  }

  /** A partial scan that did not complete. */
  giveBack({ folders, wide }: PartialScanRequest, nowMs: number): void {
    if (wide) this.addTree();
    else for (const folder of folders) this.add(folder, undefined, nowMs);
  }

  /** Looks at the files that are waited for. Returns whether something is due. */
  refresh(nowMs: number): boolean {
    const undecided = new Map<string, FileStat>();
    const stabilities = new Map<string, WriteStability>();
    for (const [folder, { names }] of this.#folders) {
      for (const [name, stability] of names) {
        const path = joinPath(folder, name);
        observe(stability, this.#deps.files.stat(path), nowMs);
        if (stability.stat === undefined || !needsOpenWriters(stability, nowMs, this.#deps.stabilityMs)) continue;
        undecided.set(path, stability.stat);
        stabilities.set(path, stability);
      }
    }
    this.#ask(undecided, stabilities, nowMs);
    if (this.#isWide) return true;
    for (const change of this.#folders.values()) if (this.#isDue(change, nowMs)) return true;
    return false;
  }

  /** What is due now; it is no longer pending. Undefined when there is nothing. */
  take(nowMs: number): PartialScanRequest | undefined {
    this.#forgetReadEarly(nowMs);
    const folders: string[] = [];
    for (const [folder, change] of this.#folders) {
      // What comes together is scanned together, such as the two ends of a move.
      if (!this.#isWide && !this.#isDue(change, nowMs + TOGETHER_MS)) continue;
      folders.push(folder);
      this.#dropStable(folder, change, nowMs);
      if (change.names.size === 0) this.#folders.delete(folder);
    }
    const wide = this.#isWide;
    this.#isWide = false;
    return folders.length === 0 && !wide ? undefined : { folders, wide };
  }

  /** Whether somebody is still writing the file, as it stands now. */
  isUnstable(folder: string, name: string, nowMs: number): boolean {
    const stability = this.#folders.get(folder)?.names.get(name);
    if (stability === undefined) return false;
    observe(stability, this.#deps.files.stat(joinPath(folder, name)), nowMs);
    return !isStable(stability, nowMs, this.#deps.stabilityMs);
  }

  #newWriteStability(path: string, nowMs: number): WriteStability {
    const stat = this.#deps.files.stat(path);
    const stability = newWriteStability(stat, nowMs, this.#readEarly.has(path));
    if (stat !== undefined && this.#deps.isKnown(stat)) stability.sinceMs = -Infinity;
    return stability;
  }

  #isDue({ sinceMs, names }: FolderChanges, nowMs: number): boolean {
    if (nowMs - sinceMs < QUIET_MS) return false;
    if (names.size === 0) return true;
    for (const stability of names.values()) if (isStable(stability, nowMs, this.#deps.stabilityMs)) return true;
    return false;
  }

  #dropStable(folder: string, { names }: FolderChanges, nowMs: number): void {
    for (const [name, stability] of names) {
      if (!isStable(stability, nowMs, this.#deps.stabilityMs)) continue;
      names.delete(name);
      this.#names -= 1;
      if (stability.stat === undefined || this.#readEarly.size >= this.#maxNames) continue;
      this.#readEarly.set(joinPath(folder, name), nowMs);
    }
  }

  #ask(files: ReadonlyMap<string, FileStat>, stabilities: ReadonlyMap<string, WriteStability>, nowMs: number): void {
    if (files.size === 0 || nowMs < this.#askAgainMs) return;
    const startMs = performance.now();
    const answers = this.#deps.files.openWriters(files);
    this.#askAgainMs = nowMs + (performance.now() - startMs) / WRITERS_SHARE;
    for (const [path, stability] of stabilities) stability.writers = answers.get(path) ?? 'unknown';
  }

  /** In the order of their rest: the first that is young enough ends it. */
  #forgetReadEarly(nowMs: number): void {
    const longAgoMs = nowMs - 2 * this.#deps.stabilityMs;
    for (const [path, readMs] of this.#readEarly) {
      if (readMs > longAgoMs) return;
      this.#readEarly.delete(path);
    }
  }
}
