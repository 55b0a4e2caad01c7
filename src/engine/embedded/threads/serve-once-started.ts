import { parentPort, type MessagePort } from 'node:worker_threads';
import type { ThreadData } from './protocol.js';

/**
 * Entry of a thread of the engine: the first message says which index it serves (base/start-thread.ts). `serve` listens before it
 * returns, so that none of the calls behind it is lost. What it throws ends the thread.
 */
export function serveOnceStarted(serve: (port: MessagePort, data: ThreadData) => unknown): void {
  const port = parentPort;
  port?.once('message', (data: ThreadData | null) => {
    // Not needed after all: without a listener the thread ends.
    if (data !== null) serve(port, data);
  });
}
