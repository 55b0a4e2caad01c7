/** A document and how long its extraction took, or has taken until now. */
export interface DocumentTime {
  /** Where the document lies, or its name. */
  readonly document: string;
  readonly elapsedMs: number;
  /** The page whose text is being recognised, and how many pages there are; left out where nothing is. */
  readonly page?: number;
  readonly pages?: number;
}

/** The documents that took longest, longest first. */
export class SlowestDocuments {
  readonly #length: number;
  #list: readonly DocumentTime[] = [];

  constructor(length: number) {
    this.#length = length;
  }

  get list(): readonly DocumentTime[] {
    return this.#list;
  }

  /** The same document counts once, with its longest time. */
  add(document: string, elapsedMs: number): void {
    if (this.#list.length >= this.#length && elapsedMs <= (this.#list.at(-1)?.elapsedMs ?? 0)) return;
    const known = this.#list.find((each) => each.document === document);
    if (known !== undefined && known.elapsedMs >= elapsedMs) return;
    this.#list = [...this.#list.filter((each) => each !== known), { document, elapsedMs }]
      .sort((left, right) => right.elapsedMs - left.elapsedMs)
      .slice(0, this.#length);
  }
}
