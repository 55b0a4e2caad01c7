import { systemCode } from '../../../base/errors.js';
import { descriptors } from '../channel/messages.js';
import { writeAll } from '../../frames/blocking-io.js';

/** Up to this size one write is cheaper than several without a copy. */
const MOST_COPIED_BYTES = 1024 * 1024;

/**
 * Sends frames to the pool. When it returns, the data has left the process, so that a document that crashes it cannot destroy
 * earlier answers. When the pool has ended, the end of the input follows. Node's IPC channel is not used: a document that has
 * taken control of this process could end the pool's process through it.
 */
export function sendToPool(frames: readonly Uint8Array[]): void {
  try {
    const total = frames.reduce((sum, { length }) => sum + length, 0);
    if (total <= MOST_COPIED_BYTES) writeAll(descriptors.toPool, Buffer.concat(frames));
    else for (const frame of frames) writeAll(descriptors.toPool, frame);
  } catch (error) {
    if (systemCode(error) !== 'EPIPE') throw error;
  }
}
