import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { endThread } from '../../base/end-thread.js';
import { entryPoint } from '../../base/entry-points.js';
import { CrawlerError, messageOf } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { RpcPeer, type WireMessage } from '../../base/rpc.js';
import { crawlerCommand } from '../../settings/crawler-command.js';
import type { Plan } from '../plan/plan.js';
import { readVerifyRecord, type VerifyRecord } from '../verify/verify-record.js';
import { BackgroundCheck } from './background-check.js';
import type { CheckKind, InspectorHost, InspectorThread, InspectorThreadData } from './inspector-thread.js';

/** How long a thread may take to give up what it does and to end. */
const CLOSE_MS = 2000;

/** A thread that nobody asks anything costs memory for nothing. */
const IDLE_MS = 60_000;

interface RunningThread {
  readonly worker: Worker;
  readonly peer: RpcPeer<InspectorHost, InspectorThread>;
}

/** Answers of the thread that are only passed on. */
export type JobQuestions = Pick<InspectorThread, 'why' | 'named' | 'failures' | 'retry' | 'held'>;

/** Asks about a job while it runs. The thread that answers begins with a question, ends when there are none, and is replaced if it dies. */
export class ThreadInspector implements InspectorHost {
  readonly plan = new BackgroundCheck<Plan>(
    'plan',
    () => this.#remote.plan(),
    () => this.#stop('plan'),
  );
  readonly verify = new BackgroundCheck<VerifyRecord>(
    'check',
    () => this.#remote.verify(),
    () => this.#stop('verify'),
  );
  readonly #data: InspectorThreadData;
  readonly #logger: Logger;
  readonly #idleMs: number;
  #thread: RunningThread | undefined;
  #askedMs = 0;
  #isClosed = false;
  /** The last answer about changes, and what it was asked for. */
  #changed: { readonly key: string; readonly answer: Promise<boolean> } | undefined;

  /** @param idleMs how long the thread waits for another question */
  constructor(data: InspectorThreadData, logger: Logger, idleMs = IDLE_MS) {
    this.#data = data;
    this.#logger = logger;
    this.#idleMs = idleMs;
  }

  /** Rejects with the CrawlerError of the question. */
  get questions(): JobQuestions {
    return this.#remote;
  }

  /** The command that repairs what differs, for sentences. */
  get repairCommand(): string {
    const { settings, jobDirectory } = this.#data;
    const configDir = dirname(jobDirectory);
    return crawlerCommand({ command: 'verify', operands: [settings.name], options: ['--fix'], configDir });
  }

  /** The last comparison, whoever made it: this service or the command line. */
  lastVerification(): Promise<VerifyRecord | undefined> {
    return readVerifyRecord(this.#data.jobDirectory);
  }

  /**
   * Whether the catalog has changed since a comparison.
   * @param moment changes whenever the catalog may have: it is counted once for each
   */
  changedSince(record: VerifyRecord, moment: string): Promise<boolean> {
    const key = `${record.at} ${moment}`;
    if (this.#changed?.key !== key) {
      // What cannot be asked counts as changed: nobody knows that it is not.
      const answer = this.#remote.changedSince(record).catch(() => true);
      this.#changed = { key, answer };
    }
    return this.#changed.answer;
  }

  progress(kind: CheckKind, files: number, documents: number): void {
    this[kind].progress(files, documents);
  }

  warn(message: string): void {
    this.#logger.warn(message);
  }

  /** Ends what runs, and the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#thread === undefined) return;
    const { worker, peer } = this.#thread;
    peer.remote.close().catch(() => undefined);
    await endThread(worker, CLOSE_MS);
  }

  #stop(kind: CheckKind): void {
    this.#thread?.peer.remote.stop(kind);
  }

  get #remote(): InspectorThread {
    if (this.#isClosed) throw new CrawlerError('unavailable', 'The service is being stopped.');
    this.#thread ??= this.#start();
    this.#askedMs = performance.now();
    return this.#thread.peer.remote;
  }

  #start(): RunningThread {
    const worker = new Worker(entryPoint('inspect-thread'), { workerData: this.#data, execArgv: [] });
    const peer = new RpcPeer<InspectorHost, InspectorThread>((batch) => worker.postMessage(batch), { stop: true });
    peer.serve(this);
    let reason: unknown;
    worker.on('message', (batch: readonly WireMessage[]) => peer.receive(batch));
    worker.on('error', (error) => {
      reason = error;
    });
    const idle = setInterval(() => this.#endIfIdle(thread), this.#idleMs).unref();
    worker.on('exit', () => {
      clearInterval(idle);
      if (this.#thread === thread) this.#thread = undefined;
      const ended = new CrawlerError('cancelled', 'The service is being stopped.');
      const died = new CrawlerError('internal', `The inspecting thread ended unexpectedly: ${messageOf(reason)}`);
      peer.close(reason === undefined ? ended : died);
    });
    const thread = { worker, peer };
    return thread;
  }

  /** The next question starts another one. */
  #endIfIdle(thread: RunningThread): void {
    const isAsked = thread.peer.openCalls > 0 || performance.now() - this.#askedMs < this.#idleMs;
    if (isAsked || this.#thread !== thread) return;
    this.#thread = undefined;
    thread.peer.remote.close().catch(() => undefined);
  }
}
