import { CrawlerError, messageOf } from '../../../base/errors.js';

/** What ends the whole document and not only an entry: its time or its budget is used up. */
export const ENDS_DOCUMENT: ReadonlySet<string> = new Set(['too_large', 'timed_out']);

/**
 * What was wrong with single entries of an archive. One of them does not keep the others from being read; at the end one
 * sentence says it for all: protection first, because a password can help against it.
 */
export class EntryFaults {
  readonly #faults: CrawlerError[] = [];

  add(fault: CrawlerError): void {
    this.#faults.push(fault);
  }

  report(): void {
    const worst = this.#faults.find(({ code }) => code === 'encrypted') ?? this.#faults[0];
    if (worst === undefined) return;
    const others = this.#faults.length - 1;
    const message = messageOf(worst) + (others > 0 ? ` (and ${others} more of its entries are unreadable)` : '');
    throw new CrawlerError(worst.code, message, { cause: worst });
  }
}
