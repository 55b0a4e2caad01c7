import type { Clock } from '../../base/clock.js';
import type { WriteOperation, WriteOutcome } from '../engine.js';
import { BULK_FILTER, bulkItems } from './bulk-answer.js';
import { bulkOperation, bulkRequest, commonIndex, type BulkOperation, type BulkRequest } from './bulk-request.js';
import { failure, retryDecision } from './retry-decision.js';
import { describe, retryCauseOf, isHopeless, type EngineClient } from './engine-client.js';
import type { EngineCall, Exchange, NodeExchange } from './node-exchange.js';
import { RetryState, type RetryCause, type RetryPolicy } from './retry-state.js';
import { rejectionOf, type RequestRejection } from './request-rejection.js';
import { accessRemedy } from './remedies.js';

export interface BulkSenderDeps {
  readonly exchange: NodeExchange;
  readonly client: EngineClient;
  readonly address: string;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
}

/** What servers take by default (`http.max_content_length`). */
const DEFAULT_LIMIT_BYTES = 100 * 1024 * 1024;

/** An operation that could not be settled by the last request. */
interface Unsettled {
  readonly operation: BulkOperation;
  readonly cause: RetryCause;
  readonly outcome: WriteOutcome;
}

/** One `write` on its way: every operation is settled once, and sent again only while nothing is known of it. */
interface Delivery {
  /** The index of all operations, unless they differ. */
  readonly index: string | undefined;
  readonly outcomes: WriteOutcome[];
  readonly retries: RetryState;
  readonly signal: AbortSignal;
}

/**
 * Writes operations by bulk requests. What hinders one operation is retried for that one alone:
 *
 * - an answer for an operation settles it, unless it says 429, 503, or that the node is going away;
 * - a lost connection, a server error or a torn answer leaves the unanswered ones open;
 * - a request that is refused as a whole (too large, or an impossible id) is halved until the culprit is alone.
 */
export class BulkSender {
  readonly #deps: BulkSenderDeps;
  #limitBytes = DEFAULT_LIMIT_BYTES;

  constructor(deps: BulkSenderDeps) {
    this.#deps = deps;
  }

  /** The largest request the server says it takes. A proxy between may take less, which is learnt from its refusals. */
  useLimit(bytes: number): void {
    this.#limitBytes = bytes;
  }

  async write(operations: readonly WriteOperation[], signal: AbortSignal): Promise<readonly WriteOutcome[]> {
    const index = commonIndex(operations);
    const outcomes = new Array<WriteOutcome>(operations.length);
    const retries = new RetryState(this.#deps.retry, this.#deps.clock);
    const delivery = { index, outcomes, retries, signal };
    await this.#deliver(operations.map(bulkOperation), delivery);
    return outcomes;
  }

  /** Request by request, each settled before the next: what has to be sent again goes first. */
  async #deliver(operations: readonly BulkOperation[], delivery: Delivery): Promise<void> {
    const { index, outcomes } = delivery;
    const onRefused = ({ position, operation }: BulkOperation, message: string): void => {
      outcomes[position] = { ok: false, id: operation.id, code: 'rejected', message };
    };
    let open = operations;
    while (open.length > 0) {
      const request = bulkRequest(open, { limitBytes: this.#limitBytes, withIndex: index === undefined, onRefused });
      const again = request.operations.length === 0 ? [] : await this.#send(request, delivery);
      open = [...again, ...open.slice(request.taken)];
    }
  }

  /** What is to be sent again, after the pause that it takes. */
  async #send({ operations, body }: BulkRequest, delivery: Delivery): Promise<readonly BulkOperation[]> {
    const { index, retries, signal } = delivery;
    const call = bulkCall(index, body);
    const exchange = await this.#deps.exchange.send(call, signal);
    const rejection = rejectionOf(exchange);
    if (rejection !== undefined) return await this.#halve(rejection, operations, body.byteLength, delivery);
    const unsettled = this.#settleAnswered(exchange, operations, delivery);
    if (unsettled.length < operations.length) retries.relieve('fault');
    if (unsettled.length === 0) {
      retries.relieve('throttle');
      return [];
    }
    const cause = unsettled.some((each) => each.cause === 'fault') ? 'fault' : 'throttle';
    const why = `${unsettled.length} of ${operations.length} operations are not settled, ${reasonFor(exchange, unsettled)}`;
    const again = !isHopeless(exchange) && (await this.#deps.client.pause({ call, why, cause, retries }, signal));
    return again ? unsettled.map(({ operation }) => operation) : giveUp(unsettled, cause, delivery);
  }

  /** The first half is settled, the second one is to be sent again. A document that is refused alone is settled. */
  async #halve(
    rejection: RequestRejection,
    operations: readonly BulkOperation[],
    bytes: number,
    delivery: Delivery,
  ): Promise<readonly BulkOperation[]> {
    const [first] = operations;
    if (operations.length === 1 && first !== undefined) {
      delivery.outcomes[first.position] = failure(first.id, 'rejected', rejection.sentence(bytes));
      return [];
    }
    // What is sent next is what later requests should not exceed; a refused document alone teaches nothing new.
    if (rejection.limitBytes !== undefined)
      this.#limitBytes = Math.min(this.#limitBytes, rejection.limitBytes, bytes / 2);
    const middle = Math.ceil(operations.length / 2);
    await this.#deliver(operations.slice(0, middle), delivery);
    return operations.slice(middle);
  }

  #settleAnswered(exchange: Exchange, operations: readonly BulkOperation[], delivery: Delivery): readonly Unsettled[] {
    const items = exchange.kind === 'answer' && exchange.status < 300 ? bulkItems(exchange.text) : [];
    const unsettled: Unsettled[] = [];
    let isTrusted = true;
    operations.forEach((operation, i) => {
      const item = items[i];
      isTrusted &&= item !== undefined && (item.id === undefined || item.id === operation.id);
      const isAnswered = item !== undefined && isTrusted;
      operation.maybeApplied ||= wasSentBefore(exchange) || (!isAnswered && mayBeApplied(exchange));
      if (!isAnswered) {
        unsettled.push({ operation, ...this.#unanswered(operation, exchange) });
        return;
      }
      const result = retryDecision(operation, item);
      if (result.settled) delivery.outcomes[operation.position] = result.outcome;
      else unsettled.push({ operation, cause: result.cause, outcome: result.outcome });
    });
    return unsettled;
  }

  #unanswered(operation: BulkOperation, exchange: Exchange): Omit<Unsettled, 'operation'> {
    const cause = retryCauseOf(exchange) ?? 'fault';
    const code = cause === 'throttle' ? 'rate_limited' : 'unavailable';
    const message = `The search engine at [${this.#deps.address}] did not accept it: ${explain(exchange)}.`;
    return { cause, outcome: failure(operation.id, code, message) };
  }
}

/**
 * The one call that does not go through the client's typed API: that takes objects, writes each as JSON again and joins the
 * lines, where these lines are ready to be sent.
 */
function bulkCall(index: string | undefined, lines: Buffer): EngineCall {
  const path = index === undefined ? '/_bulk' : `/${encodeURIComponent(index)}/_bulk`;
  const request = { method: 'POST', path, querystring: { filter_path: BULK_FILTER }, bulkBody: lines };
  return {
    name: index === undefined ? 'bulk request' : `bulk request for [${index}]`,
    send: (client, options) => client.transport.request(request, options),
  };
}

/** Those of this cause are settled with what was last known; the others stay open. */
function giveUp(unsettled: readonly Unsettled[], cause: RetryCause, delivery: Delivery): readonly BulkOperation[] {
  for (const each of unsettled) {
    if (each.cause === cause) delivery.outcomes[each.operation.position] = each.outcome;
  }
  return unsettled.filter((each) => each.cause !== cause).map(({ operation }) => operation);
}

function wasSentBefore(exchange: Exchange): boolean {
  return exchange.kind === 'answer' && exchange.sentBefore;
}

/** Whether an operation without an answer may have been carried out all the same. */
function mayBeApplied(exchange: Exchange): boolean {
  if (exchange.kind === 'fault') return exchange.reached;
  return !exchange.whole || exchange.status < 300 || exchange.status >= 500;
}

function reasonFor(exchange: Exchange, unsettled: readonly Unsettled[]): string {
  if (exchange.kind === 'fault' || !exchange.whole || exchange.status >= 300) return describe(exchange);
  const outcome = unsettled[0]?.outcome;
  return outcome?.ok === false ? outcome.message.replace(/\.$/, '') : '';
}

function explain(exchange: Exchange): string {
  if (exchange.kind === 'fault' || !exchange.whole) return describe(exchange);
  if (exchange.status < 300) return 'the answer does not name every document (is it a search engine, or a proxy?)';
  const remedy = accessRemedy(exchange.status);
  return remedy === undefined ? describe(exchange) : `${describe(exchange)}: ${remedy}`;
}
