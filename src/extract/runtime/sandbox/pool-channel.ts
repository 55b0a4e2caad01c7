import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { descriptors, type PoolMessage } from '../channel/messages.js';
import { PoolMessageReader } from '../channel/pool-messages.js';
import { systemCode } from '../../../base/errors.js';

export interface PoolListener {
  onMessage(message: PoolMessage): void;
  /** The pool has closed the channel, or is gone. */
  onEnd(): void;
}

/**
 * The process's side of the channel to the pool. What is sent has left the process when `send` returns: a document that ends
 * the process cannot take earlier answers with it. Nothing of Node's own channel between processes is used: a process that was
 * taken over by a document could end the pool's process with it.
 */
export class PoolChannel {
  listen(listener: PoolListener): void {
    const reader = new PoolMessageReader();
    const input = new Socket({ fd: descriptors.fromPool, readable: true, writable: false });
    input.on('data', (piece: Buffer) => reader.read(piece, (message) => listener.onMessage(message)));
    input.on('error', () => listener.onEnd());
    input.on('close', () => listener.onEnd());
  }

  /** Waits until the pool has taken enough of it. A pool that is gone does not matter: then `onEnd` follows. */
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

/** Up to here one write is worth a copy. */
const MOST_COPIED_BYTES = 1024 * 1024;
/** Only where the system has made the descriptor non-blocking. */
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
