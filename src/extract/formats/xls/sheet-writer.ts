import type { FormatContext } from '../../format.js';

/**
 * Writes cells as they come: a line a row, a tab for each column to the left. What belongs to a sheet but to no cell
 * (headers, text boxes, comments, labels of charts) is kept and follows behind the sheet.
 */
export class SheetWriter {
  readonly #context: FormatContext;
  #row = 0;
  #column = 0;
  #outside: string[] = [];

  constructor(context: FormatContext) {
    this.#context = context;
  }

  begin(name: string): void {
    this.end();
    this.#row = 0;
    this.#column = 0;
    this.#context.write(`${name}\n`);
  }

  cell(row: number, column: number, text: string): void {
    const shown = text.trim();
    if (shown === '') return;
    if (row !== this.#row) {
      this.#context.write('\n');
      this.#row = row;
      this.#column = 0;
    }
    this.#context.write('\t'.repeat(Math.max(column - this.#column, 1)) + shown);
    this.#column = column;
  }

  outside(text: string): void {
    const shown = text.trim();
    if (shown !== '') this.#outside.push(shown);
  }

  end(): void {
    for (const text of this.#outside) this.#context.write(`\n${text}\n`);
    this.#outside = [];
    this.#context.write('\n\n');
  }
}
