/** A counting semaphore: bounds how much is under way at the same time. Waiters are served in order. */
export class Semaphore {
  readonly #count: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];
  #whenIdle: (() => void)[] = [];

  constructor(count: number) {
    this.#count = count;
    this.#free = count;
  }

  async acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next !== undefined) return next();
    this.#free += 1;
    if (this.#free < this.#count) return;
    const idle = this.#whenIdle;
    this.#whenIdle = [];
    for (const resolve of idle) resolve();
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    if (this.#free < this.#count) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }
}
