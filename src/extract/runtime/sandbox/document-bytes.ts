import type { Hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { CrawlerError } from '../../../base/errors.js';
import { toFsPath } from '../../../base/path.js';
import type { ExtractionContent } from '../../extraction.js';
import { readError } from '../../read-error.js';

/**
 * The bytes of one document, read only as far as needed. Reading is synchronous: a process has one document at a time, and
 * a small file takes a tenth of the time of an asynchronous read.
 */
export interface DocumentBytes {
  /** Size of the whole document when it was opened. */
  readonly size: number;
  /** The first `count` bytes, or fewer at the end. Bytes are read once. */
  first(count: number): Uint8Array;
  /** Digest of the whole document in lower-case hex. Holds one block at a time. */
  digest(algorithm: string): string;
  close(): void;
}

/** A document of which parts can be read that are not kept. */
export interface OpenDocument extends DocumentBytes {
  /** The bytes of this range, as far as there are any. Each block is a buffer of its own. */
  blocks(from: number, to: number): Iterable<Uint8Array>;
}

const BLOCK_BYTES = 1024 * 1024;
/** Read when a document is opened: most text files completely, and enough of all others to detect their type. */
const HEAD_BYTES = 64 * 1024;

/**
 * @param place where the first bytes of a file are read to; they are valid until it is used again
 * @throws CrawlerError `not_found` or `denied` when the path cannot be opened, `unavailable` when reading fails.
 */
export function openDocument(content: ExtractionContent, place?: Buffer): OpenDocument {
  if (content.kind === 'bytes') return new BytesInMemory(content.bytes);
  const path = toFsPath(content.path);
  try {
    return new BytesOfFile(path, place);
  } catch (error) {
    if (error instanceof CrawlerError) throw error;
    throw readError(path, error);
  }
}

/** A broker, which opens documents as well, needs no digest unless a document is large: the module costs it a megabyte. */
function hashFor(algorithm: string): Hash {
  return process.getBuiltinModule('node:crypto').createHash(algorithm);
}

class BytesInMemory implements OpenDocument {
  readonly size: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.size = bytes.length;
  }

  first(count: number): Uint8Array {
    return this.#bytes.subarray(0, count);
  }

  *blocks(from: number, to: number): Iterable<Uint8Array> {
    const end = Math.min(to, this.size);
    for (let at = from; at < end; at += BLOCK_BYTES) yield this.#bytes.subarray(at, Math.min(end, at + BLOCK_BYTES));
  }

  digest(algorithm: string): string {
    return hashFor(algorithm).update(this.#bytes).digest('hex');
  }

  close(): void {
    return undefined;
  }
}

class BytesOfFile implements OpenDocument {
  readonly #path: string | Buffer;
  readonly #file: number;
  #size: number;
  #read: Buffer;

  constructor(path: string | Buffer, place: Buffer | undefined) {
    this.#path = path;
    // Non-blocking: opening a FIFO would block until a writer opens it.
    this.#file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(this.#file);
      if (!stat.isFile()) throw new CrawlerError('denied', `[${String(path)}] is not a regular file.`);
      this.#size = stat.size;
      this.#read = Buffer.alloc(0);
      this.#read = this.#readUpTo(Math.min(HEAD_BYTES, stat.size + 1), place);
      if (this.#read.length < HEAD_BYTES) this.#size = this.#read.length;
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  get size(): number {
    return this.#size;
  }

  first(count: number): Uint8Array {
    const wanted = Math.min(count, this.#size);
    if (wanted > this.#read.length) {
      this.#read = this.#readUpTo(wanted);
      // The file has become shorter since it was opened.
      if (this.#read.length < wanted) this.#size = this.#read.length;
    }
    return this.#read.length > wanted ? this.#read.subarray(0, wanted) : this.#read;
  }

  *blocks(from: number, to: number): Iterable<Uint8Array> {
    for (let at = from; at < to;) {
      const block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, to - at));
      const count = this.#readAt(block, 0, at);
      if (count === 0) return;
      yield block.subarray(0, count);
      at += count;
    }
  }

  digest(algorithm: string): string {
    const hash = hashFor(algorithm).update(this.#read);
    if (this.#read.length < this.#size) this.#digestRest(hash);
    return hash.digest('hex');
  }

  close(): void {
    closeSync(this.#file);
  }

  #digestRest(hash: Hash): void {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    for (let at = this.#read.length; ;) {
      const count = this.#readAt(block, 0, at);
      if (count === 0) return;
      hash.update(block.subarray(0, count));
      at += count;
    }
  }

  /** Extends what was read to `count` bytes or the end of the file. */
  #readUpTo(count: number, place?: Buffer): Buffer {
    const bytes = place?.subarray(0, count) ?? Buffer.allocUnsafeSlow(count);
    let at = this.#read.copy(bytes);
    while (at < count) {
      const more = this.#readAt(bytes, at, at);
      at += more;
      // As long as it was when it was opened, with room for more: that is the end.
      if (more === 0 || at === this.#size) break;
    }
    return bytes.subarray(0, at);
  }

  #readAt(target: Buffer, offset: number, position: number): number {
    try {
      return readSync(this.#file, target, offset, target.length - offset, position);
    } catch (error) {
      throw readError(this.#path, error);
    }
  }
}
