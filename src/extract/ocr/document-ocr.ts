import { CrawlerError, messageOf } from '../../base/errors.js';
import type { OcrOptions } from '../extraction.js';
import type { Picture } from '../format.js';
import { MOST_PICTURES } from '../limits.js';
import type { OcrEngine } from './ocr-engine.js';
import type { OcrScheduler } from './ocr-scheduler.js';

/** Page segmentation mode 0 detects only the orientation of a page, not its text. */
const ORIENTATION_ONLY = 0;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type FindOcrEngine = (options: OcrOptions) => Promise<OcrEngine | undefined>;

/** OCR for one document: finds the engine, schedules the pictures, and enforces the time limits. */
export class DocumentOcr {
  readonly #options: OcrOptions;
  readonly #scheduler: OcrScheduler;
  readonly #find: FindOcrEngine;
  readonly #stops = new Set<AbortController>();
  readonly #waiting: (() => void)[] = [];
  readonly #running = new Set<Promise<unknown>>();
  /** Pictures that may be recognised now. */
  #taken = 0;
  #engine: Promise<OcrEngine | undefined> | undefined;
  #pictures = 0;
  /** When the first picture was started. */
  #startedAt: number | undefined;
  #hasStopped = false;
  #isClosed = false;

  constructor(options: OcrOptions, scheduler: OcrScheduler, find: FindOcrEngine = findOcrEngine) {
    this.#options = options;
    this.#scheduler = scheduler;
    this.#find = find;
    scheduler.onChange = () => this.#admit();
  }

  get atOnce(): number {
    return this.#scheduler.atOnce;
  }

  /** The engine; undefined when there is none, or when OCR is switched off. */
  engine(): Promise<OcrEngine | undefined> {
    if (!this.#options.enabled || this.#options.pageSegMode === ORIENTATION_ONLY) return Promise.resolve(undefined);
    return (this.#engine ??= this.#find(this.#options));
  }

  /** The text of a picture; undefined when it cannot be recognised. Reports failures to `warn`. */
  async recognise(picture: Picture, warn: (message: string) => void): Promise<string | undefined> {
    const engine = await this.engine();
    if (engine === undefined) return undefined;
    await this.#turn();
    const run = this.#recognise(engine, picture, warn);
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
      this.#taken--;
      this.#admit();
    }
  }

  /** Stops all recognition that is still running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop.abort();
    this.#scheduler.onChange = undefined;
    for (const next of this.#waiting.splice(0)) next();
    await Promise.allSettled(this.#running);
  }

  async #recognise(engine: OcrEngine, picture: Picture, warn: (message: string) => void): Promise<string | undefined> {
    if (this.#isClosed || !this.#canContinue(warn)) return undefined;
    const limitMs = Math.min(this.#options.pageTimeoutMs, this.#remainingMs());
    // Not AbortSignal.timeout: used with AbortSignal.any it may be garbage-collected before it fires.
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), limitMs);
    this.#stops.add(stop);
    this.#scheduler.begin(limitMs, picture.page);
    try {
      const rendered = picture.render();
      return rendered === undefined ? undefined : await engine.recognise(rendered, this.#options, stop.signal);
    } catch (error) {
      if (!(error instanceof CrawlerError)) throw error;
      this.#warnOf(error, { title: picture.title, limitMs }, warn);
      return undefined;
    } finally {
      clearTimeout(timer);
      this.#stops.delete(stop);
      this.#scheduler.end();
    }
  }

  #warnOf(error: CrawlerError, page: { title: string; limitMs: number }, warn: (message: string) => void): void {
    if (this.#isClosed) return;
    const { pageTimeoutMs } = this.#options;
    if (error.code === 'cancelled' && page.limitMs < pageTimeoutMs) return this.#warnOfStop(this.#tooLong, warn);
    const why = error.code === 'cancelled' ? `it took longer than ${pageTimeoutMs / 1000} s.` : messageOf(error);
    warn(`${page.title} is not recognised: ${why}`);
  }

  /** False when the document has used up its time or its number of pictures. */
  #canContinue(warn: (message: string) => void): boolean {
    this.#startedAt ??= performance.now();
    this.#pictures++;
    if (this.#remainingMs() <= 0) this.#warnOfStop(this.#tooLong, warn);
    else if (this.#pictures > MOST_PICTURES) this.#warnOfStop(`it contains more than ${MOST_PICTURES} pictures`, warn);
    return !this.#hasStopped;
  }

  get #tooLong(): string {
    return `it took longer than ${this.#options.documentTimeoutMs / 1000} s`;
  }

  #warnOfStop(why: string, warn: (message: string) => void): void {
    if (!this.#hasStopped) warn(`The rest of the document is not recognised: ${why}.`);
    this.#hasStopped = true;
  }

  #remainingMs(): number {
    const elapsedMs = this.#startedAt === undefined ? 0 : performance.now() - this.#startedAt;
    const remainingMs = Math.ceil(this.#options.documentTimeoutMs - elapsedMs);
    return Math.min(LONGEST_TIMER_MS, Math.max(0, remainingMs));
  }

  /** Waits until another picture may be recognised. */
  async #turn(): Promise<void> {
    if (this.#taken >= this.#scheduler.atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken++;
  }

  #admit(): void {
    while (this.#taken < this.#scheduler.atOnce) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#taken++;
      next();
    }
  }
}

/** The engine of this machine. Loaded with the first picture: most processes never need it. */
export async function findOcrEngine(options: OcrOptions): Promise<OcrEngine | undefined> {
  const { findOcr } = await import('./find-ocr.js');
  const { engine } = await findOcr(options);
  return engine;
}
