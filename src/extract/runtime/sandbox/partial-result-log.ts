import type { DocumentLimits } from '../../limits.js';
import { factsFrame } from '../channel/answer-frames.js';
import { MOST_PARTIAL_BYTES } from '../channel/answer-limits.js';
import type { PartialResult } from '../channel/check-extraction.js';
import { bytesFrame, textFrame } from '../../frames/frames.js';
import { processFrame } from '../channel/messages.js';

/**
 * Sends the pool what was found in a slow document so far, in case that the process is killed. The pool keeps it until the
 * document is answered.
 */

/** Most documents are finished by then. */
const FIRST_MS = 100;
/** A document that unpacks this much may exceed its memory limit before that. */
const HEAVY_BYTES = 4 * 1024 * 1024;
/** The interval doubles with every part, up to this. */
const LONGEST_PAUSE_MS = 1_000;
/** Beyond this nothing more is sent. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

export class PartialResultLog {
  readonly #send: (frames: readonly Uint8Array[]) => void;
  readonly #limits: DocumentLimits;
  #snapshot: (() => PartialResult) | undefined;
  #dueAt = 0;
  #pauseMs = 0;
  #bytes = 0;
  #size = 0;
  #sent = { text: 0, members: 0, warnings: 0 };

  /** @param send sends frames to the pool, after all answers to earlier documents */
  constructor(send: (frames: readonly Uint8Array[]) => void, limits: DocumentLimits) {
    this.#send = send;
    this.#limits = limits;
  }

  /** @param snapshot returns the current result */
  begin(snapshot: () => PartialResult): void {
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

  /** Sends a part when it is time for one. */
  sendIfDue(now: number): void {
    const isDue = now >= this.#dueAt || this.#bytes > HEAVY_BYTES;
    if (!isDue || this.#snapshot === undefined) return;
    this.#bytes = 0;
    this.#sendPart(this.#snapshot());
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    this.#dueAt = performance.now() + this.#pauseMs;
  }

  #sendPart({ text, members, warnings, ...rest }: PartialResult): void {
    const { text: textAt, members: membersAt, warnings: warningsAt } = this.#sent;
    const news = { ...rest, members: members.slice(membersAt), warnings: warnings.slice(warningsAt) };
    const bodies = [factsFrame(news, this.#limits), textFrame(processFrame.text, text.slice(textAt))];
    for (const { length } of bodies) this.#size += length;
    if (this.#size > MOST_PARTIAL_BYTES) {
      this.#snapshot = undefined;
      return;
    }
    this.#send([...bodies, ...bytesFrame(processFrame.partial, new Uint8Array())]);
    this.#sent = { text: text.length, members: members.length, warnings: warnings.length };
    if (text.length > MOST_CHARACTERS) this.#snapshot = undefined;
  }
}
