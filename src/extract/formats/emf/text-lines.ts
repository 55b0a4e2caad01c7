export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
}

/** Units between two texts of one line from which on they are two words. */
const WORD_GAP = 10;

/** A metafile draws words, parts of words and single characters: joins what stands side by side into lines. */
export class TextLines {
  readonly #write: (line: string) => void;
  #line = '';
  #last: Rectangle | undefined;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  add(text: string, place: Rectangle): void {
    if (this.#last !== undefined) {
      if (this.#last.top !== place.top) this.end();
      else if (Math.abs(place.left - this.#last.right) > WORD_GAP) this.#line += ' ';
    }
    this.#line += text;
    this.#last = place;
  }

  end(): void {
    if (this.#line !== '') this.#write(this.#line);
    this.#line = '';
  }
}
