import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { SearchEngine, WriteOperation, WriteOutcome } from '../engine/engine.js';

/**
 * Groups writes for the engine and gives every caller its own outcome.
 *
 * A batch leaves when it holds `bulkSize` operations or `byteSize` bytes (the operation that crosses a limit is still in
 * it), when `flushIntervalMs` have passed since its first operation, or when somebody asks for a flush.
 *
 * A batch that is full, or that somebody waits for, leaves while fewer than `MOST_IN_FLIGHT` are with the engine, so that a
 * server that is far away or slow to answer does not hold up the crawl; batches that are large in bytes only while all
 * together have at most twice `byteSize`. Any other leaves while fewer than `FEW_IN_FLIGHT` are. What arrives meanwhile
 * gathers, so that many single uploads become few large batches by themselves. There is no unbounded queue: callers wait
 * for their outcomes, and the crawl limits how many documents it has under way.
 *
 * Retrying is the engine adapter's business; what comes back from it is final for this attempt.
 */
export interface BulkWriterOptions {
  readonly engine: SearchEngine;
  readonly bulkSize: number;
  /** 0 or less: no limit. */
  readonly byteSize: number;
  readonly flushIntervalMs: number;
  readonly logger: Logger;
}

/** Batches with the engine at most. */
export const MOST_IN_FLIGHT = 4;
const FEW_IN_FLIGHT = 2;

interface Waiting {
  readonly operation: WriteOperation;
  readonly answer: (outcome: WriteOutcome) => void;
  readonly answered: Promise<WriteOutcome>;
}

interface Batch {
  readonly members: readonly Waiting[];
  readonly bytes: number;
}

export class BulkWriter {
  readonly #options: BulkWriterOptions;
  readonly #closed = new AbortController();
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #wantsFlush = false;
  #isAwaited = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #inFlight = new Set<Promise<void>>();
  #inFlightBytes = 0;
  /** What the engine has. */
  readonly #sent = new Set<readonly Waiting[]>();

  constructor(options: BulkWriterOptions) {
    this.#options = options;
  }

  /** Operations that have not left yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Documents for an index that the engine has not answered for, whether it has them already or not. */
  unanswered(index: string): number {
    const members = [this.#waiting, ...this.#sent].flat();
    return members.filter(({ operation }) => operation.kind === 'index' && operation.index === index).length;
  }

  /** Resolves with the engine's answer for this operation. Never rejects. */
  write(operation: WriteOperation): Promise<WriteOutcome> {
    let answer: (outcome: WriteOutcome) => void = () => undefined;
    const answered = new Promise<WriteOutcome>((resolve) => {
      answer = resolve;
    });
    this.#waiting.push({ operation, answer, answered });
    this.#waitingBytes += estimatedBytes(operation);
    this.#timer ??= setTimeout(() => this.sendHeld(), this.#options.flushIntervalMs);
    this.#pump();
    return answered;
  }

  /** Whatever is held leaves as soon as the engine accepts it. */
  sendHeld(): void {
    this.#wantsFlush = this.#waiting.length > 0;
    this.#pump();
  }

  /** Sends what is held: somebody waits for its outcome. */
  hurry(): void {
    this.#isAwaited = this.#waiting.length > 0;
    this.sendHeld();
  }

  /** Sends what is held and resolves when every write made before this call has been answered. */
  async flush(): Promise<void> {
    const held = this.#waiting.map(({ answered }) => answered);
    const underWay = [...this.#inFlight];
    this.sendHeld();
    await Promise.all([...held, ...underWay]);
  }

  /** Flushes, then refuses to wait any longer for an engine that does not answer. */
  async close(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#closed.abort(), graceMs);
    await this.flush();
    clearTimeout(timer);
  }

  #pump(): void {
    while (this.#waiting.length > 0 && this.#mayLeave()) this.#send(this.#takeBatch());
  }

  #mayLeave(): boolean {
    const { bulkSize, byteSize } = this.#options;
    const isLarge = byteSize > 0 && this.#waitingBytes >= byteSize;
    const isFull = isLarge || this.#waiting.length >= bulkSize;
    if (this.#inFlight.size < FEW_IN_FLIGHT) return isFull || this.#wantsFlush;
    if (!(isFull || this.#isAwaited) || this.#inFlight.size >= MOST_IN_FLIGHT) return false;
    return byteSize <= 0 || this.#inFlightBytes + Math.min(this.#waitingBytes, byteSize) <= 2 * byteSize;
  }

  #takeBatch(): Batch {
    const { bulkSize, byteSize } = this.#options;
    let bytes = 0;
    let count = 0;
    for (const { operation } of this.#waiting) {
      if (count >= bulkSize || (byteSize > 0 && bytes >= byteSize)) break;
      bytes += estimatedBytes(operation);
      count += 1;
    }
    const members = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    this.#waitingBytes -= bytes;
    if (this.#waiting.length === 0) this.#rest();
    return { members, bytes };
  }

  #rest(): void {
    this.#wantsFlush = false;
    this.#isAwaited = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #send({ members, bytes }: Batch): void {
    this.#inFlightBytes += bytes;
    this.#sent.add(members);
    const sending = this.#answer(members).finally(() => {
      this.#inFlight.delete(sending);
      this.#inFlightBytes -= bytes;
      this.#sent.delete(members);
      this.#pump();
    });
    this.#inFlight.add(sending);
  }

  async #answer(members: readonly Waiting[]): Promise<void> {
    const operations = members.map(({ operation }) => operation);
    const outcomes = await this.#write(operations);
    members.forEach(({ operation, answer }, at) => {
      answer(outcomes[at] ?? unavailable(operation, 'The search engine gave no answer for this document.'));
    });
  }

  async #write(operations: readonly WriteOperation[]): Promise<readonly WriteOutcome[]> {
    try {
      return await this.#options.engine.write(operations, this.#closed.signal);
    } catch (error) {
      this.#options.logger.warn(`Bulk request failed (${operations.length} actions): ${messageOf(error)}`);
      return operations.map((operation) => unavailable(operation, messageOf(error)));
    }
  }
}

function unavailable(operation: WriteOperation, message: string): WriteOutcome {
  return { ok: false, id: operation.id, code: 'unavailable', message };
}

const DOCUMENT_OVERHEAD = 512;

/** Bytes of the operation on the wire, roughly: the long members exactly, the rest as a constant. */
function estimatedBytes(operation: WriteOperation): number {
  if (operation.kind === 'delete') return 64;
  const { content, attachment } = operation.document;
  return DOCUMENT_OVERHEAD + lengthOf(content) + lengthOf(attachment);
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : 0;
}
