import { CrawlerError } from '../../../base/errors.js';
import { inMegabytes, type DocumentLimits } from '../../limits.js';

/**
 * The time and memory that a document may use. They are checked whenever a format writes, unpacks or passes on a part. A
 * document that exceeds them is stopped shortly before the pool would kill the process, so that what was found is kept. A
 * format that does none of this for too long is left to the pool.
 */
const MIB = 1024 * 1024;
/** Reading the memory usage costs a quarter of the time of a small text, so a document that is quick does without. */
const MEMORY_CHECK_MS = 50;
/** A fast decoder can fill the remaining memory in less time than that. */
const MEMORY_CHECK_BYTES = 4 * MIB;

export class ResourceBudget {
  readonly #limits: Pick<DocumentLimits, 'timeMs' | 'memoryBytes'>;
  readonly #residentBytes: () => number;
  readonly #now: () => number;
  #endsAt: number;
  #memoryCheckAt: number;
  #bytesSinceCheck = 0;
  #waiting = 0;
  #waitsSince = 0;

  constructor(
    limits: Pick<DocumentLimits, 'timeMs' | 'memoryBytes'>,
    residentBytes = () => process.memoryUsage.rss(),
    now = () => performance.now(),
  ) {
    this.#limits = limits;
    this.#residentBytes = residentBytes;
    this.#now = now;
    const start = now();
    this.#endsAt = start + limits.timeMs;
    this.#memoryCheckAt = start + MEMORY_CHECK_MS;
  }

  /** Counts unpacked bytes. */
  count(bytes: number): void {
    this.#bytesSinceCheck += bytes;
  }

  /** @throws CrawlerError `timed_out` or `too_large` */
  check(now = this.#now()): void {
    if (now > this.#endsAt && this.#waiting === 0) {
      throw new CrawlerError('timed_out', `Extraction was stopped after ${this.#limits.timeMs / 1000} s.`);
    }
    if (now < this.#memoryCheckAt && this.#bytesSinceCheck < MEMORY_CHECK_BYTES) return;
    this.#memoryCheckAt = now + MEMORY_CHECK_MS;
    this.#bytesSinceCheck = 0;
    if (this.#residentBytes() > this.#limits.memoryBytes) {
      const most = inMegabytes(this.#limits.memoryBytes);
      throw new CrawlerError('too_large', `Extraction was stopped: it needed more than ${most} of memory.`);
    }
  }

  /** Until `resume` the document waits for another process; that time does not count. */
  pause(): void {
    if (this.#waiting === 0) this.#waitsSince = this.#now();
    this.#waiting++;
  }

  resume(): void {
    this.#waiting--;
    if (this.#waiting === 0) this.#endsAt += this.#now() - this.#waitsSince;
  }
}
