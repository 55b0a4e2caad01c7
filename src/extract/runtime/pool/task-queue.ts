import type { ExtractionTask } from './extraction-task.js';

/** First in, first out; interrupted tasks return to the front. Settled tasks are skipped. */
export class TaskQueue {
  #front: ExtractionTask[] = [];
  #back: ExtractionTask[] = [];
  #at = 0;

  push(task: ExtractionTask): void {
    this.#back.push(task);
  }

  /** Puts tasks in front of all others, in the given order. */
  requeue(tasks: readonly ExtractionTask[]): void {
    this.#front = [...tasks, ...this.#front.slice(this.#at)];
    this.#at = 0;
  }

  /** The next task that is not settled. */
  peek(): ExtractionTask | undefined {
    for (;;) {
      if (this.#at >= this.#front.length) {
        this.#front = this.#back;
        this.#back = [];
        this.#at = 0;
      }
      const task = this.#front[this.#at];
      if (task?.settled !== true) return task;
      this.#at++;
    }
  }

  take(): ExtractionTask | undefined {
    const task = this.peek();
    if (task !== undefined) this.#at++;
    return task;
  }

  takeAll(): ExtractionTask[] {
    const tasks: ExtractionTask[] = [];
    for (let task = this.take(); task !== undefined; task = this.take()) tasks.push(task);
    return tasks;
  }
}
