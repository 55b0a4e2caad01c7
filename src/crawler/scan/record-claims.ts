/**
 * The records of a scan that something is being done about. A record takes part in one thing at a time: while its document
 * is given to another file (a move), no new document is written under its id, and the other way round. Otherwise the engine
 * and the catalog would each keep what came last, and that need not be the same.
 */
export class RecordClaims {
  readonly #claimed = new Map<string, Promise<void>>();

  has(folderId: number, name: string): boolean {
    return this.#claimed.has(keyOf(folderId, name));
  }

  /** Does the work as soon as nothing else is done about the record. */
  async during<T>(folderId: number, name: string, work: () => Promise<T>): Promise<T> {
    const key = keyOf(folderId, name);
    for (let other = this.#claimed.get(key); other !== undefined; other = this.#claimed.get(key)) await other;
    let release: () => void = () => undefined;
    this.#claimed.set(
      key,
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    try {
      return await work();
    } finally {
      this.#claimed.delete(key);
      release();
    }
  }
}

function keyOf(folderId: number, name: string): string {
  return `${folderId}/${name}`;
}
