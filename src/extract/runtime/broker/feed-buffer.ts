import type { Socket } from 'node:net';
import { frameHeader } from '../../frames/frames.js';

/** What is sent to the process in one write at most, but for a single frame that is longer. */
const CAPACITY = 320 * 1024;

/**
 * Frames on their way to the process: those of many small documents leave in one write. Documents are read into the buffer
 * itself, which is used again as soon as it has been sent, so that a broker neither copies nor keeps them.
 */
export class FeedBuffer {
  readonly #process: Socket;
  #buffer: Buffer | undefined;
  #filled = 0;

  constructor(process: Socket) {
    this.#process = process;
  }

  /** Where the next frame is to be written, if it is no longer than this. It counts when it is `added`. */
  space(length: number): Buffer {
    if (this.#filled + length > CAPACITY) this.flush();
    this.#buffer ??= Buffer.allocUnsafeSlow(CAPACITY);
    return this.#buffer.subarray(this.#filled);
  }

  added(length: number): void {
    this.#filled += length;
  }

  /** Adds a copy of a frame. */
  add(frame: Uint8Array): void {
    if (frame.length > CAPACITY) {
      this.flush();
      this.#process.write(Buffer.from(frame));
      return;
    }
    this.space(frame.length).set(frame);
    this.added(frame.length);
  }

  /** Adds a frame of another channel as it is. */
  pass(kind: number, bytes: Uint8Array): void {
    this.add(frameHeader(kind, bytes.length));
    this.add(bytes);
  }

  flush(): void {
    const buffer = this.#buffer;
    if (buffer === undefined || this.#filled === 0) return;
    const sent = buffer.subarray(0, this.#filled);
    this.#filled = 0;
    this.#buffer = undefined;
    this.#process.write(sent, () => (this.#buffer ??= buffer));
  }
}
