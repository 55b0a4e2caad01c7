import type { Logger } from '../../base/logger.js';
import type { ExtractionLimits } from '../limits.js';
import type { RecognisedPage } from '../ocr/recognition-desk.js';
import type { FromSandbox, SandboxAnswer } from '../sandbox/protocol.js';
import type { Salvage } from '../sandbox/salvage-log.js';
import type { Job } from './job.js';
import { RecognitionTime } from './recognition-time.js';
import { WorkerProcess, type ProcessEnd } from './worker-process.js';

/** Why the pool has ended a process; `died` when it did so by itself. */
export type EndReason = 'timed_out' | 'too_large' | 'cancelled' | 'released' | 'not_ready' | 'died';

export interface WorkerListener {
  onAnswer(worker: Worker, job: Job, answer: SandboxAnswer): void;
  /** Answers have come, or it has become ready: it may have room. */
  onProgress(worker: Worker): void;
  onEnd(worker: Worker, reason: EndReason, end: ProcessEnd): void;
}

/** Longer than most documents take. */
const SLOW_MS = 100;

/** A document in the hands of the process. */
interface Sent {
  readonly job: Job;
  /** The pool has asked for it back; until the process agrees, it may still be worked on. */
  takenBack: boolean;
}

/**
 * One process and the documents it holds, in the order in which they were sent. Because it answers in that order, the first
 * one without an answer is the one that it works on: that one is to blame when it dies.
 */
export class Worker {
  readonly #startedAlone: boolean;
  readonly #process: WorkerProcess;
  readonly #listener: WorkerListener;
  #sent: Sent[] = [];
  readonly #recognition = new RecognitionTime();
  #page: RecognisedPage | undefined;
  #pagesAtOnce = 1;
  #ready = false;
  #answered = 0;
  #retiring = false;
  #endReason: EndReason = 'died';
  /** When it began with the first document it holds, or became idle. */
  #since = performance.now();

  constructor(module: string, limits: ExtractionLimits, logger: Logger, listener: WorkerListener, isAlone: boolean) {
    this.#listener = listener;
    this.#startedAlone = isAlone;
    this.#process = new WorkerProcess(module, limits, logger, {
      onMessage: (message) => this.#hear(message),
      onEnd: (end) => listener.onEnd(this, this.#endReason, end),
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get ended(): Promise<void> {
    return this.#process.ended;
  }

  get ready(): boolean {
    return this.#ready;
  }

  get retiring(): boolean {
    return this.#retiring;
  }

  /** It has a document that must be alone, so it takes no other until that is answered. */
  get isAlone(): boolean {
    return this.#startedAlone && this.#answered === 0;
  }

  get load(): number {
    return this.#sent.length;
  }

  /** Documents answered since it started. */
  get answered(): number {
    return this.#answered;
  }

  /** What it works on now. */
  get current(): Job | undefined {
    return this.#sent[0]?.job;
  }

  /** It is long with one document already, so nothing should wait behind it. */
  get isSlow(): boolean {
    return this.#ready && this.#sent.length > 0 && this.elapsedMs(performance.now()) > SLOW_MS;
  }

  /** For how long it has worked on that, or has been idle, or has been starting. */
  elapsedMs(now: number): number {
    return now - this.#since;
  }

  /** The same without the time for which it has waited for recognition; `atMostMs` of that are granted. */
  workedMs(now: number, atMostMs: number): number {
    return this.elapsedMs(now) - Math.min(atMostMs, this.#recognition.totalMs(now));
  }

  /** Its document shows pictures whose text is read. */
  get isRecognising(): boolean {
    return this.#recognition.hasBegun;
  }

  /** Which page of its document is being recognised, as far as it says. */
  get page(): RecognisedPage | undefined {
    return this.#page;
  }

  allowPages(atOnce: number): void {
    if (atOnce === this.#pagesAtOnce) return;
    this.#pagesAtOnce = atOnce;
    this.#process.send({ kind: 'pages', atOnce });
  }

  /** What the document that it worked on had given when it ended. */
  salvage(): Salvage | undefined {
    return this.#process.salvage();
  }

  residentBytes(): number | undefined {
    return this.#process.residentBytes();
  }

  assign(jobs: readonly Job[]): void {
    if (this.#sent.length === 0 && this.#ready) this.#since = performance.now();
    for (const job of jobs) this.#sent.push({ job, takenBack: false });
    this.#process.send({ kind: 'extract', documents: jobs.map(({ id, request }) => ({ id, request })) });
  }

  /** Takes back all documents that it has not begun with. */
  takeBack(): Job[] {
    const waiting = this.#sent.slice(1).filter(({ takenBack }) => !takenBack);
    if (waiting.length === 0) return [];
    for (const sent of waiting) sent.takenBack = true;
    this.#process.send({ kind: 'drop', ids: waiting.map(({ job }) => job.id) });
    return waiting.map(({ job }) => job);
  }

  /** It gets no further documents, and ends when it has finished what it holds. */
  retire(): void {
    this.#retiring = true;
    if (this.#sent.length === 0) this.end('released');
  }

  end(reason: Exclude<EndReason, 'died'>): void {
    if (this.#endReason !== 'died') return;
    this.#retiring = true;
    this.#endReason = reason;
    if (reason === 'released') this.#process.release();
    else this.#process.kill();
  }

  /** Nothing is polite any more: used when it does not end by itself. */
  kill(): void {
    this.#process.kill();
  }

  /**
   * When the process has ended: the document it worked on, unless it cannot be told (that one was asked back, and may have
   * been left out), and the others that nobody else has by now.
   */
  leftovers(): { culprit: Job | undefined; others: Job[] } {
    const [first, ...rest] = this.#sent;
    this.#sent = [];
    const isCertain = first !== undefined && !first.takenBack && this.#ready;
    const others = (isCertain || first === undefined ? rest : [first, ...rest]).filter(({ takenBack }) => !takenBack);
    return { culprit: isCertain ? first.job : undefined, others: others.map(({ job }) => job) };
  }

  #hear(message: FromSandbox): void {
    switch (message.kind) {
      case 'ready':
        this.#since = performance.now();
        this.#ready = true;
        break;
      case 'answers':
        this.#since = performance.now();
        this.#recognition.reset();
        this.#page = undefined;
        this.allowPages(1);
        this.#takeAnswers(message.answers);
        break;
      case 'dropped':
        this.#forget(new Set(message.ids));
        break;
      case 'recognising':
        this.#recognition.begin(performance.now(), message.atMostMs);
        this.#page = message.page;
        break;
      case 'recognised':
        this.#recognition.end(performance.now());
        break;
    }
    this.#listener.onProgress(this);
    if (this.#retiring && this.#sent.length === 0) this.end('released');
  }

  #takeAnswers(answers: readonly SandboxAnswer[]): void {
    for (const answer of answers) {
      const index = this.#sent.findIndex(({ job }) => job.id === answer.id);
      const sent = this.#sent[index];
      if (sent === undefined) continue;
      this.#sent.splice(index, 1);
      this.#answered++;
      this.#listener.onAnswer(this, sent.job, answer);
    }
  }

  /** Only what was asked back: the same document may have been sent anew since. */
  #forget(ids: ReadonlySet<number>): void {
    this.#sent = this.#sent.filter(({ job, takenBack }) => !takenBack || !ids.has(job.id));
  }
}
