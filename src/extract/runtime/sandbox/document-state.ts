import { CrawlerError } from '../../../base/errors.js';
import type { Problem } from '../../../model/reason.js';
import type { ExtractedMember, ExtractionOptions } from '../../extraction.js';
import { inMegabytes, MOST_PAGES, MOST_WARNINGS, type DocumentLimits } from '../../limits.js';
import { DocumentOcr, type FindOcrEngine } from '../../ocr/document-ocr.js';
import type { OcrScheduler } from '../../ocr/ocr-scheduler.js';
import { ResourceBudget } from './resource-budget.js';
import type { PartialResultLog } from './partial-result-log.js';
import { TextBuffer } from '../../text-buffer.js';

/** Checking the clock for every word would cost a tenth of the time; every page of a PDF has more characters than this. */
const CHARACTERS_PER_CHECK = 512;
const CHARACTERS_PER_CALL = 16;

/** What all levels of one document share: text, budget, results, and what went wrong. */
export class DocumentState {
  readonly options: ExtractionOptions;
  readonly limits: DocumentLimits;
  readonly text: TextBuffer;
  readonly ocr: DocumentOcr;
  readonly budget: ResourceBudget;
  readonly partialResult: PartialResultLog | undefined;
  readonly members: ExtractedMember[] = [];
  readonly warnings: string[] = [];
  /** Where pages begin in the text. */
  readonly pages: number[] = [];
  /** Names of all extractors that were used, in the order of their first use. */
  readonly extractors = new Set<string>();
  #problem: Problem | undefined;
  #parts = 0;
  #sinceCheck = 0;
  #unpacked = 0;
  readonly #mostUnpacked: number;

  constructor(
    options: ExtractionOptions,
    limits: DocumentLimits,
    documentBytes: number,
    {
      scheduler,
      partialResult,
      findOcr,
    }: {
      readonly scheduler: OcrScheduler;
      readonly partialResult: PartialResultLog | undefined;
      readonly findOcr: FindOcrEngine;
    },
  ) {
    this.options = options;
    this.limits = limits;
    const wanted = options.maxCharacters < 0 ? Number.POSITIVE_INFINITY : options.maxCharacters;
    this.text = new TextBuffer(Math.min(wanted, limits.outputCharacters));
    this.budget = new ResourceBudget(limits);
    this.partialResult = partialResult;
    this.ocr = new DocumentOcr(options.ocr, scheduler, findOcr);
    const byRatio = Math.max(limits.ratioFromBytes, documentBytes * limits.ratio);
    this.#mostUnpacked = Math.min(limits.unpackedBytes, byRatio);
  }

  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Keeps the first problem: later ones are its consequences. */
  report(problem: Problem): void {
    this.#problem ??= problem;
  }

  warn(message: string): void {
    if (this.warnings.length < MOST_WARNINGS) this.warnings.push(message);
  }

  startPage(): void {
    if (!this.text.full && this.pages.length < MOST_PAGES) this.pages.push(this.text.length);
  }

  write(text: string): void {
    this.#sinceCheck += text.length + CHARACTERS_PER_CALL;
    if (this.#sinceCheck > CHARACTERS_PER_CHECK) this.checkpoint();
    this.text.write(text);
  }

  /** Called by everything that a format does: enforces the limits, and sends the partial result when it is time. */
  checkpoint(): void {
    this.#sinceCheck = 0;
    const now = performance.now();
    this.partialResult?.sendIfDue(now);
    this.budget.check(now);
  }

  countBytes(bytes: number): void {
    this.budget.count(bytes);
    this.partialResult?.count(bytes);
    this.checkpoint();
    this.#unpacked += bytes;
    if (this.#unpacked > this.#mostUnpacked) {
      throw new CrawlerError('too_large', `The document unpacks to more than ${inMegabytes(this.#mostUnpacked)}.`);
    }
  }

  countPart(): void {
    this.#parts++;
    if (this.#parts > this.limits.parts) {
      throw new CrawlerError('too_large', `The document has more than ${this.limits.parts} parts.`);
    }
  }
}
