import { CrawlerError, messageOf } from '../../base/errors.js';
import type { OcrOptions } from '../extraction.js';
import type { Picture } from '../format.js';
import { findOcr } from './find-ocr.js';
import type { OcrEngine } from './ocr-engine.js';
import type { RecognitionDesk } from './recognition-desk.js';

/** More than this in one document are a gallery: the time for the others is better spent on other documents. */
const MOST_PICTURES = 2_000;
/** Page segmentation mode 0 asks for the orientation of a page, not for its text. */
const ORIENTATION_ONLY = 0;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Recognition for one document: finds the engine, gives every picture its turn and its time, and ends in time. */
export class DocumentOcr {
  readonly #options: OcrOptions;
  readonly #desk: RecognitionDesk;
  readonly #stops = new Set<AbortController>();
  readonly #waiting: (() => void)[] = [];
  readonly #running = new Set<Promise<unknown>>();
  /** Turns that were given and not handed back. */
  #taken = 0;
  #engine: Promise<OcrEngine | undefined> | undefined;
  #pictures = 0;
  /** Since the first picture. */
  #startedAt: number | undefined;
  #hasEnded = false;
  #isClosed = false;

  constructor(options: OcrOptions, desk: RecognitionDesk) {
    this.#options = options;
    this.#desk = desk;
    desk.onChange = () => this.#admit();
  }

  get atOnce(): number {
    return this.#desk.atOnce;
  }

  /** The engine; undefined when there is none, or when recognition is switched off or has come to its end. */
  engine(): Promise<OcrEngine | undefined> {
    if (!this.#options.enabled || this.#options.pageSegMode === ORIENTATION_ONLY) return Promise.resolve(undefined);
    return (this.#engine ??= findOcr(this.#options).then(({ engine }) => engine));
  }

  /** The text of a picture, undefined when it could not be had. What went wrong is told to `warn`. */
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

  /** Stops whatever is still being read. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop.abort();
    this.#desk.onChange = undefined;
    for (const next of this.#waiting.splice(0)) next();
    await Promise.allSettled(this.#running);
  }

  async #recognise(engine: OcrEngine, picture: Picture, warn: (message: string) => void): Promise<string | undefined> {
    if (this.#isClosed || !this.#mayGoOn(warn)) return undefined;
    const limitMs = Math.min(this.#options.pageTimeoutMs, this.#remainingMs());
    // Not AbortSignal.timeout: below AbortSignal.any it may be collected before it fires.
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), limitMs);
    this.#stops.add(stop);
    this.#desk.begin(limitMs, picture.page);
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
      this.#desk.end();
    }
  }

  #warnOf(error: CrawlerError, page: { title: string; limitMs: number }, warn: (message: string) => void): void {
    if (this.#isClosed) return;
    const { pageTimeoutMs } = this.#options;
    if (error.code === 'cancelled' && page.limitMs < pageTimeoutMs) return this.#warnOfEnd(this.#tooLong, warn);
    const why = error.code === 'cancelled' ? `it took longer than ${pageTimeoutMs / 1000} s.` : messageOf(error);
    warn(`${page.title} is not recognised: ${why}`);
  }

  /** False when the document has used up its time, or has had pictures enough. */
  #mayGoOn(warn: (message: string) => void): boolean {
    this.#startedAt ??= performance.now();
    this.#pictures++;
    if (this.#remainingMs() <= 0) this.#warnOfEnd(this.#tooLong, warn);
    else if (this.#pictures > MOST_PICTURES) this.#warnOfEnd(`it shows more than ${MOST_PICTURES} pictures`, warn);
    return !this.#hasEnded;
  }

  get #tooLong(): string {
    return `it took longer than ${this.#options.documentTimeoutMs / 1000} s`;
  }

  #warnOfEnd(why: string, warn: (message: string) => void): void {
    if (!this.#hasEnded) warn(`The rest of the document is not recognised: ${why}.`);
    this.#hasEnded = true;
  }

  #remainingMs(): number {
    const elapsedMs = this.#startedAt === undefined ? 0 : performance.now() - this.#startedAt;
    const remainingMs = Math.ceil(this.#options.documentTimeoutMs - elapsedMs);
    return Math.min(LONGEST_TIMER_MS, Math.max(0, remainingMs));
  }

  /** Waits until fewer pictures are being read than may be. */
  async #turn(): Promise<void> {
    if (this.#taken >= this.#desk.atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken++;
  }

  #admit(): void {
    while (this.#taken < this.#desk.atOnce) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#taken++;
      next();
    }
  }
}
