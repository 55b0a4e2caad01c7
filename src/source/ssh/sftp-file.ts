import type { RemoteBody } from '../remote-stream.js';
import type { SftpSession } from './sftp-session.js';

/** What every server is ready to send at once. */
const READ_BYTES = 32 * 1024;
/** Reads under way for one file: they cover the time that an answer takes on its way. */
const MAX_READS = 16;

interface Read {
  readonly offset: number;
  readonly length: number;
  readonly answer: Promise<Buffer | undefined>;
}

/**
 * The bytes of an open file, with several reads under way. A file that is read in one go costs two round trips: open; read
 * and the read that finds the end. Answers may be shorter than asked for, and the gap is then asked for again; only an
 * explicit end of file ends the file.
 */
export class SftpFile implements RemoteBody {
  readonly #session: SftpSession;
  readonly #handle: Buffer;
  readonly #reads: Read[] = [];
  readonly #giveBack: (reusable: boolean) => void;
  readonly #width: number;
  #nextOffset = 0;

  /** @param size bytes that the listing promised, or -1 */
  constructor(session: SftpSession, handle: Buffer, size: number, giveBack: (reusable: boolean) => void) {
    this.#session = session;
    this.#handle = handle;
    this.#giveBack = giveBack;
    this.#width = Math.min(MAX_READS, size < 0 ? MAX_READS : Math.ceil(size / READ_BYTES) + 1);
  }

  async next(): Promise<Buffer | undefined> {
    while (this.#reads.length < this.#width) this.#ask(this.#nextOffset, READ_BYTES);
    for (let read = this.#reads.shift(); read !== undefined; read = this.#reads.shift()) {
      const bytes = await read.answer;
      if (bytes === undefined) return undefined;
      if (bytes.length < read.length) this.#askAgain(read.offset + bytes.length, read.length - bytes.length);
      if (bytes.length > 0) return bytes;
    }
    return undefined;
  }

  /** Answers that are still on their way are not looked at, so the session can serve the next file at once. */
  close(): void {
    this.#session.closeHandle(this.#handle);
    this.#giveBack(this.#session.alive);
  }

  #ask(offset: number, length: number): void {
    this.#reads.push(this.#read(offset, length));
    this.#nextOffset = offset + length;
  }

  #askAgain(offset: number, length: number): void {
    this.#reads.unshift(this.#read(offset, length));
  }

  #read(offset: number, length: number): Read {
    const answer = this.#session.readAt(this.#handle, offset, length);
    // Met by whoever gets to it, or by nobody when the file is given up.
    answer.catch(() => undefined);
    return { offset, length, answer };
  }
}
