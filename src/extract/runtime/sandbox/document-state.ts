import { CrawlerError } from '../../../base/errors.js';
import type { Problem } from '../../../model/reason.js';
import type { ExtractedMember, ExtractionOptions } from '../../extraction.js';
import { inMegabytes, MOST_PAGES, MOST_WARNINGS, type DocumentLimits } from '../../limits.js';
import { DocumentOcr } from '../../ocr/document-ocr.js';
import type { RecognitionDesk } from '../../ocr/recognition-desk.js';
import { Allowance } from './allowance.js';
import type { SalvageLog } from './salvage-log.js';
import { TextBuffer } from '../../text-buffer.js';

/** To look at the clock for every word would cost a tenth of the time; every page of a PDF has more characters. */
const CHARACTERS_FOR_A_LOOK = 512;
const CHARACTERS_FOR_A_CALL = 16;

/** What all levels of one document share: its text, its budget, and what has been found and gone wrong so far. */
export class DocumentState {
  readonly options: ExtractionOptions;
  readonly limits: DocumentLimits;
  readonly text: TextBuffer;
  readonly ocr: DocumentOcr;
  readonly allowance: Allowance;
  readonly salvage: SalvageLog | undefined;
  readonly members: ExtractedMember[] = [];
  readonly warnings: string[] = [];
  /** Where pages begin in the text. */
  readonly pages: number[] = [];
  /** Names of all extractors that took part, in the order of their first use. */
  readonly extractors = new Set<string>();
  #problem: Problem | undefined;
  #parts = 0;
  #sinceLook = 0;
  #unpacked = 0;
  readonly #mostUnpacked: number;

  constructor(
    options: ExtractionOptions,
    limits: DocumentLimits,
    documentBytes: number,
    { desk, salvage }: { readonly desk: RecognitionDesk; readonly salvage: SalvageLog | undefined },
  ) {
    this.options = options;
    this.limits = limits;
    const wanted = options.maxCharacters < 0 ? Number.POSITIVE_INFINITY : options.maxCharacters;
    this.text = new TextBuffer(Math.min(wanted, limits.outputCharacters));
    this.allowance = new Allowance(limits);
    this.salvage = salvage;
    this.ocr = new DocumentOcr(options.ocr, desk);
    const byRatio = Math.max(limits.ratioFromBytes, documentBytes * limits.ratio);
    this.#mostUnpacked = Math.min(limits.unpackedBytes, byRatio);
  }

  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** The first problem is the one that is reported: later ones follow from it. */
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
    this.#sinceLook += text.length + CHARACTERS_FOR_A_CALL;
    if (this.#sinceLook > CHARACTERS_FOR_A_LOOK) this.comeBy();
    this.text.write(text);
  }

  /** Whatever a format does comes by here: it is stopped in time, and what there is gets written down. */
  comeBy(): void {
    this.#sinceLook = 0;
    const now = performance.now();
    this.salvage?.comeBy(now);
    this.allowance.check(now);
  }

  countBytes(bytes: number): void {
    this.allowance.count(bytes);
    this.salvage?.count(bytes);
    this.comeBy();
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
