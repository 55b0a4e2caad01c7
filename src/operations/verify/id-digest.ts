/**
 * Tells in which corner two large sets of ids differ, without holding an id of either: each id falls into one of 262,144
 * buckets, and a bucket keeps the number and two sums of what fell into it. Sets that are equal have equal buckets,
 * whatever their order; sets that differ in a few ids differ in a few buckets, and only what falls into those has to be
 * looked at one by one. 64 bits of sums a bucket make an oversight as good as impossible (2^-64 for each bucket).
 */
const BUCKETS = 1 << 18;

export class IdDigest {
  readonly #counts = new Uint32Array(BUCKETS);
  readonly #low = new Uint32Array(BUCKETS);
  readonly #high = new Uint32Array(BUCKETS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(id: string): void {
    hash(id);
    const bucket = bucketOfHash();
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#low[bucket] = (this.#low[bucket] ?? 0) + finish(low);
    this.#high[bucket] = (this.#high[bucket] ?? 0) + finish(high ^ Math.imul(low, 0x9e3779b1));
    this.#size += 1;
  }

  /** Whether the id falls into one of the buckets in which the two sets differ. */
  differences(other: IdDigest): (id: string) => boolean {
    const suspects = new Uint8Array(BUCKETS);
    for (let at = 0; at < BUCKETS; at += 1) if (this.#differsAt(other, at)) suspects[at] = 1;
    return (id) => {
      hash(id);
      return suspects[bucketOfHash()] === 1;
    };
  }

  equals(other: IdDigest): boolean {
    for (let at = 0; at < BUCKETS; at += 1) if (this.#differsAt(other, at)) return false;
    return true;
  }

  #differsAt(other: IdDigest, at: number): boolean {
    return (
      this.#counts[at] !== other.#counts[at] || this.#low[at] !== other.#low[at] || this.#high[at] !== other.#high[at]
    );
  }
}

/** The hash of the id that was seen last, in two halves: returned without making an object for each of a million ids. */
let low = 0;
let high = 0;

function hash(id: string): void {
  low = 0x811c9dc5;
  high = 0x9747b28c;
  for (let at = 0; at < id.length; at += 1) {
    const unit = id.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b) ^ (high >>> 15);
  }
}

function bucketOfHash(): number {
  return finish(low ^ (high >>> 7)) >>> (32 - 18);
}

function finish(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
