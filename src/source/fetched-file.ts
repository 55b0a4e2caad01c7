import { pipeline, Transform, type Readable } from 'node:stream';
import { CrawlerError } from '../base/errors.js';
import type { Entry } from '../model/entry.js';
import type { FileSource } from './source.js';

export interface FetchLimits {
  readonly maxBytes: number;
  /** The sentence for a path that is not there. */
  readonly missing: string;
}

/** One file of a source that was opened for a request: its entry is known, and its source ends with it. */
export class FetchedFile implements FileSource {
  readonly type: string;
  readonly #source: FileSource;
  readonly #entry: Entry;
  readonly #maxBytes: number;

  private constructor(source: FileSource, entry: Entry, maxBytes: number) {
    this.type = source.type;
    this.#source = source;
    this.#entry = entry;
    this.#maxBytes = maxBytes;
  }

  /** Closes the source when there is no such file, or when it is larger than allowed (`too_large`). */
  static async open(
    source: FileSource,
    path: string,
    { maxBytes, missing }: FetchLimits,
    signal: AbortSignal,
  ): Promise<FetchedFile> {
    try {
      const entry = await source.stat(path, signal);
      if (entry.kind !== 'file') throw new CrawlerError('denied', `Path [${path}] is a directory, not a file`);
      if (entry.size > maxBytes) throw tooLarge(path, maxBytes, `has ${entry.size} bytes`);
      return new FetchedFile(source, entry, maxBytes);
    } catch (error) {
      await source.close();
      if (!(error instanceof CrawlerError && error.code === 'not_found')) throw error;
      throw new CrawlerError('not_found', missing, { cause: error, subject: path });
    }
  }

  stat(): Promise<Entry> {
    return Promise.resolve(this.#entry);
  }

  /** A server may send more than it said. */
  async read(entry: Entry, signal: AbortSignal): Promise<Readable> {
    const maxBytes = this.#maxBytes;
    let length = 0;
    const limit = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        length += chunk.length;
        if (length > maxBytes) done(tooLarge(entry.path, maxBytes, 'is longer than it said'));
        else done(null, chunk);
      },
    });
    return pipeline(await this.#source.read(entry, signal), limit, () => undefined);
  }

  localPath(): undefined {
    return undefined;
  }

  urlOf(): undefined {
    return undefined;
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}

function tooLarge(path: string, maxBytes: number, what: string): CrawlerError {
  return new CrawlerError('too_large', `[${path}] ${what}; at most ${maxBytes} bytes are fetched`, { subject: path });
}
