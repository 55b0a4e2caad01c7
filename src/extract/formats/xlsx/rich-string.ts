/**
 * A string of a cell: text, or runs of text, then phonetic runs (`rPh`), which say how the text is read and follow it
 * after a space. Fed with the elements of one string item.
 */
export class RichString {
  #text = '';
  #collecting = false;

  open(name: string): void {
    if (name === 't') this.#collecting = true;
    else if (name === 'rPh') this.#text += this.#text === '' ? '' : ' ';
  }

  text(text: string): void {
    if (this.#collecting) this.#text += text;
  }

  close(name: string): void {
    if (name === 't') this.#collecting = false;
  }

  /** The string so far; a new one begins. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
