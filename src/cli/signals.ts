import { setMaxListeners } from 'node:events';

/**
 * The one place where signals are heard. SIGINT, SIGTERM and SIGHUP ask for a stop: `signal` is aborted, and everything that
 * waits or works listens to it.
 *
 * After the first one the system has its default action back: another signal ends the program in the kernel, whatever the
 * program is doing, and its child processes end because their parent is gone. Process 1 of a container cannot be ended that
 * way: there the second signal exits. What is on disk is consistent at any moment, so even that loses nothing.
 */
export type StopSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

const NUMBERS: Readonly<Record<StopSignal, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
const SIGNALS = Object.keys(NUMBERS) as readonly StopSignal[];

/** npm, timeout and the like pass on what the terminal, or they themselves, have sent to the whole process group already. */
const REPEAT_MS = 50;
/** Whatever is under way, the program has ended after this. */
const LONGEST_STOP_MS = 30_000;

export class StopRequest {
  readonly #controller = new AbortController();
  #by: StopSignal | undefined;

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The signal that came; undefined as long as nobody wants the program to end. */
  get by(): StopSignal | undefined {
    return this.#by;
  }

  /** What a shell reports for a program that this signal has ended: 130 for SIGINT, 143 for SIGTERM. */
  get exitCode(): number {
    return 128 + NUMBERS[this.#by ?? 'SIGTERM'];
  }

  listen(): this {
    // Everything that waits listens to it.
    setMaxListeners(0, this.signal);
    for (const each of SIGNALS) process.on(each, this.#onSignal);
    return this;
  }

  /** Ends the program here and now, by the signal that has asked for it. */
  endNow(): void {
    if (process.pid === 1) process.exit(this.exitCode);
    this.#release();
    process.kill(process.pid, this.#by ?? 'SIGTERM');
  }

  /** Ends the program unless it has ended by itself within this time. */
  endAfter(ms: number): void {
    setTimeout(() => this.endNow(), ms).unref();
  }

  /** Exits with this code unless the program has ended by itself within this time. */
  exitAfter(ms: number, exitCode: number): void {
    setTimeout(() => process.exit(exitCode), ms).unref();
  }

  readonly #onSignal = (by: StopSignal): void => {
    if (this.#by !== undefined) return;
    this.#by = by;
    setTimeout(() => this.#expectSecond(), REPEAT_MS).unref();
    this.endAfter(LONGEST_STOP_MS);
    this.#controller.abort();
  };

  #expectSecond(): void {
    this.#release();
    if (process.pid !== 1) return;
    for (const each of SIGNALS) process.on(each, () => this.endNow());
  }

  #release(): void {
    for (const each of SIGNALS) process.off(each, this.#onSignal);
  }
}

let request: StopRequest | undefined;

/** The stop request of this process, which hears signals from the first call on. */
export function stopRequest(): StopRequest {
  return (request ??= new StopRequest().listen());
}
