/**
 * How many single-letter edits lead from one text to the other: insert, delete, replace, swap two neighbours (optimal
 * string alignment).
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = at(last, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped = areSwapped(from, row, to, column) ? at(beforeLast, column - 2) + 1 : Infinity;
      current.push(Math.min(replaced, swapped, at(last, column) + 1, at(current, column - 1) + 1));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function areSwapped(from: string, row: number, to: string, column: number): boolean {
  return row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
}

function at(line: readonly number[], column: number): number {
  return line[column] ?? Infinity;
}
