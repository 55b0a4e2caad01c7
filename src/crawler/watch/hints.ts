import { joinPath } from '../../base/path.js';
import type { FileSight, FileSights } from '../../source/tree-watch.js';
import type { LookRequest } from '../scan/scan-runner.js';
import { asksForWriters, isAtRest, newTrace, observe, QUIET_MS, type Trace } from './settling.js';

export interface HintsDeps {
  readonly stabilityMs: number;
  readonly sights: FileSights;
  /** Whether the catalog knows the file by its inode, size and dates: it was moved, or only touched, and is at rest. */
  readonly isKnown: (sight: FileSight) => boolean;
  readonly maxFolders?: number;
  readonly maxNames?: number;
}

/** Folders and names that are told apart; beyond, a folder stands for its names, and the tree for its folders. */
const MAX_FOLDERS = 20_000;
const MAX_NAMES = 20_000;
/** Asking who writes may take this share of the time. */
const WRITERS_SHARE = 0.05;

const TOGETHER_MS = QUIET_MS / 2;

interface FolderHint {
  readonly sinceMs: number;
  /** Files that were written to and have not come to rest. */
  readonly names: Map<string, Trace>;
}

/**
 * What was seen to change and has not been looked at. Ten thousand events become the folders that they happened in; a folder
 * is due when one of its files has come to rest (settling.ts), and the others stay behind. Bounded, whatever happens.
 */
export class Hints {
  readonly #deps: HintsDeps;
  readonly #maxFolders: number;
  readonly #maxNames: number;
  #folders = new Map<string, FolderHint>();
  #names = 0;
  #isWide = false;
  /** Files that were read after a short rest: written to again, they have to rest longer. */
  #rested = new Map<string, number>();
  #askAgainMs = 0;

  constructor(deps: HintsDeps) {
    this.#deps = deps;
    this.#maxFolders = deps.maxFolders ?? MAX_FOLDERS;
    this.#maxNames = deps.maxNames ?? MAX_NAMES;
  }

  get isEmpty(): boolean {
    return this.#folders.size === 0 && !this.#isWide;
  }

  add(folder: string, name: string | undefined, nowMs: number): void {
    if (this.#isWide && name === undefined) return;
    let hint = this.#folders.get(folder);
    if (hint === undefined) {
      if (this.#folders.size >= this.#maxFolders) return this.addTree();
      hint = { sinceMs: nowMs, names: new Map() };
      this.#folders.set(folder, hint);
    }
    if (name === undefined || hint.names.has(name) || this.#names >= this.#maxNames) return;
    hint.names.set(name, this.#newTrace(joinPath(folder, name), nowMs));
    this.#names += 1;
  }

  /** Anything may have changed. Files that are being written keep their names. */
  addTree(): void {
    this.#isWide = true;
    for (const [folder, { names }] of this.#folders) if (names.size === 0) this.#folders.delete(folder);
  }

  /** A look that came to nothing. */
  giveBack({ folders, wide }: LookRequest, nowMs: number): void {
    if (wide) this.addTree();
    else for (const folder of folders) this.add(folder, undefined, nowMs);
  }

  /** Looks at the files that are waited for. Returns whether something is due. */
  refresh(nowMs: number): boolean {
    const undecided = new Map<string, FileSight>();
    const traces = new Map<string, Trace>();
    for (const [folder, { names }] of this.#folders) {
      for (const [name, trace] of names) {
        const path = joinPath(folder, name);
        observe(trace, this.#deps.sights.sight(path), nowMs);
        if (trace.sight === undefined || !asksForWriters(trace, nowMs, this.#deps.stabilityMs)) continue;
        undecided.set(path, trace.sight);
        traces.set(path, trace);
      }
    }
    this.#ask(undecided, traces, nowMs);
    if (this.#isWide) return true;
    for (const hint of this.#folders.values()) if (this.#isDue(hint, nowMs)) return true;
    return false;
  }

  /** What is due now; it is no hint any more. Undefined when there is nothing. */
  take(nowMs: number): LookRequest | undefined {
    this.#forgetRested(nowMs);
    const folders: string[] = [];
    for (const [folder, hint] of this.#folders) {
      // What comes together is looked at together, such as the two ends of a move.
      if (!this.#isWide && !this.#isDue(hint, nowMs + TOGETHER_MS)) continue;
      folders.push(folder);
      this.#dropRested(folder, hint, nowMs);
      if (hint.names.size === 0) this.#folders.delete(folder);
    }
    const wide = this.#isWide;
    this.#isWide = false;
    return folders.length === 0 && !wide ? undefined : { folders, wide };
  }

  /** Whether somebody is still writing the file, as it stands now. */
  isUnsettled(folder: string, name: string, nowMs: number): boolean {
    const trace = this.#folders.get(folder)?.names.get(name);
    if (trace === undefined) return false;
    observe(trace, this.#deps.sights.sight(joinPath(folder, name)), nowMs);
    return !isAtRest(trace, nowMs, this.#deps.stabilityMs);
  }

  #newTrace(path: string, nowMs: number): Trace {
    const sight = this.#deps.sights.sight(path);
    const trace = newTrace(sight, nowMs, this.#rested.has(path));
    if (sight !== undefined && this.#deps.isKnown(sight)) trace.sinceMs = -Infinity;
    return trace;
  }

  #isDue({ sinceMs, names }: FolderHint, nowMs: number): boolean {
    if (nowMs - sinceMs < QUIET_MS) return false;
    if (names.size === 0) return true;
    for (const trace of names.values()) if (isAtRest(trace, nowMs, this.#deps.stabilityMs)) return true;
    return false;
  }

  #dropRested(folder: string, { names }: FolderHint, nowMs: number): void {
    for (const [name, trace] of names) {
      if (!isAtRest(trace, nowMs, this.#deps.stabilityMs)) continue;
      names.delete(name);
      this.#names -= 1;
      if (trace.sight === undefined || this.#rested.size >= this.#maxNames) continue;
      this.#rested.set(joinPath(folder, name), nowMs);
    }
  }

  #ask(files: ReadonlyMap<string, FileSight>, traces: ReadonlyMap<string, Trace>, nowMs: number): void {
    if (files.size === 0 || nowMs < this.#askAgainMs) return;
    const startMs = performance.now();
    const answers = this.#deps.sights.writers(files);
    this.#askAgainMs = nowMs + (performance.now() - startMs) / WRITERS_SHARE;
    for (const [path, trace] of traces) trace.writers = answers.get(path) ?? 'unknown';
  }

  /** In the order of their rest: the first that is young enough ends it. */
  #forgetRested(nowMs: number): void {
    const longAgoMs = nowMs - 2 * this.#deps.stabilityMs;
    for (const [path, restedMs] of this.#rested) {
      if (restedMs > longAgoMs) return;
      this.#rested.delete(path);
    }
  }
}
