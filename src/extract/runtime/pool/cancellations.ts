import type { ExtractionTask } from './extraction-task.js';

/**
 * Cancels tasks when their signal is aborted: all of them, or those that `choose` picks. A crawl passes the same signal with
 * every document, so each signal has one listener, for as long as tasks depend on it.
 */
export class Cancellations {
  readonly #watches = new Map<AbortSignal, Watch>();
  readonly #choose: (tasks: readonly ExtractionTask[]) => readonly ExtractionTask[];

  constructor(choose: (tasks: readonly ExtractionTask[]) => readonly ExtractionTask[] = (tasks) => tasks) {
    this.#choose = choose;
  }

  /** Jobs that are not settled yet. */
  get pending(): number {
    let tasks = 0;
    for (const watch of this.#watches.values()) tasks += watch.tasks.size;
    return tasks;
  }

  watch(task: ExtractionTask, signal: AbortSignal): void {
    if (signal.aborted) {
      cancel(task, signal);
      return;
    }
    const watch = this.#watches.get(signal) ?? this.#listen(signal);
    watch.tasks.add(task);
    task.onSettled(() => {
      watch.tasks.delete(task);
      if (watch.tasks.size > 0) return;
      signal.removeEventListener('abort', watch.onAbort);
      this.#watches.delete(signal);
    });
  }

  #listen(signal: AbortSignal): Watch {
    const tasks = new Set<ExtractionTask>();
    const watch: Watch = {
      tasks,
      onAbort: () => {
        for (const task of this.#choose([...tasks])) cancel(task, signal);
      },
    };
    this.#watches.set(signal, watch);
    signal.addEventListener('abort', watch.onAbort);
    return watch;
  }
}

interface Watch {
  readonly tasks: Set<ExtractionTask>;
  readonly onAbort: () => void;
}

function cancel(task: ExtractionTask, signal: AbortSignal): void {
  task.cancel('The work was cancelled.', signal.reason);
}
