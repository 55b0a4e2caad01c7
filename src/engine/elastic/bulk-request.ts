import { randomBytes } from 'node:crypto';
import { messageOf } from '../../base/errors.js';
import type { WriteOperation } from '../engine.js';

/** One operation as it goes over the wire. The lines are encoded once, however often they are sent. */
export interface BulkOperation {
  /** Place in the caller's list. */
  readonly position: number;
  readonly kind: WriteOperation['kind'];
  readonly index: string;
  readonly id: string;
  /** Tells operations on the same document apart from others. */
  readonly key: string;
  /** Action line and document line, each with its line break. */
  readonly lines: Buffer;
  /** True once the operation may have been carried out without an answer that says so. */
  maybeApplied: boolean;
}

export type Encoded =
  | { readonly ok: true; readonly operation: BulkOperation }
  | { readonly ok: false; readonly id: string | undefined; readonly message: string };

/** The index that all operations share, which then goes into the path of the request; undefined when there are several. */
export function commonIndex(operations: readonly WriteOperation[]): string | undefined {
  const first = operations[0]?.index;
  return operations.every((operation) => operation.index === first) ? first : undefined;
}

/** A document that JSON can not express (a text beyond the limit of a string, say) is refused here. */
export function encodeOperation(operation: WriteOperation, position: number, withIndex: boolean): Encoded {
  const id = operation.id?.toWellFormed() ?? timeBasedId();
  const target = { ...(withIndex ? { _index: operation.index } : {}), _id: id };
  const { index, kind } = operation;
  const base = { position, kind, index, id, key: JSON.stringify([index, id]), maybeApplied: false };
  if (operation.kind === 'delete') {
    return { ok: true, operation: { ...base, lines: Buffer.from(`${JSON.stringify({ delete: target })}\n`) } };
  }
  const pipeline = operation.pipeline === undefined ? {} : { pipeline: operation.pipeline };
  const action = JSON.stringify({ [operation.mode ?? 'index']: { ...target, ...pipeline } });
  try {
    const lines = Buffer.from(`${action}\n${JSON.stringify(operation.document)}\n`);
    return { ok: true, operation: { ...base, lines } };
  } catch (error) {
    return { ok: false, id: operation.id, message: `The document can not be written as JSON (${messageOf(error)}).` };
  }
}

/**
 * Cuts the operations into requests of at most `limitBytes` (an operation that is larger goes alone), and starts a new
 * request when a document occurs twice: the second operation waits until the first is settled, whatever is retried.
 */
export function* bulkRequests(
  operations: readonly BulkOperation[],
  limitBytes: number,
): Generator<readonly BulkOperation[]> {
  let request: BulkOperation[] = [];
  let keys = new Set<string>();
  let bytes = 0;
  for (const operation of operations) {
    const isFull = bytes + operation.lines.byteLength > limitBytes;
    if (request.length > 0 && (isFull || keys.has(operation.key))) {
      yield request;
      request = [];
      keys = new Set();
      bytes = 0;
    }
    request.push(operation);
    keys.add(operation.key);
    bytes += operation.lines.byteLength;
  }
  if (request.length > 0) yield request;
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
