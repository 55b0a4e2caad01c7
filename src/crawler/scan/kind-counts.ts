import { kindOfName } from '../../extract/index.js';

export interface KindCount {
  /** Media type by the name of the file, or `other`. */
  readonly kind: string;
  readonly files: number;
  readonly bytes: number;
}

/** Counts files by kind. */
export class KindCounts {
  readonly #counts = new Map<string, { files: number; bytes: number }>();

  get list(): readonly KindCount[] {
    return [...this.#counts].map(([kind, count]) => ({ kind, ...count }));
  }

  add({ name, size }: { readonly name: string; readonly size: number }): void {
    const kind = kindOfName(name);
    const count = this.#counts.get(kind) ?? { files: 0, bytes: 0 };
    count.files += 1;
    count.bytes += Math.max(0, size);
    this.#counts.set(kind, count);
  }
}

export function filesIn(counts: readonly KindCount[]): number {
  return counts.reduce((sum, { files }) => sum + files, 0);
}
