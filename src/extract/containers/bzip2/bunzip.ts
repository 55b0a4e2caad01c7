import bunzip2 from 'seek-bzip';
import { CrawlerError } from '../../../base/errors.js';

const PIECE_BYTES = 64 * 1024;

/**
 * Unpacks bzip2 data (streams that follow each other are one) and hands over pieces until the receiver returns false. Throws
 * `corrupt` for damaged data.
 */
export function bunzip(bytes: Uint8Array, receive: (piece: Buffer) => boolean): void {
  const sink = new PieceSink(receive);
  try {
    bunzip2.decode(new ByteReader(bytes), sink, true);
  } catch (error) {
    if (error instanceof OutputStopped) return;
    sink.flush();
    throw new CrawlerError('corrupt', 'The bzip2 data is damaged or cut off.', { cause: error });
  }
  sink.flush();
}

/** The decoder has no other way of being stopped. */
class OutputStopped extends CrawlerError {
  constructor() {
    super('cancelled', 'Unpacking was stopped.');
  }
}

class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  readByte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new RangeError('The data ends too early.');
    this.#at++;
    return byte;
  }

  read(buffer: Uint8Array, offset: number, length: number): number {
    const piece = this.#bytes.subarray(this.#at, this.#at + length);
    buffer.set(piece, offset);
    this.#at += piece.length;
    return piece.length;
  }

  eof(): boolean {
    return this.#at >= this.#bytes.length;
  }
}

class PieceSink {
  readonly #receive: (piece: Buffer) => boolean;
  #piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #length = 0;

  constructor(receive: (piece: Buffer) => boolean) {
    this.#receive = receive;
  }

  writeByte(byte: number): void {
    this.#piece[this.#length++] = byte;
    if (this.#length === PIECE_BYTES && !this.flush()) throw new OutputStopped();
  }

  flush(): boolean {
    const goesOn = this.#receive(this.#piece.subarray(0, this.#length));
    this.#piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    this.#length = 0;
    return goesOn;
  }
}
