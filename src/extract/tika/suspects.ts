/**
 * Documents on which the server went down, and how often in a row. They are remembered beyond one attempt: when the server does
 * not come back in time the document is asked about again later, and must not bring it down again and again.
 */
export class Suspects {
  readonly #strikes = new Map<string, number>();

  strikesOf(document: string): number {
    return this.#strikes.get(document) ?? 0;
  }

  /** Returns how often it was by now. */
  strike(document: string): number {
    const strikes = this.strikesOf(document) + 1;
    this.acquit(document);
    this.#strikes.set(document, strikes);
    const [oldest] = this.#strikes.keys();
    if (this.#strikes.size > MOST && oldest !== undefined) this.acquit(oldest);
    return strikes;
  }

  acquit(document: string): void {
    this.#strikes.delete(document);
  }
}

/** The oldest are forgotten. */
const MOST = 1_000;
