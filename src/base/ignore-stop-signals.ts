/**
 * A supervisor sends its signal to every process of a service at once, and a terminal to every process of a group. The program
 * then finishes the documents in hand, so the processes that work on them stay: they end when it ends.
 */
export function ignoreStopSignals(): void {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
}
