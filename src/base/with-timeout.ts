/**
 * Runs `work` with a signal that is aborted when the outer one is, or when the time is over. A controller of its own: what
 * AbortSignal.any makes of a time-out may be collected before its time has come (Node 20).
 */
export async function withTimeout<T>(
  outer: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const abort = (): void => own.abort();
  const timer = setTimeout(abort, timeoutMs);
  outer.addEventListener('abort', abort, { once: true });
  if (outer.aborted) abort();
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', abort);
  }
}
