import type { FormatContext } from '../../format.js';
import type { ReadableText } from '../../containers/charset/read-text.js';
import type { Delimiter } from './sniff-delimiter.js';

const NAMES: Readonly<Record<Delimiter, string>> = { ',': 'comma', '\t': 'tab', ';': 'semicolon', '|': 'pipe' };

/** Writes a text as a table: a tab before each cell, a line a row, quotes removed. */
export async function writeTable(text: ReadableText, delimiter: Delimiter, context: FormatContext): Promise<void> {
  const type = delimiter === '\t' ? 'text/tsv' : 'text/csv';
  context.contentType(`${type}; charset=${text.charset}; delimiter=${NAMES[delimiter]}`);
  context.setMeta('csv:delimiter', NAMES[delimiter]);
  const cells = new CellWriter(delimiter, context);
  for await (const piece of text.pieces()) {
    cells.write(piece);
    if (context.full) return;
  }
  cells.end();
}

/**
 * A table as a stream. Between pieces it knows where it stands: inside quotes, at the beginning of a cell, or behind a quote
 * that either closes the cell or is the first half of a doubled one.
 */
class CellWriter {
  readonly #delimiter: string;
  readonly #context: FormatContext;
  #state: 'row' | 'cell' | 'plain' | 'quoted' | 'quote' = 'row';
  #rows = 0;
  #columns = 0;
  #out = '';

  constructor(delimiter: string, context: FormatContext) {
    this.#delimiter = delimiter;
    this.#context = context;
  }

  write(piece: string): void {
    for (const character of piece) this.#take(character);
    this.#flush();
  }

  end(): void {
    if (this.#state !== 'row') this.#endRow();
    this.#flush();
    this.#context.setMeta('csv:num_rows', String(this.#rows));
  }

  #take(character: string): void {
    if (this.#state === 'quoted') {
      if (character === '"') this.#state = 'quote';
      else this.#out += character;
      return;
    }
    if (this.#state === 'quote' && character === '"') {
      this.#out += '"';
      this.#state = 'quoted';
    } else if (character === '\n' || character === '\r') {
      if (this.#state !== 'row') this.#endRow();
    } else if (character === this.#delimiter) this.#endCell();
    else if (character === '"' && (this.#state === 'row' || this.#state === 'cell')) {
      this.#beginCell();
      this.#state = 'quoted';
    } else this.#plain(character);
  }

  #plain(character: string): void {
    if (this.#state === 'row' || this.#state === 'cell') this.#beginCell();
    this.#state = 'plain';
    this.#out += character;
  }

  #beginCell(): void {
    this.#out += '\t';
  }

  #endCell(): void {
    if (this.#state === 'row' || this.#state === 'cell') this.#beginCell();
    this.#state = 'cell';
    this.#columns++;
  }

  #endRow(): void {
    this.#out += '\n';
    this.#state = 'row';
    if (this.#rows === 0) this.#context.setMeta('csv:num_columns', String(this.#columns + 1));
    this.#rows++;
    this.#columns = 0;
  }

  #flush(): void {
    this.#context.write(this.#out);
    this.#out = '';
  }
}
