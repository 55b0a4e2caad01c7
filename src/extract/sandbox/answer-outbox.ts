import type { FromSandbox, SandboxAnswer } from './protocol.js';

/** Many small answers are sent as one message; nothing is held longer than this. */
const MOST_ANSWERS = 32;
const MOST_CHARACTERS = 256 * 1024;
const LONGEST_MS = 5;

export class AnswerOutbox {
  readonly #send: (message: FromSandbox) => Promise<void>;
  #held: SandboxAnswer[] = [];
  #characters = 0;
  #since = 0;

  constructor(send: (message: FromSandbox) => Promise<void>) {
    this.#send = send;
  }

  async add(answer: SandboxAnswer): Promise<void> {
    const now = performance.now();
    if (this.#held.length === 0) this.#since = now - answer.elapsedMs;
    this.#held.push(answer);
    this.#characters += charactersOf(answer);
    const isDue = now - this.#since >= LONGEST_MS || this.#held.length >= MOST_ANSWERS;
    if (isDue || this.#characters >= MOST_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#held.length === 0) return;
    const answers = this.#held;
    this.#held = [];
    this.#characters = 0;
    await this.#send({ kind: 'answers', answers });
  }
}

function charactersOf({ result }: SandboxAnswer): number {
  return 'error' in result ? 0 : result.extraction.text.length + (result.extraction.source?.length ?? 0);
}
