import { CrawlerError } from '../base/errors.js';
import { stopRequest } from './signals.js';

/** How long a command that was asked to stop may take to put its things away. */
const GRACE_MS = 2_000;

/**
 * Runs a command that does one thing and ends. A signal stops it, also where it does not listen.
 * @throws CrawlerError `cancelled` with this sentence when it was stopped
 */
export async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>, sentence = 'Stopped.'): Promise<T> {
  const { signal } = stopRequest();
  const cancelled = (cause: unknown): CrawlerError => new CrawlerError('cancelled', sentence, { cause });
  let grace: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => {
      grace = setTimeout(() => reject(cancelled(signal.reason)), GRACE_MS);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work(signal), late]);
  } catch (error) {
    throw signal.aborted ? cancelled(error) : error;
  } finally {
    clearTimeout(grace);
  }
}
