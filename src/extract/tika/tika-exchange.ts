import { request as plainRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { CrawlerError, messageOf, systemCode, throwIfCancelled } from '../../base/errors.js';
import type { TikaAddress } from './tika-address.js';

/**
 * One request to a Tika server and what became of it. The body is streamed in chunks, so that a file that grows or shrinks
 * meanwhile cannot confuse the length. Every exchange has a connection of its own: against the time that a document takes it
 * costs emptyResult, and a connection that breaks has broken because of this request, not because it had been idle too long.
 */
export type TikaExchange =
  | { readonly kind: 'answer'; readonly status: number; readonly body: Buffer }
  /** No connection came about: emptyResult was sent. */
  | { readonly kind: 'unreached'; readonly message: string }
  /** The connection broke before the answer was whole. */
  | { readonly kind: 'lost'; readonly message: string }
  /** Not answered within the time. */
  | { readonly kind: 'late' }
  /** The answer is larger than the caller can take. */
  | { readonly kind: 'too_large' };

export interface HttpRequest {
  readonly method: 'GET' | 'PUT';
  /** Without a slash in front. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Readable;
  /** From the beginning to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly mostAnswerBytes: number;
}

const CONNECT_MS = 10_000;

/** Rejects when the signal is aborted (`cancelled`) and when the body cannot be read (with the error of its stream). */
export async function exchange(address: TikaAddress, request: HttpRequest, signal: AbortSignal): Promise<TikaExchange> {
  throwIfCancelled(signal);
  return await new Promise((resolve, reject) => {
    new Exchange(address, request, { resolve, reject }).run(signal);
  });
}

interface Outcome {
  resolve(end: TikaExchange): void;
  reject(error: Error): void;
}

class Exchange {
  readonly #request: HttpRequest;
  readonly #outcome: Outcome;
  readonly #outgoing: ClientRequest;
  readonly #connectTimer: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout;
  #release: () => void = () => undefined;
  #isConnected = false;
  #isAnswered = false;

  constructor(address: TikaAddress, request: HttpRequest, outcome: Outcome) {
    this.#request = request;
    this.#outcome = outcome;
    const url = address.endpoint(request.path);
    const { credentials } = address;
    const options: RequestOptions = {
      method: request.method,
      agent: false,
      headers: request.headers,
      ...(credentials === undefined ? {} : { auth: credentials }),
    };
    this.#outgoing = url.protocol === 'https:' ? tlsRequest(url, options) : plainRequest(url, options);
    this.#connectTimer = setTimeout(() => {
      this.#end({ kind: 'unreached', message: `no connection within ${CONNECT_MS / 1000} s` });
    }, CONNECT_MS);
    this.#deadline = setTimeout(() => this.#end({ kind: 'late' }), request.timeoutMs);
  }

  run(signal: AbortSignal): void {
    const cancel = (): void => {
      this.#fail(new CrawlerError('cancelled', 'The work was cancelled.', { cause: signal.reason }));
    };
    signal.addEventListener('abort', cancel);
    this.#release = () => signal.removeEventListener('abort', cancel);
    this.#outgoing.on('socket', (socket) => {
      socket.once(this.#outgoing.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        this.#isConnected = true;
        clearTimeout(this.#connectTimer);
      });
    });
    this.#outgoing.on('response', (response) => this.#take(response));
    this.#outgoing.on('error', (error) => this.#break(error));
    this.#send();
  }

  #send(): void {
    const { body } = this.#request;
    if (body === undefined) {
      this.#outgoing.end();
      return;
    }
    body.on('error', (error) => this.#fail(error));
    body.pipe(this.#outgoing);
  }

  /** A server may answer before it has read everything; what goes wrong with sending the rest does not matter any more. */
  #take(response: IncomingMessage): void {
    this.#isAnswered = true;
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > this.#request.mostAnswerBytes) this.#end({ kind: 'too_large' });
    });
    response.on('end', () =>
      this.#end({ kind: 'answer', status: response.statusCode ?? 0, body: Buffer.concat(chunks) }),
    );
    response.on('error', (error) => this.#end({ kind: 'lost', message: messageOf(error) }));
  }

  #break(error: Error): void {
    if (this.#isAnswered) return;
    const message = systemCode(error) ?? messageOf(error);
    this.#end({ kind: this.#isConnected ? 'lost' : 'unreached', message });
  }

  #end(end: TikaExchange): void {
    this.#stop();
    this.#outcome.resolve(end);
  }

  #fail(error: Error): void {
    this.#stop();
    this.#outcome.reject(error);
  }

  #stop(): void {
    clearTimeout(this.#connectTimer);
    clearTimeout(this.#deadline);
    this.#release();
    this.#request.body?.destroy();
    this.#outgoing.destroy();
  }
}
