import { CrawlerError } from '../../../base/errors.js';
import type { DocumentLimits } from '../../limits.js';

/**
 * Time and memory that a document may take. A format that comes by (to write, to unpack, to hand over a part) is stopped when
 * they are used up, a little before the process would be ended: so what was found until then is kept. A format that does not
 * come by is left to the pool.
 */
const MEGABYTE = 1024 * 1024;
/** To ask for the memory costs as much as some dozens of lines of text. */
const MEMORY_CHECK_MS = 50;
/** A fast decoder fills the memory that is left in less time than that. */
const MEMORY_CHECK_BYTES = 4 * MEGABYTE;

export class Allowance {
  readonly #limits: Pick<DocumentLimits, 'timeMs' | 'memoryBytes'>;
  readonly #residentBytes: () => number;
  #endsAt: number;
  #memoryCheckAt = 0;
  #bytesSinceCheck = 0;
  #waiting = 0;
  #waitsSince = 0;

  constructor(limits: Pick<DocumentLimits, 'timeMs' | 'memoryBytes'>, residentBytes = () => process.memoryUsage.rss()) {
    this.#limits = limits;
    this.#residentBytes = residentBytes;
    this.#endsAt = performance.now() + limits.timeMs;
  }

  /** So many bytes have been unpacked. */
  count(bytes: number): void {
    this.#bytesSinceCheck += bytes;
  }

  /** @throws CrawlerError `timed_out` or `too_large` */
  check(now = performance.now()): void {
    if (now > this.#endsAt && this.#waiting === 0) {
      throw new CrawlerError('timed_out', `Extraction was stopped after ${this.#limits.timeMs / 1000} s.`);
    }
    if (now < this.#memoryCheckAt && this.#bytesSinceCheck < MEMORY_CHECK_BYTES) return;
    this.#memoryCheckAt = now + MEMORY_CHECK_MS;
    this.#bytesSinceCheck = 0;
    if (this.#residentBytes() > this.#limits.memoryBytes) {
      const most = `${Math.round(this.#limits.memoryBytes / MEGABYTE)} MB`;
      throw new CrawlerError('too_large', `Extraction was stopped: it needed more than ${most} of memory.`);
    }
  }

  /** Until `resume` somebody else works for the document: that time is not its own. */
  pause(): void {
    if (this.#waiting === 0) this.#waitsSince = performance.now();
    this.#waiting++;
  }

  resume(): void {
    this.#waiting--;
    if (this.#waiting === 0) this.#endsAt += performance.now() - this.#waitsSince;
  }
}
