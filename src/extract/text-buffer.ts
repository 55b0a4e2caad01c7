/** Characters that no document means as text: controls other than tab, line feed and carriage return, and non-characters. */
const UNPRINTABLE = /\p{Cc}(?<![\t\n\r])|[\ufffe\uffff]/u;
/** A run at a time: a file of zeros would otherwise make millions of matches, and the garbage of each. */
const UNPRINTABLE_RUNS = new RegExp(`(?:${UNPRINTABLE.source})+`, 'gu');

/** The text of a document while it grows, cut at its limit. Positions are UTF-16 units, as in the finished text. */
export class TextBuffer {
  readonly #limit: number;
  #text = '';
  #refused = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#text.length;
  }

  /** True when something visible did not fit. Text that fits to the last character is whole, and so is none when none is wanted. */
  get truncated(): boolean {
    return this.#refused && this.#limit > 0;
  }

  /** True when nothing more will be taken. */
  get full(): boolean {
    return this.#refused || this.#limit === 0;
  }

  write(text: string): void {
    if (text === '' || this.#refused) return;
    const room = this.#limit - this.#text.length;
    if (text.length > room && text.slice(room).trim() !== '') this.#refused = true;
    const fitting = text.length > room ? text.slice(0, room) : text;
    this.#text += UNPRINTABLE.test(fitting)
      ? fitting.replace(UNPRINTABLE_RUNS, (run) => ' '.repeat(run.length))
      : fitting;
  }

  toString(): string {
    return this.#text;
  }
}
