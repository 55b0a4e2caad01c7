/**
 * SIGINT, SIGTERM and SIGHUP ask for a clean stop; a second one ends the program without waiting. What is on disk is
 * consistent at any moment, so even that loses nothing.
 */
export interface Signals {
  readonly received: Promise<void>;
  readonly receivedAgain: Promise<void>;
  readonly wasReceived: boolean;
  /** Gives the signals back their usual meaning. */
  release(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function untilSignal(): Signals {
  let count = 0;
  let first: () => void = () => undefined;
  let second: () => void = () => undefined;
  const received = new Promise<void>((resolve) => {
    first = resolve;
  });
  const receivedAgain = new Promise<void>((resolve) => {
    second = resolve;
  });
  const onSignal = (): void => {
    count += 1;
    if (count === 1) first();
    else second();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    received,
    receivedAgain,
    get wasReceived() {
      return count > 0;
    },
    release: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
