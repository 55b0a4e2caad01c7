import { ftruncateSync, writeSync } from 'node:fs';
import type { DocumentLimits } from '../../limits.js';
import { factsFrame } from '../channel/answer-frames.js';
import { MOST_PARTIAL_BYTES } from '../channel/answer-limits.js';
import type { PartialResult } from '../channel/check-extraction.js';
import { textFrame } from '../channel/frames.js';
import { processFrame } from '../channel/messages.js';

/**
 * What a document has given so far, for the case that its process does not survive it. The pool gives each process an open file
 * without a name; a document that takes long writes to it now and then: the frames of an answer with what is new. The file is
 * emptied before the next document.
 */

/** Most documents are done by then and cost nothing. */
const FIRST_MS = 100;
/** A document that unpacks so much may be over sooner than that. */
const HEAVY_BYTES = 4 * 1024 * 1024;
/** From one line to the next it takes twice as long, up to this. */
const LONGEST_PAUSE_MS = 1_000;
/** Who has given so much has given enough. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

export class SalvageLog {
  readonly #file: number;
  readonly #limits: DocumentLimits;
  #snapshot: (() => PartialResult) | undefined;
  #dueAt = 0;
  #pauseMs = 0;
  #bytes = 0;
  #size = 0;
  #sent = { text: 0, members: 0, warnings: 0 };

  constructor(file: number, limits: DocumentLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  /** @param snapshot all that there is at the moment it is called */
  begin(snapshot: () => PartialResult): void {
    if (this.#size > 0) this.#attempt(() => ftruncateSync(this.#file, 0));
    this.#snapshot = snapshot;
    this.#pauseMs = FIRST_MS;
    this.#dueAt = performance.now() + FIRST_MS;
    this.#bytes = 0;
    this.#size = 0;
    this.#sent = { text: 0, members: 0, warnings: 0 };
  }

  /** So many bytes have been unpacked. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Costs nothing until it is time for a line. */
  comeBy(now: number): void {
    const isDue = now >= this.#dueAt || this.#bytes > HEAVY_BYTES;
    if (!isDue || this.#snapshot === undefined) return;
    this.#bytes = 0;
    this.#write(this.#snapshot());
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    this.#dueAt = performance.now() + this.#pauseMs;
  }

  #write({ text, members, warnings, ...rest }: PartialResult): void {
    const { text: textAt, members: membersAt, warnings: warningsAt } = this.#sent;
    const news = { ...rest, members: members.slice(membersAt), warnings: warnings.slice(warningsAt) };
    const record = Buffer.concat([factsFrame(news, this.#limits), textFrame(processFrame.text, text.slice(textAt))]);
    if (this.#size + record.length > MOST_PARTIAL_BYTES) {
      this.#snapshot = undefined;
      return;
    }
    this.#attempt(() => writeSync(this.#file, record, 0, record.length, this.#size));
    this.#size += record.length;
    this.#sent = { text: text.length, members: members.length, warnings: warnings.length };
    if (text.length > MOST_CHARACTERS) this.#snapshot = undefined;
  }

  /** A full disk must not cost the document: then there is nothing to salvage. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch {
      this.#snapshot = undefined;
    }
  }
}
