import { ftruncateSync, writeSync } from 'node:fs';
import type { DocumentLimits } from '../../limits.js';
import { factsFrame } from '../channel/answer-frames.js';
import { MOST_PARTIAL_BYTES } from '../channel/answer-limits.js';
import type { PartialResult } from '../channel/check-extraction.js';
import { textFrame } from '../channel/frames.js';
import { processFrame } from '../channel/messages.js';

/**
 * Saves what was found in a document so far, in case that the process is killed. The pool opens an unlinked file for each
 * process; for a slow document, the process appends the bodies of an answer with what is new. The file is truncated before
 * the next document.
 */

/** Most documents are finished by then. */
const FIRST_MS = 100;
/** A document that unpacks this much may exceed its memory limit before that. */
const HEAVY_BYTES = 4 * 1024 * 1024;
/** The interval doubles with every record, up to this. */
const LONGEST_PAUSE_MS = 1_000;
/** Beyond this nothing more is saved. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

export class PartialResultLog {
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

  /** @param snapshot returns the current result */
  begin(snapshot: () => PartialResult): void {
    if (this.#size > 0) this.#attempt(() => ftruncateSync(this.#file, 0));
    this.#snapshot = snapshot;
    this.#pauseMs = FIRST_MS;
    this.#dueAt = performance.now() + FIRST_MS;
    this.#bytes = 0;
    this.#size = 0;
    this.#sent = { text: 0, members: 0, warnings: 0 };
  }

  /** Counts unpacked bytes. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Writes a record when it is time for one. */
  writeIfDue(now: number): void {
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

  /** A full disk must not affect the document: then nothing more is saved. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch {
      this.#snapshot = undefined;
    }
  }
}
