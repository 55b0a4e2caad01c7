import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { grouped } from '../../base/grouped.js';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { Database } from '../../base/sqlite.js';
import type { IndexOverview, WriteOutcome } from '../engine.js';
import { addIncident, type IndexIncident } from '../index-incidents.js';
import { QuietCheck } from './quiet-check.js';
import { goneIncident } from './repair/incident-report.js';
import { completeRepair } from './repair/repair-index.js';
import { markedCorruption } from './store/corruption-marker.js';
import { CorruptContent } from './store/corrupt-content.js';
import { corruptIndexMessage } from './store/index-failure.js';
import { openIndexFile, type OpenedFile } from './store/index-file.js';
import { readKeptOverview } from './store/overview-of.js';
import { readIndexSummary, summariseIndex, totalsOf } from './store/index-summary.js';
import { EngineThread } from './threads/engine-thread.js';
import type {
  CheckLimits,
  IndexReading,
  IndexRepairing,
  IndexWriting,
  OperationMessage,
  RepairCall,
} from './threads/protocol.js';
import { ReaderPool, type CallLimits } from './threads/reader-pool.js';

/**
 * The way to the file of an index: its threads, and what has to happen before they may use it. A file that was replaced is
 * opened anew. A damaged one is repaired by the job that it belongs to (`owned`); everybody else gets an error.
 */
export interface IndexAccessOptions {
  readonly path: string;
  readonly logger: Logger;
  readonly owned: boolean;
  /** The index of the job's documents. */
  readonly index: string;
}

/** As it was when it was opened. */
interface OpenIndexFile extends OpenedFile {
  readonly file: string;
}

const READERS = 2;
const PROGRESS_MS = 10_000;
/** An index of so many documents is checked as a whole when its job opens it: it takes a third of a second. */
const CHECKED_AT_START = 1000;
const QUIET_MS = 1000;
/** At once, of one file. */
const MOST_REPAIRS = 3;
const EVERYTHING: CheckLimits = { timeMs: Infinity, deep: true };
const NO_LIMITS: CallLimits = { signal: new AbortController().signal, timeMs: undefined };

export class IndexAccess {
  readonly #options: IndexAccessOptions;
  readonly #check: QuietCheck;
  #writer: EngineThread<IndexWriting>;
  #readers: ReaderPool;
  #opened: OpenIndexFile | undefined;
  #reopening: Promise<void> | undefined;
  #repair: Repair | undefined;
  #closing: Promise<void> | undefined;
  #hasWritten = false;
  #lastUseMs = 0;

  constructor(options: IndexAccessOptions) {
    this.#options = options;
    this.#writer = writerOf(options.path);
    this.#readers = readersOf(options.path);
    this.#check = new QuietCheck({
      slice: (cursor, timeMs) => this.#call((index) => index.check(cursor, { timeMs, deep: true }), NO_LIMITS),
      isQuiet: () => this.#isQuiet(),
    });
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** True as long as nothing was written to an index that was made by this opening. */
  get isEmpty(): boolean {
    return this.#opened?.isNew === true && !this.#hasWritten;
  }

  /** The identity of the index as it is now, once it can be used. Throws a sentence when it cannot. */
  async identity(signal: AbortSignal): Promise<string> {
    throwIfCancelled(signal);
    if (this.#opened !== undefined && this.#mustReopen(this.#opened.file)) this.#reopening ??= this.#letGo();
    await this.#reopening;
    const wasOpen = this.#opened !== undefined;
    for (let repairs = 0; repairs <= MOST_REPAIRS; repairs += 1) {
      try {
        const identity = this.open();
        if (wasOpen || !this.#options.owned || (await this.#isSound(signal))) return identity;
        await (this.#reopening ??= this.#letGo());
        this.open();
      } catch (error) {
        if (this.#repair === undefined) throw error;
        await abortable(signal, this.#repair.ended);
      }
    }
    const found = `The index [${this.#options.path}] is damaged again as soon as it is repaired.`;
    throw new CrawlerError('unavailable', `${found} Check the disk and the memory of this machine.`);
  }

  /** The threads are ready to be called. Throws `unavailable` while they are not. */
  open(): string {
    const { path } = this.#options;
    if (this.#closing !== undefined) throw new CrawlerError('unavailable', `The index [${path}] is closed.`);
    if (this.#repair !== undefined) throw this.#repair.refusal();
    this.#opened ??= this.#openFile();
    return this.#opened.identity;
  }

  /** Something that has to be waited for before the next call; undefined most of the time. */
  get pending(): Promise<void> | undefined {
    return this.#reopening;
  }

  async write(operations: readonly OperationMessage[]): Promise<readonly WriteOutcome[]> {
    this.#lastUseMs = performance.now();
    this.#hasWritten = true;
    const outcomes = await this.#writer.call((index) => index.write(operations));
    if (outcomes.some((outcome) => !outcome.ok && outcome.code === 'unavailable')) this.#repairCorruption();
    return outcomes;
  }

  /** What was counted before is read without a thread. The thread that writes keeps what it counts. */
  async overview(index: string, signal: AbortSignal): Promise<IndexOverview> {
    const kept = this.#writer.isRunning ? undefined : readKeptOverview(this.#options.path, index);
    if (kept !== undefined) return kept;
    return await abortable(
      signal,
      this.#writer.call((writer) => writer.overview(index)),
    );
  }

  /** `ask` makes one call of a thread. */
  read<Result>(ask: (index: IndexReading) => Promise<Result>, limits: CallLimits): Promise<Result> {
    this.#lastUseMs = performance.now();
    return this.#call(ask, limits);
  }

  /** The readers first: the log can only be emptied when nobody reads from it. */
  close(): Promise<void> {
    this.#check.stop();
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #call<Result>(ask: (index: IndexReading) => Promise<Result>, limits: CallLimits): Promise<Result> {
    try {
      return await this.#readers.call(ask, limits);
    } catch (error) {
      this.#repairCorruption();
      throw error;
    }
  }

  /** A thread has failed: when it has found corruption, the job repairs it at once. */
  #repairCorruption(): void {
    if (!this.#options.owned || this.isClosed || markedCorruption(this.#options.path) === undefined) return;
    void this.identity(NO_LIMITS.signal).catch(() => undefined);
  }

  async #close(): Promise<void> {
    await this.#reopening;
    await this.#repair?.stop();
    await this.#closeThreads();
    if (this.#options.owned && this.#opened !== undefined) tidyLog(this.#options.path);
  }

  async #closeThreads(): Promise<void> {
    await this.#readers.close();
    await this.#writer.close();
  }

  /** Before a new file is opened: SQLite removes the log by its name when the last connection to the old one closes. */
  async #letGo(): Promise<void> {
    this.#check.stop();
    await this.#closeThreads();
    this.#writer = writerOf(this.#options.path);
    this.#readers = readersOf(this.#options.path);
    this.#opened = undefined;
    this.#reopening = undefined;
  }

  #mustReopen(file: string): boolean {
    const { path, owned } = this.#options;
    return fileAt(path) !== file || (owned && markedCorruption(path) !== undefined);
  }

  #openFile(): OpenIndexFile {
    const { path, owned, logger } = this.#options;
    try {
      const completed = owned ? completeRepair(path) : undefined;
      if (completed !== undefined) logger.warn(completed.message);
      const opened = openIndexFile(path);
      if (owned) this.#noteReplaced(opened.identity);
      return { ...opened, file: fileAt(path) };
    } catch (error) {
      if (!(error instanceof CorruptContent)) throw error;
      if (!owned) throw new CrawlerError('unavailable', corruptIndexMessage(path, error.message), { subject: path });
      throw this.#beginRepair(error.message).refusal();
    }
  }

  /** Another index than the one that the summary tells of: what that one held, and no file has, is lost. */
  #noteReplaced(identity: string): void {
    const { path, logger } = this.#options;
    const summary = readIndexSummary(path);
    if (summary?.identity === identity) return;
    const incident = summary === undefined ? undefined : goneIncident(path, identity, totalsOf(summary));
    if (incident !== undefined) {
      addIncident(dirname(path), incident);
      logger.warn(incident.message);
    }
    summariseIndex(path);
  }

  #beginRepair(reason: string): Repair {
    this.#repair = new Repair(this.#options, reason, () => {
      this.#repair = undefined;
    });
    return this.#repair;
  }

  /** False when the file turned out to be damaged. A large one is checked while nobody needs it. */
  async #isSound(signal: AbortSignal): Promise<boolean> {
    try {
      if (this.isEmpty) {
        // What is new is written to next.
        this.#writer.start();
        this.#check.start();
        return true;
      }
      if ((this.#opened?.documents ?? 0) <= CHECKED_AT_START)
        await this.read((index) => index.check(undefined, EVERYTHING), { signal, timeMs: undefined });
      this.#check.start();
      return true;
    } catch (error) {
      if (markedCorruption(this.#options.path) === undefined) throw error;
      return false;
    }
  }

  #isQuiet(): boolean {
    return this.#opened !== undefined && performance.now() - this.#lastUseMs > QUIET_MS && !this.#readers.isBusy;
  }
}

/** A repair under way, in a thread of its own. */
class Repair {
  readonly #path: string;
  readonly #logger: Logger;
  readonly #thread: EngineThread<IndexRepairing>;
  /** Resolves when the index can be opened again, rejects when it could not be repaired. */
  readonly ended: Promise<void>;
  #recovered = 0;
  #stopped = false;

  constructor({ path, logger, index }: IndexAccessOptions, reason: string, onEnd: () => void) {
    this.#path = path;
    this.#logger = logger;
    this.#thread = new EngineThread('index-repair', path);
    logger.warn(`The index [${path}] is damaged: ${reason}. It is being repaired from what can be read of it.`);
    this.ended = this.#run({ reason, fallback: index }).finally(onEnd);
    this.ended.catch(() => undefined);
  }

  refusal(): CrawlerError {
    const soFar = `${grouped(this.#recovered)} documents so far`;
    return new CrawlerError('unavailable', `The index [${this.#path}] is being repaired (${soFar}). Try again later.`);
  }

  /** Leaves it off: the next opening begins anew. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.ended.catch(() => undefined);
  }

  async #run(request: RepairCall): Promise<void> {
    try {
      this.#logger.warn((await this.#steps(request)).message);
    } finally {
      await this.#thread.close();
    }
  }

  async #steps(request: RepairCall): Promise<IndexIncident> {
    let toldMs = performance.now();
    for (;;) {
      if (this.#stopped) throw new CrawlerError('cancelled', 'The repair of the index was stopped.');
      const { recovered, incident } = await this.#thread.call((thread) => thread.repair(request));
      this.#recovered = recovered;
      if (incident !== undefined) return incident;
      if (performance.now() - toldMs < PROGRESS_MS) continue;
      toldMs = performance.now();
      this.#logger.info(`Repairing the index: ${grouped(recovered)} documents recovered so far.`);
    }
  }
}

function writerOf(path: string): EngineThread<IndexWriting> {
  return new EngineThread('index-writer', path);
}

function readersOf(path: string): ReaderPool {
  return new ReaderPool(Array.from({ length: READERS }, () => new EngineThread('index-reader', path)));
}

/** A connection that only reads makes a log and leaves it behind; one that writes removes it. */
function tidyLog(path: string): void {
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size !== 0) return;
  try {
    new Database(path, { busyTimeoutMs: 0 }).close();
  } catch {
    // Another process uses the index, or the folder may not be written: an empty log does no harm.
  }
}

/** Another file at the same path is another one of these. */
function fileAt(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.dev}:${stats.ino}`;
}

/** The answer, or `cancelled` as soon as the signal is aborted. */
export async function abortable<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  throwIfCancelled(signal);
  return new Promise<T>((resolve, reject) => {
    const cancel = (): void => {
      reject(new CrawlerError('cancelled', 'The work was cancelled.', { cause: signal.reason }));
    };
    signal.addEventListener('abort', cancel, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}
