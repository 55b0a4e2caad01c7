import { CrawlerError } from '../../base/errors.js';
import type { Problem } from '../../model/reason.js';
import type { ExtractedMember, ExtractionOptions } from '../extraction.js';
import type { DocumentLimits } from '../limits.js';
import { TextBuffer } from './text-buffer.js';

/** What all levels of one document share: its text, its budget, and what has been found and gone wrong so far. */
export class DocumentState {
  readonly options: ExtractionOptions;
  readonly limits: DocumentLimits;
  readonly text: TextBuffer;
  readonly members: ExtractedMember[] = [];
  readonly warnings: string[] = [];
  /** Names of all extractors that took part, in the order of their first use. */
  readonly extractors = new Set<string>();
  #problem: Problem | undefined;
  #parts = 0;
  #unpacked = 0;
  readonly #mostUnpacked: number;

  constructor(options: ExtractionOptions, limits: DocumentLimits, documentBytes: number) {
    this.options = options;
    this.limits = limits;
    const wanted = options.maxCharacters < 0 ? Number.POSITIVE_INFINITY : options.maxCharacters;
    this.text = new TextBuffer(Math.min(wanted, limits.outputCharacters));
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

  countBytes(bytes: number): void {
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

const MOST_WARNINGS = 100;
const MEGABYTE = 1024 * 1024;

export function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / MEGABYTE)} MB`;
}
