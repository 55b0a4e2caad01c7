import { CrawlerError } from './errors.js';

/** The result of `work`, or `cancelled` as soon as the signal is aborted; `work` itself ends when it ends. */
export async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const cancel = (): void => {
      reject(new CrawlerError('cancelled', 'The work was cancelled.', { cause: signal.reason }));
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}
