import type { Entry } from '../../model/entry.js';

/**
 * A 64-bit digest of a complete folder listing and of the rules that it was judged under. When it equals the one stored
 * after the last scan, nothing in the folder can have changed, and none of its records has to be read: an unchanged tree
 * then costs one catalog row a folder instead of one a file.
 *
 * Listings come in any order, so the digests of the entries are added up (mod 2^32, twice). An entry is mixed from its
 * name, kind, size, mtime, ctime, inode and version: whatever makes a file "changed", and the mtime of sub-folders,
 * whose folder documents show it. Access times are left out, since reading changes them.
 */
const floats = new Float64Array(1);
const words = new Uint32Array(floats.buffer);

export class ListingDigest {
  #low = 0;
  #high = 0;
  #count = 0;

  add(entry: Entry): void {
    let low = 0x811c9dc5;
    let high = 0x9747b28c;
    const { name } = entry;
    for (let at = 0; at < name.length; at += 1) {
      const unit = name.charCodeAt(at);
      low = Math.imul(low ^ unit, 0x01000193);
      high = Math.imul(high ^ unit, 0x85ebca6b);
    }
    for (const number of [entry.size, entry.modifiedMs ?? 0, entry.changedMs ?? 0, entry.inode, KINDS[entry.kind]]) {
      floats[0] = number;
      low = mix(low ^ (words[0] ?? 0), words[1] ?? 0);
      high = mix(high ^ (words[1] ?? 0), words[0] ?? 0);
    }
    if (entry.version !== undefined) {
      for (let at = 0; at < entry.version.length; at += 1) low = mix(low, entry.version.charCodeAt(at));
    }
    this.#low = (this.#low + finish(low)) >>> 0;
    this.#high = (this.#high + finish(high)) >>> 0;
    this.#count += 1;
  }

  /** @param seed everything but the listing that decides about the folder's files */
  value(seed: string): string {
    return `${seed}-${this.#count}-${this.#low.toString(36)}${this.#high.toString(36).padStart(7, '0')}`;
  }
}

const KINDS = {
  file: 1,
  folder: 2,
  symlink: 3,
  loop: 4,
  special: 5,
  dangling: 6,
  circular: 7,
  unreachable: 8,
} as const;

function mix(state: number, value: number): number {
  const mixed = Math.imul(state ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

function finish(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
