/**
 * Several documents at once, or one alone. A document that may have brought the server down is asked about again with
 * emptyResult else under way, so that it is known whose fault it was, and so that it does not hit others a second time.
 */
export class ConcurrencyLimiter {
  readonly #count: number;
  #busy = 0;
  #isAlone = false;
  readonly #waiting: Waiting[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs `work` when it is its turn: in the order of arrival, but those who want to be alone come first. */
  async run<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    await this.#enter(alone);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(alone: boolean): Promise<void> {
    return new Promise((resolve) => {
      const turn: Waiting = { alone, begin: resolve };
      const at = alone ? this.#waiting.findIndex((other) => !other.alone) : -1;
      if (at === -1) this.#waiting.push(turn);
      else this.#waiting.splice(at, 0, turn);
      this.#admit();
    });
  }

  #leave(): void {
    this.#busy--;
    this.#isAlone = false;
    this.#admit();
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#hasRoom(next); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#busy++;
      this.#isAlone = next.alone;
      next.begin();
    }
  }

  #hasRoom({ alone }: Waiting): boolean {
    return alone ? this.#busy === 0 : !this.#isAlone && this.#busy < this.#count;
  }
}

interface Waiting {
  readonly alone: boolean;
  readonly begin: () => void;
}
