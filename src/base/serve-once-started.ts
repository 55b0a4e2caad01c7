import { parentPort, type MessagePort } from 'node:worker_threads';

/**
 * The other end of `startThread`: the first message says what the thread has to do, or that it is not needed after all. `serve` listens
 * before it returns, so that none of the messages behind it is lost. What it throws ends the thread.
 * @param serve gets what `startThread` was given
 */
export function serveOnceStarted(serve: (port: MessagePort, data: never) => unknown): void {
  const port = parentPort;
  port?.once('message', (data: unknown) => {
    // Without a listener the thread ends.
    if (data !== null) serve(port, data as never);
  });
}
