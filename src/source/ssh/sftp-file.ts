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
 * The bytes of an open file, with several reads under way. An answer may be shorter than asked for, and the gap is then
 * asked for again. The file ends where the server says that it ends, or with a short answer exactly where the listing said
 * that it would: a small file costs two round trips, open and read.
 */
export class SftpFile implements RemoteBody {
  readonly #session: SftpSession;
  readonly #handle: Buffer;
  readonly #reads: Read[] = [];
  readonly #giveBack: (reusable: boolean) => void;
  readonly #size: number;
  #nextOffset = 0;
  #complete = false;

  /** @param size bytes that the listing promised, or -1 */
  constructor(session: SftpSession, handle: Buffer, size: number, giveBack: (reusable: boolean) => void) {
    this.#session = session;
    this.#handle = handle;
    this.#giveBack = giveBack;
    this.#size = size;
  }

  async next(): Promise<Buffer | undefined> {
    if (this.#complete) return undefined;
    this.#askAhead();
    const read = this.#reads.shift();
    const bytes = await read?.answer;
    if (read === undefined || bytes === undefined) return undefined;
    if (bytes.length === 0) throw new Error('the server answers a read with nothing, and does not call it the end');
    const end = read.offset + bytes.length;
    if (bytes.length < read.length) {
      this.#complete = end === this.#size;
      if (!this.#complete) this.#reads.unshift(this.#read(end, read.length - bytes.length));
    }
    return bytes;
  }

  /** Answers that are still on their way are not looked at, so the session can serve the next file at once. */
  close(): void {
    this.#session.closeHandle(this.#handle);
    this.#giveBack(this.#session.alive);
  }

  /** Beyond the promised end one read is enough: it finds the end, or that the file has grown. */
  #askAhead(): void {
    const isEnough = (): boolean =>
      this.#reads.length > 0 && (this.#reads.length >= MAX_READS || (this.#size >= 0 && this.#nextOffset > this.#size));
    while (!isEnough()) {
      this.#reads.push(this.#read(this.#nextOffset, READ_BYTES));
      this.#nextOffset += READ_BYTES;
    }
  }

  #read(offset: number, length: number): Read {
    const answer = this.#session.readAt(this.#handle, offset, length);
    // Handled by the reader that gets to it; ignored when the file is given up.
    answer.catch(() => undefined);
    return { offset, length, answer };
  }
}
