import { setNewest } from '../../base/set-newest.js';

/**
 * Documents on which the server went down, and how often in a row. They are remembered beyond one attempt: when the server does
 * not come back in time the document is asked about again later, and must not bring it down again and again.
 */
export class CrashCounter {
  readonly #counts = new Map<string, number>();

  countOf(document: string): number {
    return this.#counts.get(document) ?? 0;
  }

  /** Returns how often it was by now. */
  add(document: string): number {
    const strikes = this.countOf(document) + 1;
    setNewest(this.#counts, document, strikes, MOST);
    return strikes;
  }

  reset(document: string): void {
    this.#counts.delete(document);
  }
}

/** The oldest are forgotten. */
const MOST = 1_000;
