import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ExtractionContent } from '../extraction.js';
import { readError } from '../read-error.js';
import { CrawlerError } from '../../base/errors.js';
import { toFsPath } from '../../base/path.js';

/** A document on its way to another machine: it can be streamed again and again, and is never in memory as a whole. */
export interface DocumentUpload {
  /** Bytes, when it was opened. */
  readonly size: number;
  /** A new stream from the beginning, at most `most` bytes. A failing read is its `error`, as a CrawlerError. */
  stream(most?: number): Readable;
  close(): Promise<void>;
}

const CHUNK_BYTES = 256 * 1024;

/** @throws CrawlerError `not_found` or `denied` when the path cannot be opened. */
export async function openUpload(content: ExtractionContent): Promise<DocumentUpload> {
  if (content.kind === 'bytes') {
    const { bytes } = content;
    return {
      size: bytes.length,
      stream: (most = bytes.length) => Readable.from([bytes.subarray(0, most)]),
      close: () => Promise.resolve(),
    };
  }
  return await openFile(toFsPath(content.path));
}

async function openFile(path: string | Buffer): Promise<DocumentUpload> {
  let file: FileHandle | undefined;
  try {
    // Without waiting: opening a FIFO would block until somebody writes to it.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) throw new CrawlerError('denied', `[${String(path)}] is not a regular file.`);
    return new UploadOfFile(path, file, stat.size);
  } catch (error) {
    await file?.close();
    throw error instanceof CrawlerError ? error : readError(path, error);
  }
}

class UploadOfFile implements DocumentUpload {
  readonly size: number;
  readonly #path: string | Buffer;
  readonly #file: FileHandle;

  constructor(path: string | Buffer, file: FileHandle, size: number) {
    this.#path = path;
    this.#file = file;
    this.size = size;
  }

  stream(most?: number): Readable {
    return Readable.from(this.#chunks(Math.min(this.size, most ?? this.size)), { objectMode: false });
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async *#chunks(end: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < end;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at));
      const { bytesRead } = await this.#read(chunk, at);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  async #read(chunk: Buffer, at: number): Promise<{ readonly bytesRead: number }> {
    try {
      return await this.#file.read(chunk, 0, chunk.length, at);
    } catch (error) {
      throw readError(this.#path, error);
    }
  }
}

/** Digest of the whole document in lower-case hex. */
export async function digestOf(document: DocumentUpload, algorithm: string): Promise<string> {
  const hash = createHash(algorithm);
  for await (const chunk of document.stream()) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The whole document as base64. Only for documents that are known to be small enough. */
export async function base64Of(document: DocumentUpload): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of document.stream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('base64');
}
