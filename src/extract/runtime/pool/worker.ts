import { MOST_PICTURES, type DocumentLimits } from '../../limits.js';
import type { RecognisedPage } from '../../recognised-page.js';
import { MOST_PARTIAL_BYTES } from '../channel/answer-limits.js';
import { checkedExtraction, type PartialResult } from '../channel/check-extraction.js';
import { invalid } from '../channel/checked.js';
import type { PartialBytes, ProcessAnswer, ProcessMessage, ReceivedAnswer } from '../channel/messages.js';
import { readPartialResult } from '../channel/read-partial-result.js';
import type { ExtractionTask } from './extraction-task.js';
import type { SandboxBackend } from '../isolation/sandbox-backend.js';
import { RecognitionTime } from './recognition-time.js';
import { WorkerProcess, type ProcessEnd, type WorkerProcessOptions } from './worker-process.js';

/** Why the pool has ended a process; `died` when it ended by itself. */
export type EndReason = 'timed_out' | 'too_large' | 'cancelled' | 'released' | 'not_ready' | 'died';

export interface WorkerOptions extends WorkerProcessOptions {
  /** As in the options of the pool. */
  readonly replacesAfterFaults: boolean;
}

export interface WorkerListener {
  onAnswer(worker: Worker, task: ExtractionTask, answer: ProcessAnswer): void;
  /** Messages have arrived: it may be able to take more documents. */
  onProgress(worker: Worker): void;
  onEnd(worker: Worker, reason: EndReason, end: ProcessEnd): void;
}

/** A document that takes longer is slow. */
const SLOW_MS = 100;

/** A document that was sent to the process. */
interface Sent {
  readonly task: ExtractionTask;
  /** The pool has asked for it back; until the process confirms, it may still be extracted. */
  takenBack: boolean;
}

/**
 * One process and its documents in the order in which they were sent. The process answers in that order, so the first
 * document without an answer is the current one, and the likely cause when the process dies.
 */
export class Worker {
  readonly #startedAlone: boolean;
  readonly isolation: SandboxBackend | undefined;
  /** True when it is ready, false when it has ended before. */
  readonly started: Promise<boolean>;
  #onStarted: (isReady: boolean) => void = () => undefined;
  readonly #process: WorkerProcess;
  readonly #listener: WorkerListener;
  readonly #limits: DocumentLimits;
  readonly #replacesAfterFaults: boolean;
  /** It has read a document that may have been an attack: nothing that it says afterwards counts. */
  #isDistrusted = false;
  readonly #startedAt = performance.now();
  #sent: Sent[] = [];
  readonly #recognition = new RecognitionTime();
  /** How many pages of the current document have been announced for recognition. */
  #recognised = 0;
  #page: RecognisedPage | undefined;
  #pagesAtOnce = 1;
  /** Of the current document. */
  #partial: PartialBytes[] = [];
  #partialBytes = 0;
  /** Answers of a group that is not complete. */
  #undelivered: { readonly task: ExtractionTask; readonly answer: ProcessAnswer }[] = [];
  /** Requests to drop documents that have not been answered. */
  #drops = 0;
  #ready = false;
  #answered = 0;
  #retiring = false;
  #endReason: EndReason = 'died';
  /** When it started the current document, or became idle. */
  #since = performance.now();

  constructor(module: string, options: WorkerOptions, listener: WorkerListener, isAlone: boolean) {
    this.#listener = listener;
    this.#limits = options.limits.document;
    this.#replacesAfterFaults = options.replacesAfterFaults;
    this.#startedAlone = isAlone;
    this.isolation = options.isolation;
    this.started = new Promise((resolve) => (this.#onStarted = resolve));
    this.#process = new WorkerProcess(module, options, {
      onMessage: (message) => {
        if (!this.#isDistrusted) this.#handle(message);
      },
      onRead: () => this.#afterMessages(),
      onEnd: (end) => {
        this.#deliver();
        this.#onStarted(false);
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

  /** Its document is being retried alone, so it takes no other until that is answered. */
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

  /** The document that it is extracting. */
  get current(): ExtractionTask | undefined {
    return this.#sent[0]?.task;
  }

  /** The current document takes long, so no other should wait behind it. */
  get isSlow(): boolean {
    return this.#ready && this.#sent.length > 0 && this.elapsedMs(performance.now()) > SLOW_MS;
  }

  /** For how long it has been extracting the current document, idle, or starting. */
  elapsedMs(now: number): number {
    return now - this.#since;
  }

  /** The same without the time that it has waited for OCR, of which at most `atMostMs` are deducted. */
  workedMs(now: number, atMostMs: number): number {
    return this.elapsedMs(now) - Math.min(atMostMs, this.#recognition.totalMs(now));
  }

  /** OCR has been used for the current document. */
  get isRecognising(): boolean {
    return this.#recognition.hasBegun;
  }

  /** The page of the current document that is being recognised, as far as the process tells. */
  get page(): RecognisedPage | undefined {
    return this.#page;
  }

  allowPages(atOnce: number): void {
    if (atOnce === this.#pagesAtOnce) return;
    this.#pagesAtOnce = atOnce;
    this.#process.send({ kind: 'pages', atOnce });
  }

  /** The partial result of the current document, when the process has ended. */
  partialResult(): PartialResult | undefined {
    return readPartialResult(this.#partial, this.#limits);
  }

  residentBytes(): number | undefined {
    return this.#process.residentBytes();
  }

  assign(tasks: readonly ExtractionTask[]): void {
    if (this.#sent.length === 0 && this.#ready) this.#since = performance.now();
    for (const task of tasks) this.#sent.push({ task, takenBack: false });
    this.#process.send({ kind: 'extract', documents: tasks.map(({ id, request }) => ({ id, request })) });
  }

  /** Takes back all documents but the current one. */
  takeBack(): ExtractionTask[] {
    const waiting = this.#sent.slice(1).filter(({ takenBack }) => !takenBack);
    if (waiting.length === 0) return [];
    for (const sent of waiting) sent.takenBack = true;
    this.#drops++;
    this.#process.send({ kind: 'drop', ids: waiting.map(({ task }) => task.id) });
    return waiting.map(({ task }) => task);
  }

  /** Lets it finish its documents, gives it no others, and then ends it. */
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

  /** For a process that does not end by itself. */
  kill(): void {
    this.#process.kill();
  }

  /**
   * The documents without an answer after the process has ended: the one that it was extracting, unless that is uncertain (it
   * was taken back, and may have been dropped), and the others that were not taken back.
   */
  unanswered(): { atWork: ExtractionTask | undefined; others: ExtractionTask[] } {
    const [first, ...rest] = this.#sent;
    this.#sent = [];
    const isCertain = first !== undefined && !first.takenBack && this.#ready;
    const others = (isCertain || first === undefined ? rest : [first, ...rest]).filter(({ takenBack }) => !takenBack);
    return { atWork: isCertain ? first.task : undefined, others: others.map(({ task }) => task) };
  }

  /** @throws CrawlerError `corrupt` when it is not a message that the process may send at this moment */
  #handle(message: ProcessMessage): void {
    switch (message.kind) {
      case 'ready':
        this.#since = performance.now();
        this.#ready = true;
        this.#onStarted(true);
        break;
      case 'answer':
        this.#takeAnswer(message.answer);
        this.#afterAnswer(message.isLast);
        break;
      case 'partial':
        this.#keepPartial(message.part);
        break;
      case 'dropped':
        if (this.#drops === 0) throw invalid('documents were dropped without a request');
        this.#drops--;
        this.#forget(new Set(message.ids));
        break;
      case 'recognising':
        this.#beginRecognition(message.atMostMs);
        this.#page = message.page;
        break;
      case 'recognised':
        this.#recognition.end(performance.now());
        break;
    }
  }

  #afterAnswer(isLast: boolean): void {
    if (isLast || this.#sent.length === 0 || this.#isDistrusted) this.#deliver();
    if (this.#isDistrusted) this.end('cancelled');
  }

  #afterMessages(): void {
    this.#listener.onProgress(this);
    if (this.#retiring && this.#sent.length === 0) this.end('released');
  }

  /** Answers arrive in the order of the documents, so only the first one can be answered. */
  #takeAnswer({ id, elapsedMs, result }: ReceivedAnswer): void {
    const now = performance.now();
    const task = this.#sent[0]?.task;
    if (task?.id !== id) throw invalid('the answer is not for the current document');
    const answer: ProcessAnswer = {
      id,
      elapsedMs: Math.min(elapsedMs, now - this.#startedAt),
      result:
        'error' in result
          ? result
          : { extraction: checkedExtraction(result.extraction, task.request.options, this.#limits) },
    };
    this.#sent.shift();
    this.#undelivered.push({ task, answer });
    if (this.#replacesAfterFaults && isFault(answer)) this.#isDistrusted = true;
    this.#since = now;
    this.#recognition.reset();
    this.#recognised = 0;
    this.#page = undefined;
    this.#partial = [];
    this.#partialBytes = 0;
    this.allowPages(1);
  }

  /** Answers of a group are delivered together, so that as many documents can be sent in one group in return. */
  #deliver(): void {
    const answers = this.#undelivered;
    this.#undelivered = [];
    this.#answered += answers.length;
    for (const { task, answer } of answers) this.#listener.onAnswer(this, task, answer);
  }

  #keepPartial(part: PartialBytes): void {
    this.#partialBytes += part.facts.length + part.text.length;
    if (this.#sent.length === 0 || this.#partialBytes > MOST_PARTIAL_BYTES)
      throw invalid('a partial result is out of place');
    this.#partial.push(part);
  }

  #beginRecognition(atMostMs: number): void {
    this.#recognised++;
    const isWanted = this.current?.request.options.ocr.enabled === true && this.#recognised <= MOST_PICTURES;
    if (!isWanted) throw invalid('OCR was started without a request');
    this.#recognition.begin(performance.now(), atMostMs);
  }

  /** Only documents that were taken back: the same document may have been sent again since. */
  #forget(ids: ReadonlySet<number>): void {
    this.#sent = this.#sent.filter(({ task, takenBack }) => !takenBack || !ids.has(task.id));
  }
}

/** The document is damaged, or the program failed to read it. */
function isFault({ result }: ProcessAnswer): boolean {
  const reason = 'error' in result ? result.error.code : result.extraction.problem?.reason;
  return reason === 'corrupt' || reason === 'internal';
}
