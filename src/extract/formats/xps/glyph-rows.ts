/**
 * Puts the glyph runs of a page into rows. A page stores runs with positions, not lines of text; they mostly come in
 * reading order. A run joins the row of the run before it when their base lines are less than half a letter apart; rows
 * are ordered from top to bottom, runs in a row by their position, and a gap wider than a third of a letter is a space.
 */
export interface GlyphRun {
  readonly text: string;
  /** Left or, for right-to-left runs, right end of the base line. */
  readonly x: number;
  readonly y: number;
  readonly fontSize: number;
  /** In the same unit as `x`. */
  readonly width: number;
  readonly rightToLeft: boolean;
}

const SAME_ROW = 0.5;
const GAP = 0.3;
/** Of a letter whose advance is not stored, in letter sizes. */
const ESTIMATED_ADVANCE = 0.5;

export function rowsOf(runs: readonly GlyphRun[]): string[] {
  const rows: GlyphRun[][] = [];
  let last: GlyphRun | undefined;
  for (const run of runs) {
    if (last !== undefined && Math.abs(run.y - last.y) < meanSize(run, last) * SAME_ROW) rows.at(-1)?.push(run);
    else rows.push([run]);
    last = run;
  }
  return rows.sort((a, b) => (a[0]?.y ?? 0) - (b[0]?.y ?? 0)).map(rowText);
}

/** `indices` holds an entry a glyph: its number, then, behind a comma, its advance in hundredths of the font size. */
export function runWidth(text: string, indices: string, fontSize: number): number {
  const advances =
    indices === '' ? [] : indices.split(';').map((each) => Number(each.split(',')[1] ?? Number.NaN) / 100);
  let width = 0;
  for (let index = 0; index < Math.max(text.length, advances.length); index++) {
    const advance = advances[index] ?? Number.NaN;
    width += advance > 0 ? advance : ESTIMATED_ADVANCE;
  }
  return width * fontSize;
}

function rowText(row: readonly GlyphRun[]): string {
  const leftward = row.every((run) => run.rightToLeft || run.text.trim() === '');
  const ordered = [...row].sort((a, b) => (leftward ? left(b) - left(a) : left(a) - left(b)));
  let text = '';
  let previous: GlyphRun | undefined;
  for (const run of ordered) {
    if (previous !== undefined && gap(previous, run) > meanSize(run, previous) * GAP) text += ' ';
    text += run.text;
    previous = run;
  }
  return text;
}

function gap(one: GlyphRun, other: GlyphRun): number {
  return Math.max(left(other) - right(one), left(one) - right(other));
}

function left(run: GlyphRun): number {
  return run.rightToLeft ? run.x - run.width : run.x;
}

function right(run: GlyphRun): number {
  return left(run) + run.width;
}

function meanSize(one: GlyphRun, other: GlyphRun): number {
  return (one.fontSize + other.fontSize) / 2;
}
