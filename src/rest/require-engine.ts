import type { Response } from 'express';
import { RETRY_SOON } from './middleware/errors.js';
import { RequestFault } from './request-fault.js';
import { requestSignal } from './request-signal.js';
import type { EngineReadiness, RestContext } from './rest-options.js';

/** A service that has just started may be asked before its search engine is connected. */
const CONNECTING_MS = 5000;

/** Throws 503 while there is no search engine. */
export async function requireEngine(context: RestContext, response: Response): Promise<void> {
  const state = await settledReadiness(context, response);
  if (!state.ready) throw new RequestFault(503, state.message, RETRY_SOON);
}

/** Whether the search engine is there. While a connection is being made it is waited for, five seconds at most. */
export async function settledReadiness(
  { engineReady, stopping }: RestContext,
  response: Response,
): Promise<EngineReadiness> {
  const state = engineReady();
  if (state.ready || state.connecting === undefined) return state;
  await endOf(state.connecting, requestSignal(response, stopping));
  return engineReady();
}

async function endOf(connecting: Promise<void>, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, CONNECTING_MS);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end, { once: true });
    void connecting.then(end, end);
  });
}
