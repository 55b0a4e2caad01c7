import type { Job } from './job.js';

/** First in, first out; jobs that were interrupted come back to the front. Settled jobs are passed over. */
export class JobQueue {
  #front: Job[] = [];
  #back: Job[] = [];
  #at = 0;

  push(job: Job): void {
    this.#back.push(job);
  }

  /** Puts jobs before all others, in the order given. */
  putBack(jobs: readonly Job[]): void {
    this.#front = [...jobs, ...this.#front.slice(this.#at)];
    this.#at = 0;
  }

  /** The next job that still wants an answer. */
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
