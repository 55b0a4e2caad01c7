import type { StorageEngine } from 'multer';
import { CrawlerError } from '../base/errors.js';
import { ByteBudget, SpooledFile } from '../source/spool.js';
import type { Spool } from '../source/spool.js';
import { TEXT_LIMIT, textTooLarge } from './text-body.js';

type StoredFile = Express.Multer.File;
type Done = (error?: unknown, info?: Partial<StoredFile>) => void;

/**
 * Multer's view of the spool. A storage engine must consume the stream of each part to its end and must never destroy it,
 * or the parser hangs; the spool keeps to that.
 */
export class SpoolStorage implements StorageEngine {
  readonly #spool: Spool;
  readonly #maxBytes: number;
  readonly #budgets = new WeakMap<object, ByteBudget>();

  constructor(spool: Spool, maxBytes: number) {
    this.#spool = spool;
    this.#maxBytes = maxBytes;
  }

  _handleFile(request: object, file: StoredFile, done: Done): void {
    const isText = file.fieldname === 'tags';
    this.#spool.receive(file.stream, { limit: isText ? TEXT_LIMIT : this.#budgetOf(request) }).then(
      (spooled) => {
        const info: Partial<StoredFile> & { readonly spooled: SpooledFile } = { spooled };
        done(null, info);
      },
      (error: unknown) =>
        done(isText && error instanceof CrawlerError && error.code === 'too_large' ? textTooLarge() : error),
    );
  }

  /** The documents of one upload share it. */
  #budgetOf(request: object): ByteBudget {
    const budget = this.#budgets.get(request) ?? new ByteBudget(this.#maxBytes);
    this.#budgets.set(request, budget);
    return budget;
  }

  _removeFile(_request: unknown, file: StoredFile, done: (error: Error | null) => void): void {
    const removed = spooledFile(file)?.remove() ?? Promise.resolve();
    removed.then(
      () => done(null),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  }
}

/** What `_handleFile` attached to the file. */
export function spooledFile(file: StoredFile): SpooledFile | undefined {
  return 'spooled' in file && file.spooled instanceof SpooledFile ? file.spooled : undefined;
}
