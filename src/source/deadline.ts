import { CrawlerError } from '../base/errors.js';

/** How long to wait for a server. */
export interface NetworkTimeouts {
  /** For connecting and logging in, in milliseconds. */
  readonly connectMs: number;
  /** Without a byte, for an answer or in the middle of a transfer, in milliseconds. */
  readonly silenceMs: number;
}

export const defaultTimeouts: NetworkTimeouts = { connectMs: 20_000, silenceMs: 30_000 };

/**
 * Waits for the network: at most `ms`, and not beyond the signal. The caller that gives up also ends the work, by closing
 * the connection; a later result is ignored.
 */
export async function within<T>(
  work: Promise<T>,
  ms: number,
  signal: AbortSignal,
  late: () => CrawlerError,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await unlessAborted(Promise.race([tooLate, work]), signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits as long as it takes, but not beyond the signal. The work itself continues. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let giveUp: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(cancelled(signal));
  });
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/**
 * A signal that ends with the first of its parents, or by itself. It is not made by `AbortSignal.any`, whose signals Node
 * may collect before they fire. Call `release` when the signal is no longer needed.
 */
export class LinkedSignal {
  readonly #controller = new AbortController();
  readonly #unlink: (() => void)[] = [];

  constructor(...parents: readonly AbortSignal[]) {
    for (const parent of parents) {
      const abort = (): void => this.abort(parent.reason);
      parent.addEventListener('abort', abort, { once: true });
      this.#unlink.push(() => parent.removeEventListener('abort', abort));
      if (parent.aborted) abort();
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  release(): void {
    for (const unlink of this.#unlink) unlink();
  }
}

export function cancelled(signal: AbortSignal): CrawlerError {
  return new CrawlerError('cancelled', 'The work was cancelled.', { cause: signal.reason });
}
