import { RateMeter } from '../base/rate-meter.js';
import type { ScanProgress } from './scan/scan-port.js';

/** Before this share and time an estimate would be a guess. */
const HONEST_SHARE = 0.05;
const HONEST_MS = 3000;
const WINDOW_MS = 30_000;

/** How fast a scan goes on, and how long the rest of it may take. Fed with the progress of one scan after the other. */
export class ScanRate {
  readonly #files = new RateMeter(WINDOW_MS);
  #startMs = 0;
  #last: ScanProgress | undefined;
  #resumed = false;
  #advancedMs = 0;

  /** `total`: entries of the tree, as far as anybody has counted them. */
  total: number | undefined;

  add(progress: ScanProgress, nowMs: number): void {
    const last = this.#last;
    if (last === undefined || progress.seen < last.seen) {
      this.#startMs = nowMs;
      this.#resumed = false;
    }
    // A scan that begins at the root has seen every folder that it completed: a resumed one has not.
    if (progress.completedFolders > progress.seen + 1) this.#resumed = true;
    if (last === undefined || hasAdvanced(last, progress)) this.#advancedMs = nowMs;
    this.#files.add(nowMs, progress.files);
    this.#last = progress;
  }

  filesPerSecond(nowMs: number): number {
    return this.#files.perSecond(nowMs);
  }

  /** When something last moved, epoch milliseconds; 0 before the first progress. */
  get advancedMs(): number {
    return this.#advancedMs;
  }

  /** Undefined while an estimate would be a guess. */
  remainingMs(nowMs: number): number | undefined {
    const { total } = this;
    const seen = this.#last?.seen ?? 0;
    const elapsedMs = nowMs - this.#startMs;
    if (total === undefined || this.#resumed || elapsedMs < HONEST_MS) return undefined;
    if (seen < total * HONEST_SHARE || seen > total) return undefined;
    return (elapsedMs / seen) * (total - seen);
  }
}

function hasAdvanced(last: ScanProgress, now: ScanProgress): boolean {
  return (
    now.seen !== last.seen ||
    now.files !== last.files ||
    now.failed !== last.failed ||
    now.deleted !== last.deleted ||
    now.completedFolders !== last.completedFolders
  );
}
