/** Delay before attempt `attempt` (1-based): `firstMs`, doubled each time, at most `maxMs`. */
export function backoffMs(attempt: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** (attempt - 1));
}
