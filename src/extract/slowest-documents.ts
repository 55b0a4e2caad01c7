import type { DocumentTime } from '../model/document-time.js';

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
