import { Readable } from 'node:stream';
import type { CrawlerError } from '../base/errors.js';
import { cancelled, within } from './deadline.js';

/** The bytes of one remote file on their way in. */
export interface RemoteBody {
  /** The next bytes, or undefined when the protocol says that the file is complete. Rejects when the transfer breaks off. */
  next(): Promise<Buffer | undefined>;
  /** Called once. `complete` is false when the transfer was given up and what carries it is of no further use. */
  close(complete: boolean): void;
}

export interface RemoteStreamOptions {
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  /** Turns what `next` rejected with into a sentence. */
  fault(error: unknown): CrawlerError;
  silent(): CrawlerError;
}

/**
 * A remote file as a stream. It ends only when the protocol has confirmed the last byte; a transfer that breaks off or
 * falls silent is an error. Silence is counted only while a reader waits for bytes: a slow reader is not the server's fault.
 */
export class RemoteStream extends Readable {
  readonly #body: RemoteBody;
  readonly #options: RemoteStreamOptions;
  readonly #onAbort: () => void;
  #complete = false;

  constructor(body: RemoteBody, options: RemoteStreamOptions) {
    super({ highWaterMark: 128 * 1024 });
    this.#body = body;
    this.#options = options;
    const { signal } = options;
    this.#onAbort = () => this.destroy(cancelled(signal));
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  override _read(): void {
    void this.#pull();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#body.close(this.#complete);
    done(error);
  }

  async #pull(): Promise<void> {
    const { silenceMs, signal } = this.#options;
    try {
      const chunk = await within(this.#body.next(), silenceMs, signal, () => this.#options.silent());
      if (this.destroyed) return;
      this.#complete = chunk === undefined;
      this.push(chunk ?? null);
    } catch (error) {
      this.destroy(this.#options.fault(error));
    }
  }
}
