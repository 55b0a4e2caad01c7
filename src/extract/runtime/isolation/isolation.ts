import { CrawlerError, messageOf } from '../../../base/errors.js';
import type { Logger } from '../../../base/logger.js';
import { candidatesFor, type Candidate, type SandboxLevel } from './candidates.js';
import type { ProgramIsolation, SandboxBackend } from './sandbox-backend.js';

/** A second process shows whether the first one was only unlucky. */
const MOST_FAILED_STARTS = 2;
const WHERE = 'docs/security.md tells what that means.';
const INSTALL = `Install bubblewrap (Debian: apt-get install bubblewrap). ${WHERE}`;
const ALLOW = 'docs/security.md says what the system must allow.';

/**
 * How the processes of a pool are isolated: by the first backend that works here. One that fails is replaced by the next one,
 * with a line in the log, and is not tried again.
 */
export class Isolation {
  readonly #level: SandboxLevel;
  readonly #logger: Logger;
  readonly #candidates: Candidate[];
  #backend: SandboxBackend | undefined;
  #failedStarts = 0;
  #isAnnounced = false;
  #why = 'neither bubblewrap nor a setpriv that knows Landlock is installed';
  #remedy = INSTALL;

  constructor(level: SandboxLevel, logger: Logger, candidates = candidatesFor(level)) {
    this.#level = level;
    this.#logger = logger;
    this.#candidates = [...candidates];
  }

  /**
   * The backend for the next process; undefined when it is not isolated. To be called when there is no `refusal`.
   */
  backend(module: string): SandboxBackend | undefined {
    while (this.#backend === undefined && this.#candidates.length > 0) this.#openNext(module);
    if (this.#backend?.name === 'node' && !this.#isAnnounced) this.#announce();
    return this.#backend;
  }

  /** How programs that read pictures are isolated now; undefined when they are not. */
  get programs(): ProgramIsolation | undefined {
    return this.#backend?.programs;
  }

  /** Why no process may be started: `strict` is not available here. */
  refusal(module: string): CrawlerError | undefined {
    return this.#level === 'strict' && this.backend(module) === undefined ? this.#unavailable() : undefined;
  }

  /** A process was not isolated, or has ended before it was ready. Another process of the same backend may be running. */
  failed(backend: SandboxBackend, why: string, isCertain: boolean): void {
    if (backend !== this.#backend) return;
    this.#failedStarts++;
    if (!isCertain && this.#failedStarts < MOST_FAILED_STARTS) return;
    this.#leave(why);
  }

  /** A process is isolated and ready. */
  succeeded(backend: SandboxBackend): void {
    if (backend === this.#backend) this.#failedStarts = 0;
  }

  #openNext(module: string): void {
    try {
      this.#backend = this.#candidates[0]?.open(module);
      if (this.#backend === undefined) this.#candidates.shift();
    } catch (error) {
      this.#leave(messageOf(error));
    }
  }

  #leave(why: string): void {
    const { name } = this.#candidates.shift() ?? {};
    this.#backend = undefined;
    this.#failedStarts = 0;
    this.#why = `${name ?? 'nothing'} cannot be used: ${why}`;
    // A tool is there, and the system is what stops it.
    this.#remedy = ALLOW;
    const isLast = this.#candidates.every((each) => each.name === 'node');
    if (this.#level === 'best' && isLast) {
      this.#isAnnounced = true;
      this.#logger.warn(
        `The processes that read documents are isolated less well than they could be: ${this.#why}. ${WHERE}`,
      );
    }
  }

  #announce(): void {
    this.#isAnnounced = true;
    this.#logger.info(`The processes that read documents are restricted by Node alone: ${this.#why}. ${this.#remedy}`);
  }

  #unavailable(): CrawlerError {
    const message = `The sandbox that extractor.sandbox: strict asks for is not available: ${this.#why}. ${this.#remedy}`;
    return new CrawlerError('settings_invalid', message);
  }
}
