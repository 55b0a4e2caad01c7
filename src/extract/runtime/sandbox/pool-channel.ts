import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { descriptors, type PoolMessage } from '../channel/messages.js';
import { PoolMessageReader } from '../channel/pool-messages.js';
import { systemCode } from '../../../base/errors.js';

export interface PoolListener {
  onMessage(message: PoolMessage): void;
  /** The pool has closed the channel or has ended. */
  onEnd(): void;
}

/**
 * The channel to the pool, as the process sees it. Writes are synchronous: when `send` returns, the data has left the process,
 * so that a document that crashes it cannot destroy earlier answers. Node's IPC channel is not used: a document that has
 * taken control of this process could end the pool's process through it.
 */
export class PoolChannel {
  listen(listener: PoolListener): void {
    const reader = new PoolMessageReader();
    const input = new Socket({ fd: descriptors.fromPool, readable: true, writable: false });
    input.on('data', (chunk: Buffer) => reader.read(chunk, (message) => listener.onMessage(message)));
    input.on('error', () => listener.onEnd());
    input.on('close', () => listener.onEnd());
  }

  /** Blocks until everything is written. When the pool has ended, `onEnd` follows. */
  send(frames: readonly Uint8Array[]): void {
    try {
      const total = frames.reduce((sum, { length }) => sum + length, 0);
      if (total <= MOST_COPIED_BYTES) writeAll(Buffer.concat(frames));
      else for (const frame of frames) writeAll(frame);
    } catch (error) {
      if (systemCode(error) !== 'EPIPE') throw error;
    }
  }
}

/** Up to this size one write is cheaper than several without a copy. */
const MOST_COPIED_BYTES = 1024 * 1024;
/** The pause before another attempt, should the descriptor be non-blocking. */
const PAUSE_MS = 1;

function writeAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptors.toPool, bytes, at);
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
