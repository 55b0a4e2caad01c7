import { CrawlerError } from '../../../base/errors.js';
import type { FormatContext } from '../../format.js';

/**
 * Collects what comes out of a compressed stream and counts it while it comes. When the count reaches a limit, or the stream
 * is damaged, what has come so far is kept: it is handed on, and the reason is thrown afterwards.
 */
export class UnpackedBytes {
  readonly #context: FormatContext;
  readonly #pieces: Buffer[] = [];
  #fault: CrawlerError | undefined;

  constructor(context: FormatContext) {
    this.#context = context;
  }

  /** False when no more may come. */
  add(piece: Buffer): boolean {
    if (this.#fault !== undefined) return false;
    this.#pieces.push(piece);
    try {
      this.#context.countBytes(piece.length);
    } catch (error) {
      if (!(error instanceof CrawlerError)) throw error;
      this.#fault = error;
    }
    return this.#fault === undefined;
  }

  /** Takes pieces that may be overwritten afterwards. */
  addAll(pieces: Iterable<Uint8Array>): void {
    try {
      for (const piece of pieces) {
        if (!this.add(Buffer.from(piece))) return;
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** What is wrong with the stream, as the decoder says it. */
  fail(error: unknown): void {
    if (!(error instanceof CrawlerError)) throw error;
    this.#fault ??= error;
  }

  /** Extracts what there is as the one member of the compressed file. */
  async handOn(name: string): Promise<void> {
    const bytes = Buffer.concat(this.#pieces.splice(0));
    if (bytes.length > 0 || this.#fault === undefined) await this.#context.embedded({ name, bytes });
    if (this.#fault !== undefined) throw this.#fault;
  }
}

const TAR_SUFFIX = /\.(?:tgz|tbz2?|taz|tz|txz|tlz)$/i;
const SUFFIX = /\.(?:gz|bz2?|boz|z|xz|lzma)$/i;

/** The name of what was compressed: `a.tgz` holds `a.tar`, `a.csv.bz2` holds `a.csv`. */
export function unpackedName(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return TAR_SUFFIX.test(base) ? base.replace(TAR_SUFFIX, '.tar') : base.replace(SUFFIX, '');
}
