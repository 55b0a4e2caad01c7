/**
 * How long the document at work has been waiting for the recognition of its pages: that time is not its own. Pages may be
 * read side by side; the time that any of them takes counts once. A process that does not say that a page has ended gets no
 * more than it asked for.
 */
const GRACE_MS = 2_000;

export class RecognitionTime {
  #pages = 0;
  #since = 0;
  /** When the pages that are being read must have ended. */
  #until = 0;
  #totalMs = 0;
  #hasBegun = false;

  /** Whether the document has had pages recognised. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  begin(now: number, atMostMs: number): void {
    this.#hasBegun = true;
    if (this.#pages === 0) {
      this.#since = now;
      this.#until = now;
    }
    this.#pages++;
    this.#until = Math.max(this.#until, now + atMostMs + GRACE_MS);
  }

  end(now: number): void {
    if (this.#pages === 0) return;
    this.#pages--;
    if (this.#pages === 0) this.#totalMs += Math.min(now, this.#until) - this.#since;
  }

  /** The next document begins with none. */
  reset(): void {
    this.#pages = 0;
    this.#totalMs = 0;
    this.#hasBegun = false;
  }

  totalMs(now: number): number {
    const current = this.#pages === 0 ? 0 : Math.min(now, this.#until) - this.#since;
    return this.#totalMs + current;
  }
}
