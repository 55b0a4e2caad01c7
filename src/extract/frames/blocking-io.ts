import { readSync, writeSync } from 'node:fs';
import { systemCode } from '../../base/errors.js';

/** The pause before another attempt, should the descriptor be non-blocking. */
const PAUSE_MS = 1;

/** Blocks until all bytes are written. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += attempt(() => writeSync(descriptor, bytes, at));
}

/** Blocks until the buffer is full. False when the other side has closed the channel before. */
export function readAll(descriptor: number, target: Uint8Array): boolean {
  for (let at = 0; at < target.length;) {
    const count = attempt(() => readSync(descriptor, target, at, target.length - at, null) || undefined);
    if (count === undefined) return false;
    at += count;
  }
  return true;
}

function attempt<T>(work: () => T): T {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
