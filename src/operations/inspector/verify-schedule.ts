import type { Clock } from '../../base/clock.js';
import { CrawlerError, messageOf } from '../../base/errors.js';
import { grouped } from '../../base/grouped.js';
import type { Logger } from '../../base/logger.js';
import type { CrawlerStatus } from '../../crawler/control.js';
import { total } from '../verify/findings.js';
import type { ThreadInspector } from './thread-inspector.js';

/** How often to look whether a comparison is due, and how far one is. */
const LOOK_MS = 5000;
/** One that has failed, such as without an engine, is repeated sooner than the next one is due. */
const RETRY_MS = 60 * 60_000;

export interface VerifyScheduleDeps {
  /** From the beginning of a comparison to that of the next one. */
  readonly rateMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly status: () => Pick<CrawlerStatus, 'state' | 'scanEndMs'>;
  readonly isEngineReady: () => boolean;
  readonly inspector: () => Promise<Pick<ThreadInspector, 'verify' | 'lastVerification' | 'repairCommand'>>;
}

/** Compares tree and index of a job by itself: after its first complete scan, then at a rate, and always between two scans. */
export class VerifySchedule {
  readonly #deps: VerifyScheduleDeps;
  /** Undefined until it is known when the last comparison was. */
  #dueMs: number | undefined;

  constructor(deps: VerifyScheduleDeps) {
    this.#deps = deps;
  }

  /** Resolves when the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    while (!signal.aborted) {
      await clock.sleep(LOOK_MS, signal);
      if (this.#mayBegin()) await this.#verifyIfDue(signal);
    }
  }

  async #verifyIfDue(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#deps;
    try {
      if (!signal.aborted && (await this.#isDue())) await this.#verify(signal);
    } catch (error) {
      this.#dueMs = clock.now() + this.#retryMs;
      if (!signal.aborted) logger.warn(`Tree and index could not be compared: ${messageOf(error)}`);
    }
  }

  #mayBegin(): boolean {
    const { clock, status, isEngineReady } = this.#deps;
    if (this.#dueMs !== undefined && clock.now() < this.#dueMs) return false;
    const { state, scanEndMs } = status();
    return state !== 'RUNNING' && state !== 'ERROR' && scanEndMs !== undefined && isEngineReady();
  }

  /** The command line may have compared them meanwhile. */
  async #isDue(): Promise<boolean> {
    const { clock, rateMs, inspector } = this.#deps;
    const last = await (await inspector()).lastVerification();
    this.#dueMs = last === undefined ? clock.now() : Date.parse(last.at) + rateMs;
    return clock.now() >= this.#dueMs;
  }

  async #verify(signal: AbortSignal): Promise<void> {
    const { clock, rateMs, inspector, logger } = this.#deps;
    const { verify, repairCommand } = await inspector();
    const before = verify.last;
    // A person may have started one.
    if (verify.running === undefined) verify.start();
    this.#dueMs = clock.now() + rateMs;
    while (verify.running !== undefined && !signal.aborted) await clock.sleep(LOOK_MS, signal);
    if (signal.aborted) return;
    if (verify.fault !== undefined) throw new CrawlerError('internal', verify.fault.message);
    const { last } = verify;
    if (last === undefined || last === before || last.result.equal) return;
    const differences = grouped(total(last.result.verification.differences));
    logger.warn(`Index and tree differ (differences: ${differences}). [${repairCommand}] repairs them.`);
  }

  get #retryMs(): number {
    return Math.min(RETRY_MS, this.#deps.rateMs);
  }
}
