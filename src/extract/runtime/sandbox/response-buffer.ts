import type { DocumentLimits } from '../../limits.js';
import { answerBodies, answerHead } from '../channel/answer-frames.js';
import type { ProcessAnswer } from '../channel/messages.js';

/** Limits after which held answers are sent. */
const MOST_ANSWERS = 32;
const MOST_BYTES = 256 * 1024;
const LONGEST_MS = 5;

/** Groups the answers to small documents, so that the pool does not wake up for each of them. */
export class ResponseBuffer {
  readonly #send: (frames: readonly Buffer[]) => void;
  readonly #limits: DocumentLimits;
  #held: HeldAnswer[] = [];
  #bytes = 0;
  #since = 0;

  constructor(send: (frames: readonly Buffer[]) => void, limits: DocumentLimits) {
    this.#send = send;
    this.#limits = limits;
  }

  add(answer: ProcessAnswer): void {
    const now = performance.now();
    if (this.#held.length === 0) this.#since = now - answer.elapsedMs;
    const bodies = answerBodies(answer, this.#limits);
    this.#held.push({ answer, bodies });
    for (const { length } of bodies) this.#bytes += length;
    const isDue = now - this.#since >= LONGEST_MS || this.#held.length >= MOST_ANSWERS;
    if (isDue || this.#bytes >= MOST_BYTES) this.flush();
  }

  flush(): void {
    const held = this.#held;
    if (held.length === 0) return;
    this.#held = [];
    this.#bytes = 0;
    this.#send(held.flatMap(({ answer, bodies }, index) => [...bodies, answerHead(answer, index < held.length - 1)]));
  }
}

interface HeldAnswer {
  readonly answer: ProcessAnswer;
  readonly bodies: readonly Buffer[];
}
