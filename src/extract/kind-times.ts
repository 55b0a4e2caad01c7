import { typeOfName } from './detect/name-types.js';

/** How long documents of one kind took to extract. */
export interface KindTime {
  /** Media type by the name of the file, or `other`. */
  readonly kind: string;
  readonly documents: number;
  readonly bytes: number;
  readonly ms: number;
}

/** A few hundred kinds at most, whatever names there are. */
export function kindOfName(name: string): string {
  return typeOfName(name)?.type ?? 'other';
}

/** Sums up the times of all documents since the program started, by kind. */
export class KindTimes {
  readonly #times = new Map<string, { documents: number; bytes: number; ms: number }>();

  get list(): readonly KindTime[] {
    return [...this.#times].map(([kind, time]) => ({ kind, ...time }));
  }

  add(name: string, bytes: number, ms: number): void {
    const kind = kindOfName(name);
    const time = this.#times.get(kind) ?? { documents: 0, bytes: 0, ms: 0 };
    time.documents += 1;
    time.bytes += bytes;
    time.ms += ms;
    this.#times.set(kind, time);
  }
}
