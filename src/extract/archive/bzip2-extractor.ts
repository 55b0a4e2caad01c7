import { CrawlerError } from '../../base/errors.js';
import type { FormatContext, FormatExtractor, FormatInput } from '../format.js';
import { UnpackedBytes, unpackedName } from './unpacked.js';

/** Bzip2: one member, named as the file without its suffix. */
export const bzip2Extractor: FormatExtractor = {
  name: 'bzip2',
  mediaTypes: ['application/x-bzip2', 'application/x-bzip'],
  async extract(input: FormatInput, context: FormatContext): Promise<void> {
    const { default: bunzip } = await import('seek-bzip');
    const unpacked = new UnpackedBytes(context);
    const sink = new PieceSink(unpacked);
    try {
      bunzip.decode(new ByteReader(input.bytes), sink, true);
    } catch (error) {
      if (!(error instanceof OutputStopped)) unpacked.fail('The bzip2 data is damaged or cut off.', error);
    }
    sink.flush();
    await unpacked.handOn(unpackedName(input.name));
  },
};

/** The decoder has no other way of being stopped. */
class OutputStopped extends CrawlerError {
  constructor() {
    super('too_large', 'Unpacking was stopped.');
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

const PIECE = 64 * 1024;

class PieceSink {
  readonly #unpacked: UnpackedBytes;
  #piece = Buffer.allocUnsafeSlow(PIECE);
  #length = 0;

  constructor(unpacked: UnpackedBytes) {
    this.#unpacked = unpacked;
  }

  writeByte(byte: number): void {
    this.#piece[this.#length++] = byte;
    if (this.#length === PIECE && !this.flush()) throw new OutputStopped();
  }

  flush(): boolean {
    const goesOn = this.#unpacked.add(this.#piece.subarray(0, this.#length));
    this.#piece = Buffer.allocUnsafeSlow(PIECE);
    this.#length = 0;
    return goesOn;
  }
}
