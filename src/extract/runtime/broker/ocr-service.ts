import type { Socket } from 'node:net';
import { CrawlerError, messageOf } from '../../../base/errors.js';
import type { OcrOptions } from '../../extraction.js';
import { MOST_PICTURES } from '../../limits.js';
import type { OcrEngine } from '../../ocr/ocr-engine.js';
import { feedFrame, type GroupToOpen } from '../channel/broker-messages.js';
import { jsonFrame } from '../../frames/frames.js';
import type { ProgramIsolation } from '../isolation/sandbox-backend.js';
import { errorCodeOf } from './error-code-of.js';
import type { ProcessRequest } from './request-reader.js';

type Request<K extends ProcessRequest['kind']> = Extract<ProcessRequest, { kind: K }>;

/** More documents than a process has. */
const MOST_DOCUMENTS = 256;
/** More pictures than a process has recognised at the same time. */
const MOST_WAITING = 256;

interface KnownDocument {
  readonly options: OcrOptions;
  pictures: number;
}

/**
 * Runs the OCR program for a process. It sends pictures and their resolution; program, language and mode are those of the job.
 */
export class OcrService {
  readonly #process: Socket;
  readonly #isolation: ProgramIsolation | undefined;
  readonly #documents = new Map<number, KnownDocument>();
  readonly #stops = new Map<number, AbortController>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #atOnce = 1;

  constructor(process: Socket, isolation: ProgramIsolation | undefined) {
    this.#process = process;
    this.#isolation = isolation;
  }

  announce({ ocr: all, documents }: GroupToOpen): void {
    for (const { id, ocr } of documents) {
      const options = all[ocr];
      if (options?.enabled === true) this.#documents.set(id, { options, pictures: 0 });
    }
    for (const id of this.#documents.keys()) {
      if (this.#documents.size <= MOST_DOCUMENTS) break;
      this.#documents.delete(id);
    }
  }

  allow(atOnce: number): void {
    this.#atOnce = Math.max(1, atOnce);
    this.#admit();
  }

  /** @throws CrawlerError `corrupt` when the process may not ask for it */
  answer(request: Request<'find_ocr' | 'recognise' | 'stop_recognition'>): void {
    if (request.kind === 'find_ocr') void this.#find(request.number, this.#known(request.id).options);
    else if (request.kind === 'recognise') this.#recognise(request);
    else this.#stops.get(request.number)?.abort();
  }

  #known(id: number): KnownDocument {
    const known = this.#documents.get(id);
    if (known === undefined) throw new CrawlerError('corrupt', 'OCR was asked for without a request');
    return known;
  }

  async #find(number: number, options: OcrOptions): Promise<void> {
    const engine = await engineFor(options, this.#isolation).catch(() => undefined);
    const found =
      engine === undefined ? undefined : { name: engine.name, version: engine.version, languages: engine.languages };
    this.#send(feedFrame.ocrEngine, { number, engine: found });
  }

  #recognise(request: Request<'recognise'>): void {
    const known = this.#known(request.id);
    known.pictures++;
    if (known.pictures > MOST_PICTURES || this.#stops.size >= MOST_WAITING || this.#stops.has(request.number)) {
      throw new CrawlerError('corrupt', 'more pictures than a document may have');
    }
    const stop = new AbortController();
    this.#stops.set(request.number, stop);
    this.#waiting.push(() => void this.#run(request, known.options, stop));
    this.#admit();
  }

  #admit(): void {
    while (this.#running < this.#atOnce) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#running++;
      next();
    }
  }

  async #run(
    { number, picture, dpi }: Request<'recognise'>,
    options: OcrOptions,
    stop: AbortController,
  ): Promise<void> {
    const timer = setTimeout(() => stop.abort(), options.pageTimeoutMs);
    try {
      const engine = await engineFor(options, this.#isolation);
      if (engine === undefined || stop.signal.aborted) {
        throw new CrawlerError('cancelled', 'The recognition of text was stopped.');
      }
      const rendered = dpi === undefined ? { bytes: picture } : { bytes: picture, dpi };
      this.#send(feedFrame.ocrText, { number, text: await engine.recognise(rendered, options, stop.signal) });
    } catch (error) {
      this.#send(feedFrame.ocrText, { number, error: { code: errorCodeOf(error), message: messageOf(error) } });
    } finally {
      clearTimeout(timer);
      this.#stops.delete(number);
      this.#running--;
      this.#admit();
    }
  }

  #send(kind: number, value: unknown): void {
    this.#process.write(jsonFrame(kind, value));
  }
}

/** Loaded with the first picture. */
async function engineFor(options: OcrOptions, isolation: ProgramIsolation | undefined): Promise<OcrEngine | undefined> {
  const { findOcr } = await import('../../ocr/find-ocr.js');
  if (isolation === undefined) return (await findOcr(options)).engine;
  const { isolatedPrograms } = await import('../isolation/isolate-program.js');
  return (await findOcr(options, isolatedPrograms(isolation))).engine;
}
