import type { Client } from '@elastic/elasticsearch';
import type { TransportRequestOptionsWithMeta, TransportResult } from '@elastic/transport';
import { CrawlerError, messageOf, throwIfCancelled } from '../../base/errors.js';
import { nodeUrls, type ElasticConnection } from './nodes.js';
import { openPlainClient } from './plain-client.js';
import { tlsRemedy } from './remedies.js';

/** One request: a call of the client's typed API. */
export interface EngineCall {
  /** What is asked for, and of what, for messages: `search in [docs]`. */
  readonly name: string;
  readonly send: (client: Client, options: CallOptions) => Promise<TransportResult>;
  /** False when a second sending would not do the same as the first (a scroll moves on). */
  readonly repeatable?: boolean;
}

/** To be passed on to the method of the client: its answer is read as a stream, whatever its status. */
export type CallOptions = TransportRequestOptionsWithMeta & { readonly asStream: true };

export type Exchange = Answer | Fault;

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly text: string;
  /** False when the connection broke before the end: the text is only the beginning. */
  readonly whole: boolean;
  /** True when an earlier sending of the same request may have reached a server. */
  readonly sentBefore: boolean;
}

export interface Fault {
  readonly kind: 'fault';
  /** Whether a server may have received, and carried out, the request. */
  readonly reached: boolean;
  readonly error: CrawlerError;
}

/** Failures before anything was sent. "connection failed" is the client's word when every address of a host refuses. */
const NOT_REACHED =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|connect timeout|connection failed|before secure TLS/i;

/** One request, tried on every node until one of them answers. Throws only when cancelled or closed. */
export class NodeExchange {
  readonly #connection: ElasticConnection;
  readonly #nodeCount: number;
  #client: Promise<Client> | undefined;
  #closed = false;

  constructor(connection: ElasticConnection) {
    this.#connection = connection;
    this.#nodeCount = nodeUrls(connection).length;
  }

  async send(call: EngineCall, signal: AbortSignal): Promise<Exchange> {
    let reached = false;
    for (let attempt = 1; ; attempt += 1) {
      const exchange = await this.#sendOnce(call, signal);
      const maySendAgain = attempt < this.#nodeCount && isNodeFailure(exchange) && this.#isRepeatable(call, exchange);
      if (!maySendAgain) {
        if (exchange.kind === 'answer') return { ...exchange, sentBefore: reached };
        return { ...exchange, reached: reached || exchange.reached };
      }
      reached ||= exchange.kind === 'answer' || exchange.reached;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }

  #isRepeatable(call: EngineCall, exchange: Exchange): boolean {
    return call.repeatable !== false || (exchange.kind === 'fault' && !exchange.reached);
  }

  async #sendOnce(call: EngineCall, signal: AbortSignal): Promise<Exchange> {
    const client = await this.#open();
    throwIfCancelled(signal);
    try {
      return await exchangeWith(client, call, signal);
    } catch (error) {
      throwIfCancelled(signal);
      if (this.#closed) throw closed();
      return fault(error);
    }
  }

  /** A failed opening (an unreadable certificate, say) is not remembered: the next call tries again. */
  async #open(): Promise<Client> {
    if (this.#closed) throw closed();
    this.#client ??= openPlainClient(this.#connection);
    try {
      return await this.#client;
    } catch (error) {
      this.#client = undefined;
      throw error;
    }
  }
}

/**
 * The answer is read as a stream, since the client throws away the beginning of an answer that breaks off – which, for
 * a bulk request, says which documents are stored already. The price is that marking nodes dead or alive is up to us.
 */
async function exchangeWith(client: Client, call: EngineCall, signal: AbortSignal): Promise<Answer> {
  const result = await call.send(client, { asStream: true, meta: true, signal });
  // `asStream` changes what the body is, which the types of the client do not tell.
  const { text, broken } = await readText(result.body as AsyncIterable<Uint8Array>);
  throwIfCancelled(signal);
  const { statusCode: status, meta } = result;
  if (meta.connection !== null) {
    const isDead = broken !== undefined || isNodeDown(status);
    if (isDead) client.connectionPool.markDead(meta.connection);
    else client.connectionPool.markAlive(meta.connection);
  }
  return { kind: 'answer', status, text, whole: broken === undefined, sentBefore: false };
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<{ text: string; broken: unknown }> {
  const chunks: Uint8Array[] = [];
  let broken: unknown;
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    broken = error ?? new Error('The connection broke.');
  }
  return { text: Buffer.concat(chunks).toString('utf8'), broken };
}

/** A broken answer is no reason to ask the next node: what it says so far must not be lost. */
function isNodeFailure(exchange: Exchange): boolean {
  if (exchange.kind === 'answer') return isNodeDown(exchange.status);
  return exchange.error.code === 'unavailable';
}

function isNodeDown(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** The client's error carries headers and body: only its message goes further. */
function fault(error: unknown): Fault {
  if (error instanceof CrawlerError) return { kind: 'fault', reached: false, error };
  const message = messageOf(error).trim();
  const cause = new Error(message);
  const remedy = tlsRemedy(message);
  if (remedy !== undefined) {
    const text = `no TLS connection (${message.split('\n')[0]?.slice(0, 200)}): ${remedy}`;
    return { kind: 'fault', reached: false, error: new CrawlerError('denied', text, { cause }) };
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return { kind: 'fault', reached: true, error: new CrawlerError('timed_out', 'no answer in time', { cause }) };
  }
  return {
    kind: 'fault',
    reached: !NOT_REACHED.test(message),
    error: new CrawlerError('unavailable', message, { cause }),
  };
}

function closed(): CrawlerError {
  return new CrawlerError('cancelled', 'The connection to the search engine is closed.');
}
