/**
 * How long the current document has waited for OCR; that time does not count towards its time limit. Pages may be recognised
 * in parallel; overlapping times count once. A process that does not report the end of a page is granted no more than it
 * announced.
 */
const GRACE_MS = 2_000;

export class RecognitionTime {
  #pages = 0;
  #since = 0;
  /** When the pages that are being recognised must have ended. */
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

  /** To be called for every new document. */
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
