import { pipeline, Transform, type Readable } from 'node:stream';
import { CrawlerError } from '../base/errors.js';
import type { Entry } from '../model/entry.js';
import type { FetchedPath, FetchTarget } from './fetch.js';
import type { TreeSource } from './source.js';

export interface FetchedFile {
  /** What `source.stat` takes. */
  readonly path: string;
  readonly place: FetchedPath;
  readonly maxBytes: number;
  /** The sentence for a path that is not there. */
  readonly missing: string;
}

/**
 * One file of a source that was opened for a request: the source ends with it, or at once when there is no such file or
 * when it is larger than allowed (`too_large`).
 */
export async function openFetchedFile(
  source: TreeSource,
  { path, place, maxBytes, missing }: FetchedFile,
  signal: AbortSignal,
): Promise<FetchTarget> {
  try {
    const entry = await source.stat(path, signal);
    if (entry.kind !== 'file') throw new CrawlerError('denied', `Path [${path}] is a directory, not a file`);
    if (entry.size > maxBytes) throw tooLarge(path, maxBytes, `has ${entry.size} bytes`);
    return {
      entry,
      content: { kind: 'stream', open: (reading) => readWithin(source, entry, maxBytes, reading) },
      place,
      close: () => source.close(),
    };
  } catch (error) {
    await source.close();
    if (!(error instanceof CrawlerError && error.code === 'not_found')) throw error;
    throw new CrawlerError('not_found', missing, { cause: error, subject: path });
  }
}

/** A server may send more than it said. */
async function readWithin(source: TreeSource, entry: Entry, maxBytes: number, signal: AbortSignal): Promise<Readable> {
  let length = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > maxBytes) done(tooLarge(entry.path, maxBytes, 'is longer than it said'));
      else done(null, chunk);
    },
  });
  return pipeline(await source.read(entry, signal), limit, () => undefined);
}

function tooLarge(path: string, maxBytes: number, what: string): CrawlerError {
  return new CrawlerError('too_large', `[${path}] ${what}; at most ${maxBytes} bytes are fetched`, { subject: path });
}
