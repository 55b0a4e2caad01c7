/**
 * A word with the spellings that are few edits away from it: letters inserted, left out or replaced, and two neighbours
 * exchanged where `transpositions` says so (each pair once, as in Lucene: the optimal string alignment distance).
 *
 * A sorted vocabulary is gone through by leaps. `next` tells the least text behind a term that can be, or begin, a spelling;
 * what lies between is passed over unread. Texts are compared by code points, the order of SQLite's UTF-8.
 */
type Row = readonly number[];

interface State {
  readonly row: Row;
  /** For exchanged neighbours: the row and the letter before. */
  readonly before: Row | undefined;
  readonly letter: number | undefined;
}

const LAST_LETTER = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

export class EditPattern {
  readonly #word: readonly number[];
  readonly #letters: readonly number[];
  readonly #most: number;
  readonly #transpositions: boolean;
  readonly #start: State;

  constructor(word: string, most: number, transpositions = true) {
    this.#word = pointsOf(word);
    this.#letters = [...new Set(this.#word)];
    this.#most = most;
    this.#transpositions = transpositions;
    this.#start = { row: [0, ...this.#word.map((_, at) => at + 1)], before: undefined, letter: undefined };
  }

  /** The number of edits, or undefined when there are too many. */
  edits(text: string): number | undefined {
    const points = pointsOf(text);
    if (Math.abs(points.length - this.#word.length) > this.#most) return undefined;
    const states = this.#statesOf(points);
    const last = states[points.length]?.row.at(-1);
    return last !== undefined && last <= this.#most ? last : undefined;
  }

  /** Undefined when no spelling can come behind the text. */
  next(text: string): string | undefined {
    const points = pointsOf(text);
    const states = this.#statesOf(points);
    for (let at = states.length - 1; at >= 0; at -= 1) {
      const state = states[at];
      const letter = state === undefined ? undefined : this.#nextLetter(state, (points[at] ?? 0) + 1);
      if (letter !== undefined) return String.fromCodePoint(...points.slice(0, at), letter);
    }
    return undefined;
  }

  /** The states behind each letter, as long as there is a spelling that continues from there; the first is the beginning. */
  #statesOf(points: readonly number[]): State[] {
    const states = [this.#start];
    for (const letter of points) {
      const state = this.#behind(states.at(-1) ?? this.#start, letter);
      if (!this.#isAlive(state)) break;
      states.push(state);
    }
    return states;
  }

  /** The least letter from `least` on that a spelling can continue with. A letter that the word does not have stands for all others. */
  #nextLetter(state: State, least: number): number | undefined {
    const other = least >= FIRST_SURROGATE && least <= LAST_SURROGATE ? LAST_SURROGATE + 1 : least;
    if (other > LAST_LETTER) return undefined;
    if (this.#isAlive(this.#behind(state, other))) return other;
    const possible = this.#letters.filter((each) => each > other && this.#isAlive(this.#behind(state, each)));
    return possible.length === 0 ? undefined : Math.min(...possible);
  }

  #behind(state: State, letter: number): State {
    const { row } = state;
    const next = [at(row, 0) + 1];
    for (const [place, wanted] of this.#word.entries()) {
      const changed = at(row, place) + Number(wanted !== letter);
      next.push(Math.min(changed, at(row, place + 1) + 1, at(next, place) + 1, this.#exchanged(state, place, letter)));
    }
    return { row: next, before: row, letter };
  }

  /** The edits when this letter and the one before have changed places, or infinitely many. */
  #exchanged({ before, letter: previous }: State, place: number, letter: number): number {
    const isExchanged = place > 0 && this.#word[place] === previous && this.#word[place - 1] === letter;
    return this.#transpositions && isExchanged && before !== undefined ? at(before, place - 1) + 1 : Infinity;
  }

  #isAlive({ row }: State): boolean {
    return row.some((edits) => edits <= this.#most);
  }
}

function at(row: Row, place: number): number {
  return row[place] ?? Infinity;
}

function pointsOf(text: string): number[] {
  return Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
}
