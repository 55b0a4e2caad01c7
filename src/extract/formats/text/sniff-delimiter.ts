/**
 * Is this text a table, and what separates its columns? For each delimiter that the first row has, the rows are counted by
 * their number of columns: the more rows there are and the more of them agree, the more it is a table. Cells in quotes are
 * strong evidence, text behind a closing quote is proof of the contrary.
 *
 * The weights are those of Tika's detector, so that the same files come out as tables: ten rows alone are not enough,
 * eleven that agree are.
 */
export type Delimiter = ',' | '\t' | ';' | '|';

const DELIMITERS: readonly Delimiter[] = [',', '\t', '|', ';'];
const MINIMAL_CONFIDENCE = 0.5;
const MINIMAL_ROWS = 3;

/** `beginning` may end in the middle of a row: that row does not count. */
export function sniffDelimiter(beginning: string): Delimiter | undefined {
  const end = beginning.search(/[\r\n]/);
  if (end === -1) return undefined;
  const firstRow = beginning.slice(0, end);
  let best: Delimiter | undefined;
  let bestConfidence = MINIMAL_CONFIDENCE;
  for (const delimiter of DELIMITERS) {
    if (!firstRow.includes(delimiter)) continue;
    const confidence = confidenceOf(new RowCounter(delimiter).count(beginning));
    if (confidence > bestConfidence || (best === undefined && confidence === bestConfidence)) {
      best = delimiter;
      bestConfidence = confidence;
    }
  }
  return best;
}

interface RowCounts {
  /** Rows by their number of columns. */
  readonly rows: ReadonlyMap<number, number>;
  readonly quotedCells: number;
  readonly broken: boolean;
}

function confidenceOf({ rows, quotedCells, broken }: RowCounts): number {
  if (broken) return -1;
  let total = 0;
  let commonest = 0;
  for (const [columns, count] of rows) {
    total += count;
    if (columns > 1) commonest = Math.max(commonest, count);
  }
  const consistency = total < MINIMAL_ROWS ? 0 : (1 - total ** -0.3) * (commonest / total);
  const quoting = quotedCells === 0 ? 0 : 1 - quotedCells ** -0.2;
  return Math.min(1, consistency + quoting);
}

class RowCounter {
  readonly #delimiter: string;
  readonly #rows = new Map<number, number>();
  #quotedCells = 0;
  #columns = 0;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  count(text: string): RowCounts {
    let at = 0;
    let cellStart = 0;
    while (at < text.length) {
      const character = text.charAt(at);
      if (character === '"') {
        const end = at === cellStart ? this.#endOfQuoted(text, at) : undefined;
        if (end === undefined) return this.#result(true);
        if (end === -1) break;
        at = end;
        cellStart = -1;
      } else if (character === this.#delimiter) {
        if (cellStart !== -1) this.#columns++;
        at = skip(text, at + 1, ' ');
        cellStart = at;
      } else if (character === '\n' || character === '\r') {
        if (cellStart !== -1 && at > cellStart) this.#columns++;
        this.#endRow();
        at = skip(text, at + 1, '\r\n');
        cellStart = at;
      } else at++;
    }
    return this.#result(false);
  }

  /** Index behind the cell; -1 when the text ends inside; undefined when something other than a delimiter follows. */
  #endOfQuoted(text: string, start: number): number | undefined {
    for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2)) {
      if (text.charAt(at + 1) === '"') continue;
      this.#quotedCells++;
      this.#columns++;
      const next = skip(text, at + 1, ' ');
      const follower = text.charAt(next);
      return follower === '' || follower === this.#delimiter || follower === '\n' || follower === '\r'
        ? next
        : undefined;
    }
    return -1;
  }

  #endRow(): void {
    this.#rows.set(this.#columns, (this.#rows.get(this.#columns) ?? 0) + 1);
    this.#columns = 0;
  }

  #result(broken: boolean): RowCounts {
    return { rows: this.#rows, quotedCells: this.#quotedCells, broken };
  }
}

function skip(text: string, from: number, characters: string): number {
  let at = from;
  while (at < text.length && characters.includes(text.charAt(at))) at++;
  return at;
}
