import { createHash } from 'node:crypto';
import { requestFrame } from '../channel/broker-messages.js';
import type { BrokerRequests } from './broker-requests.js';
import type { DocumentBytes } from './document-bytes.js';

/** A document that the broker has opened. Its beginning has arrived with it; the rest is fetched when it is needed. */
export class FedDocument implements DocumentBytes {
  readonly #broker: BrokerRequests;
  readonly #checksum: string | undefined;
  /** The broker has more of it. */
  readonly #isKept: boolean;
  #size: number;
  #read: Buffer;

  constructor(broker: BrokerRequests, size: number, head: Buffer, checksum: string | undefined) {
    this.#broker = broker;
    this.#size = size;
    this.#read = head;
    this.#checksum = checksum;
    this.#isKept = size > head.length;
  }

  get size(): number {
    return this.#size;
  }

  first(count: number): Uint8Array {
    const wanted = Math.min(count, this.#size);
    if (wanted > this.#read.length) this.#fetch(wanted);
    return this.#read.length > wanted ? this.#read.subarray(0, wanted) : this.#read;
  }

  digest(algorithm: string): string {
    const isWhole = this.#read.length >= this.#size;
    if (isWhole || this.#checksum === undefined) return createHash(algorithm).update(this.#read).digest('hex');
    return this.#broker.digest();
  }

  close(): void {
    if (this.#isKept) this.#broker.send(requestFrame.done);
  }

  #fetch(count: number): void {
    const bytes = Buffer.allocUnsafeSlow(count);
    const before = this.#read.copy(bytes);
    const length = before + this.#broker.read(before, bytes.subarray(before));
    this.#read = bytes.subarray(0, length);
    // The file has become shorter since it was opened.
    if (length < count) this.#size = length;
  }
}
