import type { WriteOutcome } from '../engine.js';
import type { BulkItem } from './bulk-answer.js';
import type { BulkOperation } from './bulk-request.js';
import type { RetryCause } from './retry-state.js';

/** Settled for good, or to be sent again and why; `outcome` is what to report when the retries end. */
export type RetryDecision =
  | { readonly settled: true; readonly outcome: WriteOutcome }
  | { readonly settled: false; readonly cause: RetryCause; readonly outcome: WriteOutcome };

/** Status 500 is normally the document's own fault (a script of the pipeline); with these types a node is going away. */
const NODE_IS_LEAVING: ReadonlySet<string> = new Set([
  'node_closed_exception',
  'node_disconnected_exception',
  'node_not_connected_exception',
  'receive_timeout_transport_exception',
  'connect_transport_exception',
  'index_shard_closed_exception',
  'shard_not_found_exception',
  'already_closed_exception',
]);

/** Nothing is wrong with the document: the index is missing, closed or blocked, or we may not write to it. */
const INDEX_IS_SHUT: ReadonlySet<string> = new Set([
  'cluster_block_exception',
  'index_closed_exception',
  'index_not_found_exception',
  'security_exception',
]);

export function retryDecision(operation: BulkOperation, item: BulkItem): RetryDecision {
  const { id } = operation;
  const { kind, index } = operation.operation;
  if (item.status < 300 || isSameDocument(item)) return settled({ ok: true, id });
  if (kind === 'delete' && item.status === 404) {
    return settled(
      operation.maybeApplied ? { ok: true, id } : failure(id, 'not_found', `Document ${index}/${id} does not exist`),
    );
  }
  const message = sentence(item);
  if (item.status === 429) return again('throttle', failure(id, 'rate_limited', message));
  if (item.status === 503) return again('throttle', failure(id, 'unavailable', message));
  if (NODE_IS_LEAVING.has(typeOf(item))) return again('fault', failure(id, 'unavailable', message));
  return settled(failure(id, isIndexShut(item) ? 'unavailable' : 'rejected', message));
}

export function failure(id: string, code: Extract<WriteOutcome, { ok: false }>['code'], message: string): WriteOutcome {
  return { ok: false, id, code, message };
}

function settled(outcome: WriteOutcome): RetryDecision {
  return { settled: true, outcome };
}

function again(cause: RetryCause, outcome: WriteOutcome): RetryDecision {
  return { settled: false, cause, outcome };
}

/** `create` for a document that is there already. */
function isSameDocument(item: BulkItem): boolean {
  return item.status === 409 && typeOf(item) === 'version_conflict_engine_exception';
}

function isIndexShut(item: BulkItem): boolean {
  return INDEX_IS_SHUT.has(typeOf(item)) || item.status === 401 || item.status === 403;
}

function typeOf(item: BulkItem): string {
  return item.error?.type ?? '';
}

function sentence(item: BulkItem): string {
  const { type = '', reason = '' } = item.error ?? {};
  const text = reason === '' ? `HTTP status ${item.status}` : reason;
  return type === '' ? `${text}.` : `${text} (${type}).`;
}
