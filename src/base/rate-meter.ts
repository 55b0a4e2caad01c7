/** How fast a count grows, over a sliding window: what happened long ago says nothing about the next minutes. */
export class RateMeter {
  readonly #windowMs: number;
  #samples: { readonly atMs: number; readonly count: number }[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** `count` is the running total. A smaller one than before begins anew. */
  add(atMs: number, count: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && count < last.count) this.#samples = [];
    this.#samples.push({ atMs, count });
    // One sample from before the window stays: the window is then always fully covered.
    while ((this.#samples[1]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs - this.#windowMs) this.#samples.shift();
  }

  /** Per second, 0 while nothing can be said. */
  perSecond(nowMs: number): number {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || nowMs <= first.atMs) return 0;
    // Nothing has come for longer than the window: it stands still.
    if (nowMs - last.atMs > this.#windowMs) return 0;
    return ((last.count - first.count) / (nowMs - first.atMs)) * 1000;
  }
}
