import { randomBytes } from 'node:crypto';

/**
 * Ids for documents that come without one: 20 characters that need no encoding in a URL. Six bytes of time, six that tell
 * this writer from others, three that count; base64url.
 */
export class GeneratedIds {
  readonly #writer = randomBytes(6);
  #count = randomBytes(3).readUIntBE(0, 3);

  next(nowMs: number): string {
    this.#count = (this.#count + 1) % 0x1000000;
    const bytes = Buffer.alloc(15);
    bytes.writeUIntBE(nowMs, 0, 6);
    this.#writer.copy(bytes, 6);
    bytes.writeUIntBE(this.#count, 12, 3);
    return bytes.toString('base64url');
  }
}
