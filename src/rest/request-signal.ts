import type { Response } from 'express';

/**
 * Aborted when the service gives up, or when the client has gone without its answer. Composed by hand: signals made with
 * `AbortSignal.any` pile up on one that lives as long as the service.
 */
export function requestSignal(response: Response, stopping: AbortSignal): AbortSignal {
  const request = new AbortController();
  const stop = (): void => request.abort(stopping.reason);
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop();
  response.once('close', () => {
    stopping.removeEventListener('abort', stop);
    if (!response.writableEnded) request.abort(new Error('The client closed the connection.'));
  });
  return request.signal;
}
