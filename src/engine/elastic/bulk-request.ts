import { randomBytes } from 'node:crypto';
import { messageOf } from '../../base/errors.js';
import type { WriteOperation } from '../engine.js';

/** One operation of a `write` call. Its lines are made anew for each request, so that nothing is in memory twice. */
export interface BulkOperation {
  /** Place in the caller's list. */
  readonly position: number;
  readonly operation: WriteOperation;
  readonly id: string;
  /** Tells operations on the same document apart from others. */
  readonly key: string;
  /** True once the operation may have been carried out without an answer that says so. */
  maybeApplied: boolean;
}

/** Operations that go together, and their lines: an action line each, and a document line where there is a document. */
export interface BulkRequest {
  readonly operations: readonly BulkOperation[];
  readonly body: Buffer;
  /** How many operations are dealt with by it, those that cannot be expressed included. */
  readonly taken: number;
}

/** The index that all operations share, which then goes into the path of the request; undefined when there are several. */
export function commonIndex(operations: readonly WriteOperation[]): string | undefined {
  const first = operations[0]?.index;
  return operations.every((operation) => operation.index === first) ? first : undefined;
}

export function bulkOperation(operation: WriteOperation, position: number): BulkOperation {
  const id = operation.id?.toWellFormed() ?? timeBasedId();
  return { position, operation, id, key: JSON.stringify([operation.index, id]), maybeApplied: false };
}

export interface BulkRequestOptions {
  /** An operation that is larger goes alone. */
  readonly limitBytes: number;
  /** Whether the lines name the index, since the path of the request does not. */
  readonly withIndex: boolean;
  /** Told of a document that JSON cannot express (a text beyond the limit of a string, say), with the reason. */
  readonly onRefused: (operation: BulkOperation, reason: string) => void;
}

/**
 * The request of as many operations as fit, from the first one on; without any when none of them can be expressed. A
 * document occurs only once in it: its next operation waits until the first one is settled, whatever is retried.
 */
export function bulkRequest(
  operations: readonly BulkOperation[],
  { limitBytes, withIndex, onRefused }: BulkRequestOptions,
): BulkRequest {
  const draft = new Draft();
  for (const operation of operations) {
    if (draft.has(operation)) break;
    const lines = linesOf(operation, withIndex);
    if (lines.ok) {
      const bytes = Buffer.byteLength(lines.text);
      if (!draft.isEmpty && draft.bytes + bytes > limitBytes) break;
      draft.add(operation, lines.text, bytes);
    } else {
      draft.passOver();
      onRefused(operation, lines.reason);
    }
  }
  return draft.finish();
}

class Draft {
  readonly #operations: BulkOperation[] = [];
  readonly #keys = new Set<string>();
  readonly #texts: string[] = [];
  #taken = 0;
  bytes = 0;

  get isEmpty(): boolean {
    return this.#operations.length === 0;
  }

  has({ key }: BulkOperation): boolean {
    return this.#keys.has(key);
  }

  add(operation: BulkOperation, text: string, bytes: number): void {
    this.#operations.push(operation);
    this.#keys.add(operation.key);
    this.#texts.push(text);
    this.#taken += 1;
    this.bytes += bytes;
  }

  passOver(): void {
    this.#taken += 1;
  }

  finish(): BulkRequest {
    const body = Buffer.allocUnsafeSlow(this.bytes);
    let end = 0;
    for (const text of this.#texts) end += body.write(text, end);
    return { operations: this.#operations, body, taken: this.#taken };
  }
}

type Lines = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

function linesOf({ operation, id }: BulkOperation, withIndex: boolean): Lines {
  const target = { ...(withIndex ? { _index: operation.index } : {}), _id: id };
  if (operation.kind === 'delete') return { ok: true, text: `${JSON.stringify({ delete: target })}\n` };
  const pipeline = operation.pipeline === undefined ? {} : { pipeline: operation.pipeline };
  const action = JSON.stringify({ [operation.mode ?? 'index']: { ...target, ...pipeline } });
  try {
    return { ok: true, text: `${action}\n${JSON.stringify(operation.document)}\n` };
  } catch (error) {
    return { ok: false, reason: `The document cannot be written as JSON (${messageOf(error)}).` };
  }
}

/**
 * An id for a document without one: 20 characters that begin with the time, which an index stores best. It is chosen here
 * and not by the server, so that a document is there once even when it had to be sent twice.
 */
function timeBasedId(): string {
  const bytes = randomBytes(15);
  bytes.writeUIntBE(Date.now(), 0, 6);
  return bytes.toString('base64url');
}
