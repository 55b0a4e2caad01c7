import type { Logger } from '../../../base/logger.js';
import { MOST_PICTURES, type DocumentLimits, type ExtractionLimits } from '../../limits.js';
import { checkedExtraction, type PartialResult } from '../channel/check-extraction.js';
import { invalid } from '../channel/checked.js';
import type { ProcessAnswer, ProcessMessage, ReceivedAnswer } from '../channel/messages.js';
import type { Job } from './job.js';
import { RecognitionTime } from './recognition-time.js';
import { WorkerProcess, type ProcessEnd } from './worker-process.js';

/** Why the pool has ended a process; `died` when it did so by itself. */
export type EndReason = 'timed_out' | 'too_large' | 'cancelled' | 'released' | 'not_ready' | 'died';

export interface WorkerListener {
  onAnswer(worker: Worker, job: Job, answer: ProcessAnswer): void;
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
  readonly #limits: DocumentLimits;
  readonly #startedAt = performance.now();
  #sent: Sent[] = [];
  readonly #recognition = new RecognitionTime();
  /** Pages of the document at work whose recognition has begun. */
  #recognised = 0;
  #pagesAtOnce = 1;
  /** Answers that others will follow. */
  #undelivered: { readonly job: Job; readonly answer: ProcessAnswer }[] = [];
  /** Requests to drop documents that have not been answered. */
  #drops = 0;
  #ready = false;
  #answered = 0;
  #retiring = false;
  #endReason: EndReason = 'died';
  /** When it began with the first document it holds, or became idle. */
  #since = performance.now();

  constructor(module: string, limits: ExtractionLimits, logger: Logger, listener: WorkerListener, isAlone: boolean) {
    this.#listener = listener;
    this.#limits = limits.document;
    this.#startedAlone = isAlone;
    this.#process = new WorkerProcess(module, limits, logger, {
      onMessage: (message) => this.#hear(message),
      onRead: () => this.#afterMessages(),
      onEnd: (end) => {
        this.#deliver();
        listener.onEnd(this, this.#endReason, end);
      },
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

  allowPages(atOnce: number): void {
    if (atOnce === this.#pagesAtOnce) return;
    this.#pagesAtOnce = atOnce;
    this.#process.send({ kind: 'pages', atOnce });
  }

  /** What the document that it worked on had given when it ended. */
  salvage(): PartialResult | undefined {
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
    this.#drops++;
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

  /** @throws CrawlerError `corrupt` when it is not a message that the process may send at this moment */
  #hear(message: ProcessMessage): void {
    switch (message.kind) {
      case 'ready':
        this.#since = performance.now();
        this.#ready = true;
        break;
      case 'answer':
        this.#takeAnswer(message.answer);
        if (message.isLast || this.#sent.length === 0) this.#deliver();
        break;
      case 'dropped':
        if (this.#drops === 0) throw invalid('documents are dropped that nobody has asked back');
        this.#drops--;
        this.#forget(new Set(message.ids));
        break;
      case 'recognising':
        this.#beginRecognition(message.atMostMs);
        break;
      case 'recognised':
        this.#recognition.end(performance.now());
        break;
    }
  }

  #afterMessages(): void {
    this.#listener.onProgress(this);
    if (this.#retiring && this.#sent.length === 0) this.end('released');
  }

  /** Answers come in the order of the documents: no other one than the first can be answered. */
  #takeAnswer({ id, elapsedMs, result }: ReceivedAnswer): void {
    const now = performance.now();
    const job = this.#sent[0]?.job;
    if (job?.id !== id) throw invalid('the answer is for a document that is not at work');
    const answer: ProcessAnswer = {
      id,
      elapsedMs: Math.min(elapsedMs, now - this.#startedAt),
      result:
        'error' in result
          ? result
          : { extraction: checkedExtraction(result.extraction, job.request.options, this.#limits) },
    };
    this.#sent.shift();
    this.#undelivered.push({ job, answer });
    this.#since = now;
    this.#recognition.reset();
    this.#recognised = 0;
    this.allowPages(1);
  }

  /** Answers that have been sent together are delivered together, so that as many documents can be sent at once in return. */
  #deliver(): void {
    const answers = this.#undelivered;
    this.#undelivered = [];
    this.#answered += answers.length;
    for (const { job, answer } of answers) this.#listener.onAnswer(this, job, answer);
  }

  #beginRecognition(atMostMs: number): void {
    this.#recognised++;
    const isWanted = this.current?.request.options.ocr.enabled === true && this.#recognised <= MOST_PICTURES;
    if (!isWanted) throw invalid('pages are recognised that nobody has asked for');
    this.#recognition.begin(performance.now(), atMostMs);
  }

  /** Only what was asked back: the same document may have been sent anew since. */
  #forget(ids: ReadonlySet<number>): void {
    this.#sent = this.#sent.filter(({ job, takenBack }) => !takenBack || !ids.has(job.id));
  }
}
