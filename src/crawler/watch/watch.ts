import type { Clock } from '../../base/clock.js';
import type { WatchSink } from '../../source/tree-watch.js';
import type { PartialScanRequest } from '../scan/scan-runner.js';
import type { PendingChanges } from './pending-changes.js';

export interface WatchDeps {
  readonly pendingChanges: PendingChanges;
  readonly clock: Clock;
  /** Folders of our own, such as the one that holds the index, whose changes mean nothing. */
  readonly isOwn: (path: string) => boolean;
  /** Something is due; reported once, until it is taken. */
  readonly onDue: () => void;
  readonly onEnd: (message: string) => void;
}

/** Between two checks of the files that are waited for; longer when there are so many that a check takes its time. */
const CHECK_MS = 100;
const REST_FACTOR = 5;

/**
 * Gathers what the source reports and says when there is something to scan. While nothing is waited for it does
 * nothing at all.
 */
export class Watch implements WatchSink {
  readonly #deps: WatchDeps;
  readonly #closed = new AbortController();
  #isChecking = false;
  /** It was reported, and has not been taken yet. */
  #isAnnounced = false;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  changed(folder: string, name: string | undefined): void {
    const { pendingChanges, clock, isOwn } = this.#deps;
    if (isOwn(folder)) return;
    pendingChanges.add(folder, name, clock.now());
    this.#check();
  }

  overflowed(): void {
    this.#deps.pendingChanges.addTree();
    this.#check();
  }

  ended(message: string): void {
    this.#deps.onEnd(message);
  }

  /** What is due. The rest is watched on. */
  take(): PartialScanRequest | undefined {
    const { pendingChanges, clock } = this.#deps;
    const nowMs = clock.now();
    const request = pendingChanges.refresh(nowMs) ? pendingChanges.take(nowMs) : undefined;
    this.#isAnnounced = false;
    this.#check();
    return request;
  }

  /** A partial scan that did not complete; its folders are due again. */
  giveBack(request: PartialScanRequest): void {
    this.#deps.pendingChanges.giveBack(request, this.#deps.clock.now());
  }

  isUnstable(folder: string, name: string): boolean {
    return this.#deps.pendingChanges.isUnstable(folder, name, this.#deps.clock.now());
  }

  close(): void {
    this.#closed.abort();
  }

  #check(): void {
    if (this.#isChecking || this.#isAnnounced || this.#deps.pendingChanges.isEmpty) return;
    this.#isChecking = true;
    void this.#untilDue();
  }

  async #untilDue(): Promise<void> {
    const { pendingChanges, clock, onDue } = this.#deps;
    const { signal } = this.#closed;
    let costMs = 0;
    for (let isDue = false; !isDue;) {
      await clock.sleep(Math.max(CHECK_MS, REST_FACTOR * costMs), signal);
      if (signal.aborted) return;
      const startMs = performance.now();
      isDue = pendingChanges.refresh(clock.now());
      costMs = performance.now() - startMs;
    }
    this.#isChecking = false;
    this.#isAnnounced = true;
    onDue();
  }
}
