import { CrawlerError, messageOf, type ErrorCode } from './errors.js';

/**
 * Calls across a thread border. Messages are gathered until the event loop comes round, so that thousands of small calls
 * cost few posts. Values are structured clones: plain data only.
 */
export type WireMessage =
  | { readonly kind: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly kind: 'note'; readonly method: string; readonly args: readonly unknown[] }
  | { readonly kind: 'value'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly code: ErrorCode; readonly message: string };

export type RpcHandlers = Readonly<Record<string, (...args: never[]) => unknown>>;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: CrawlerError) => void;
}

const MAX_BATCH = 64;

export class RpcPeer {
  readonly #post: (batch: readonly WireMessage[]) => void;
  readonly #handlers: RpcHandlers;
  readonly #pending = new Map<number, Pending>();
  #outgoing: WireMessage[] = [];
  #scheduled = false;
  #nextId = 1;
  #closed: CrawlerError | undefined;

  constructor(post: (batch: readonly WireMessage[]) => void, handlers: RpcHandlers) {
    this.#post = post;
    this.#handlers = handlers;
  }

  /** Calls the other side. Rejects with the CrawlerError that it threw, or when the other side is gone. */
  call(method: string, ...args: readonly unknown[]): Promise<unknown> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ kind: 'call', id, method, args });
    });
  }

  /** Tells the other side without waiting for anything. */
  notify(method: string, ...args: readonly unknown[]): void {
    if (this.#closed === undefined) this.#send({ kind: 'note', method, args });
  }

  receive(batch: readonly WireMessage[]): void {
    for (const message of batch) this.#receive(message);
  }

  /** The other side is gone: every open call fails with this error. */
  close(error: CrawlerError): void {
    this.#closed = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }

  #receive(message: WireMessage): void {
    switch (message.kind) {
      case 'call':
        void this.#answer(message.id, message.method, message.args);
        return;
      case 'note':
        this.#invoke(message.method, message.args);
        return;
      case 'value':
        return this.#take(message.id)?.resolve(message.value);
      case 'error':
        return this.#take(message.id)?.reject(new CrawlerError(message.code, message.message));
    }
  }

  async #answer(id: number, method: string, args: readonly unknown[]): Promise<void> {
    try {
      this.#send({ kind: 'value', id, value: await this.#invoke(method, args) });
    } catch (error) {
      const code = error instanceof CrawlerError ? error.code : 'internal';
      this.#send({ kind: 'error', id, code, message: messageOf(error) });
    }
  }

  #invoke(method: string, args: readonly unknown[]): unknown {
    const handler = this.#handlers[method];
    if (handler === undefined)
      throw new CrawlerError('internal', `The other thread called [${method}], which is not there.`);
    return handler(...(args as never[]));
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #send(message: WireMessage): void {
    this.#outgoing.push(message);
    if (this.#outgoing.length >= MAX_BATCH) return this.#flush();
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#outgoing.length === 0) return;
    const batch = this.#outgoing;
    this.#outgoing = [];
    this.#post(batch);
  }
}
