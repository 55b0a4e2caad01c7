import type { Job } from './job.js';

/**
 * Cancels jobs when their signal is aborted: all of them, or those that `choose` picks. A crawl passes the same signal with
 * every document, so each signal has one listener, for as long as jobs depend on it.
 */
export class Cancellations {
  readonly #watches = new Map<AbortSignal, Watch>();
  readonly #choose: (jobs: readonly Job[]) => readonly Job[];

  constructor(choose: (jobs: readonly Job[]) => readonly Job[] = (jobs) => jobs) {
    this.#choose = choose;
  }

  /** Jobs that are not settled yet. */
  get pending(): number {
    let jobs = 0;
    for (const watch of this.#watches.values()) jobs += watch.jobs.size;
    return jobs;
  }

  watch(job: Job, signal: AbortSignal): void {
    if (signal.aborted) {
      cancel(job, signal);
      return;
    }
    const watch = this.#watches.get(signal) ?? this.#listen(signal);
    watch.jobs.add(job);
    job.onSettled(() => {
      watch.jobs.delete(job);
      if (watch.jobs.size > 0) return;
      signal.removeEventListener('abort', watch.onAbort);
      this.#watches.delete(signal);
    });
  }

  #listen(signal: AbortSignal): Watch {
    const jobs = new Set<Job>();
    const watch: Watch = {
      jobs,
      onAbort: () => {
        for (const job of this.#choose([...jobs])) cancel(job, signal);
      },
    };
    this.#watches.set(signal, watch);
    signal.addEventListener('abort', watch.onAbort);
    return watch;
  }
}

interface Watch {
  readonly jobs: Set<Job>;
  readonly onAbort: () => void;
}

function cancel(job: Job, signal: AbortSignal): void {
  job.cancel('The work was cancelled.', signal.reason);
}
