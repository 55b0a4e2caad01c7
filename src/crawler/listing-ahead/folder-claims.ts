const FREE = 0;
const BY_SCAN = 1;
const AHEAD = 2;

/** Who lists which of some folders, in memory that two threads share: nobody has to ask the other one. */
export class FolderClaims {
  /** One number a folder; what travels between the threads. */
  readonly memory: Int32Array;

  constructor(memory: Int32Array) {
    this.memory = memory;
  }

  static of(folders: number): FolderClaims {
    return new FolderClaims(new Int32Array(new SharedArrayBuffer(folders * Int32Array.BYTES_PER_ELEMENT)));
  }

  claimForScan(at: number): boolean {
    return this.#claim(at, BY_SCAN);
  }

  claimAhead(at: number): boolean {
    return this.#claim(at, AHEAD);
  }

  #claim(at: number, by: number): boolean {
    return Atomics.compareExchange(this.memory, at, FREE, by) === FREE;
  }
}
