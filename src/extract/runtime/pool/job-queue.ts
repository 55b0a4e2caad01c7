import type { Job } from './job.js';

/** First in, first out; interrupted jobs return to the front. Settled jobs are skipped. */
export class JobQueue {
  #front: Job[] = [];
  #back: Job[] = [];
  #at = 0;

  push(job: Job): void {
    this.#back.push(job);
  }

  /** Puts jobs in front of all others, in the given order. */
  requeue(jobs: readonly Job[]): void {
    this.#front = [...jobs, ...this.#front.slice(this.#at)];
    this.#at = 0;
  }

  /** The next job that is not settled. */
  peek(): Job | undefined {
    for (;;) {
      if (this.#at >= this.#front.length) {
        this.#front = this.#back;
        this.#back = [];
        this.#at = 0;
      }
      const job = this.#front[this.#at];
      if (job?.settled !== true) return job;
      this.#at++;
    }
  }

  take(): Job | undefined {
    const job = this.peek();
    if (job !== undefined) this.#at++;
    return job;
  }

  takeAll(): Job[] {
    const jobs: Job[] = [];
    for (let job = this.take(); job !== undefined; job = this.take()) jobs.push(job);
    return jobs;
  }
}
