import { grouped } from '../base/grouped.js';
import { writeOut } from './write-out.js';

/** Lines of a report. They gather until `flush`, which waits for a slow reader: memory stays flat however many come. */
export class ReportLines {
  #lines: string[] = [];

  add(...lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  /** A table: cells of a column begin below each other. */
  addTable(rows: readonly (readonly string[])[], indent = '  '): void {
    const widths: number[] = [];
    for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
    for (const row of rows) {
      const cells = row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)));
      this.#lines.push((indent + cells.join('  ')).trimEnd());
    }
  }

  async flush(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length > 0) await writeOut(`${lines.join('\n')}\n`);
  }
}

/** `1,234 files`, `1 file`. */
export function counted(count: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** A moment as people read it, in local time. */
export function moment(epochMs: number): string {
  const local = new Date(epochMs - new Date(epochMs).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}

/** `about 3 min`, `2 h 5 min`, `12 s`. */
export function span(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return `${Math.max(1, Math.round(ms))} ms`;
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
