import { ftruncateSync, writeSync } from 'node:fs';
import type { Extraction } from '../extraction.js';

/**
 * What a document has given so far, for the case that its process does not survive it. The pool gives each process an open file
 * without a name; a document that takes long writes to it now and then: one line of JSON with what is new. The file is emptied
 * before the next document.
 */
export type Salvage = Pick<Extraction, 'text' | 'pages' | 'members' | 'warnings' | 'contentType' | 'metadata'>;

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
  #snapshot: (() => Salvage) | undefined;
  #dueAt = 0;
  #pauseMs = 0;
  #bytes = 0;
  #size = 0;
  #sent = { text: 0, members: 0, warnings: 0 };

  constructor(file: number) {
    this.#file = file;
  }

  /** @param snapshot all that there is at the moment it is called */
  begin(snapshot: () => Salvage): void {
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

  #write({ text, members, warnings, ...rest }: Salvage): void {
    const { text: textAt, members: membersAt, warnings: warningsAt } = this.#sent;
    const news: Salvage = {
      ...rest,
      text: text.slice(textAt),
      members: members.slice(membersAt),
      warnings: warnings.slice(warningsAt),
    };
    const line = Buffer.from(`${JSON.stringify(news)}\n`);
    this.#attempt(() => writeSync(this.#file, line, 0, line.length, this.#size));
    this.#size += line.length;
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
