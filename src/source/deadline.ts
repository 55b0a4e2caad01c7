import { CrawlerError } from '../base/errors.js';

/** How long a server may keep us waiting. */
export interface Patience {
  /** For connecting and logging in, in milliseconds. */
  readonly connectMs: number;
  /** Without a byte, for an answer or in the middle of a transfer, in milliseconds. */
  readonly silenceMs: number;
}

export const usualPatience: Patience = { connectMs: 20_000, silenceMs: 30_000 };

/**
 * Waits for the network: at most `ms`, and not beyond the signal. Whoever gave up ends the work itself, by closing the
 * connection; what it answers later is not looked at.
 */
export async function within<T>(
  work: Promise<T>,
  ms: number,
  signal: AbortSignal,
  late: () => CrawlerError,
): Promise<T> {
  let giveUp: (fault: CrawlerError) => void = () => undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  const onAbort = (): void => giveUp(cancelled(signal));
  const timer = setTimeout(() => giveUp(late()), ms);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([givenUp, work]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

export function cancelled(signal: AbortSignal): CrawlerError {
  return new CrawlerError('cancelled', 'The work was cancelled.', { cause: signal.reason });
}
