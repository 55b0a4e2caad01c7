import { CrawlerError, type ErrorCode } from '../../../base/errors.js';
import { REQUESTS_DESCRIPTOR, replyFrame, requestFrame } from '../channel/broker-messages.js';
import { numbersOf } from '../channel/feed-frames.js';
import { bytesFrame } from '../../frames/frames.js';
import { readAll, writeAll } from '../../frames/blocking-io.js';

const HEADER_BYTES = 8;

/** Requests of the process to the broker. Those for bytes block until they have arrived. */
export class BrokerRequests {
  /** Fills the target with bytes of the open document from this position on; returns how many there were. */
  read(from: number, target: Buffer): number {
    this.send(requestFrame.bytes, numbersOf(from, from + target.length));
    let at = 0;
    for (;;) {
      const length = this.#replyHeader();
      if (length === undefined) return at;
      const isRead = at + length <= target.length && readAll(REQUESTS_DESCRIPTOR, target.subarray(at, at + length));
      if (!isRead) this.#endOfBroker();
      at += length;
    }
  }

  /** The digest of the open document that its options ask for, in lower-case hex. */
  digest(): string {
    this.send(requestFrame.digest);
    const pieces: string[] = [];
    for (let length = this.#replyHeader(); length !== undefined; length = this.#replyHeader()) {
      pieces.push(this.#body(length).toString('latin1'));
    }
    return pieces.join('');
  }

  send(kind: number, ...bodies: readonly Uint8Array[]): void {
    for (const piece of bytesFrame(kind, Buffer.concat(bodies))) writeAll(REQUESTS_DESCRIPTOR, piece);
  }

  /** The length of a block; undefined at the end of the reply. */
  #replyHeader(): number | undefined {
    const header = this.#body(HEADER_BYTES);
    const kind = header.readUInt32LE(0);
    const length = header.readUInt32LE(4);
    if (kind === replyFrame.block) return length;
    if (kind === replyFrame.end) return undefined;
    const { code, message } = JSON.parse(this.#body(length).toString()) as { code: ErrorCode; message: string };
    throw new CrawlerError(code, message);
  }

  #body(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    return readAll(REQUESTS_DESCRIPTOR, bytes) ? bytes : this.#endOfBroker();
  }

  /** Without the broker there are no documents. */
  #endOfBroker(): never {
    process.exit(1);
  }
}
