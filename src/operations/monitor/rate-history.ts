import { systemClock } from '../../base/clock.js';
import type { Queues } from './monitor.js';

/** What the job did at one moment. */
export interface RateSample {
  readonly atMs: number;
  readonly filesPerSecond: number;
  readonly queues: Queues;
}

export const SAMPLE_INTERVAL_MS = 5000;
/** Half an hour. */
const MOST_SAMPLES = 360;

/** The last half hour of a job, for a chart. */
export class RateHistory {
  readonly #samples: RateSample[] = [];
  readonly #timer: NodeJS.Timeout;

  /** @param measure asked every five seconds; it must cost nothing */
  constructor(measure: () => Omit<RateSample, 'atMs'>) {
    this.#timer = setInterval(() => this.#add(measure()), SAMPLE_INTERVAL_MS);
    this.#timer.unref();
  }

  /** The oldest first. */
  get samples(): readonly RateSample[] {
    return this.#samples;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #add(sample: Omit<RateSample, 'atMs'>): void {
    this.#samples.push({ atMs: systemClock.now(), ...sample });
    if (this.#samples.length > MOST_SAMPLES) this.#samples.shift();
  }
}
