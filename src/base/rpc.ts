import { fromErrorData, toErrorData, type ErrorData } from './error-data.js';
import { CrawlerError, messageOf } from './errors.js';

type Call = (...args: never[]) => Promise<unknown>;
type Note = (...args: never[]) => void;

/**
 * What one side of a thread border offers the other: an interface of methods. One that returns a promise is a call and is
 * answered; one that returns nothing is a note, for which nobody waits. Arguments and results are structured clones: plain
 * data only.
 */
export type Contract<T> = {
  readonly [K in keyof T]: T[K] extends Call ? Call : Returned<Note> extends Returned<T[K]> ? Note : never;
};

type Returned<F> = F extends (...args: never[]) => infer Result ? Result : never;

/** The notes of a contract. A list that lacks one of them, or names a call, does not compile. */
export type Notes<T> = { readonly [K in keyof T as T[K] extends Call ? never : K]: true };

export type WireMessage =
  | { readonly kind: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly kind: 'note'; readonly method: string; readonly args: readonly unknown[] }
  | { readonly kind: 'value'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: ErrorData };

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: CrawlerError) => void;
}

const MAX_BATCH = 64;

/**
 * One side of a thread border. Messages are gathered until the event loop comes round, so that thousands of small calls
 * cost few posts.
 */
export class RpcPeer<Local extends Contract<Local>, Remote extends Contract<Remote>> {
  /**
   * The other side. Its calls reject with the CrawlerError that was thrown there (code, message, subject, and the message of
   * its cause), or when the other side is gone; its notes are then lost.
   */
  readonly remote: Remote;
  readonly #post: (batch: readonly WireMessage[]) => void;
  readonly #pending = new Map<number, Pending>();
  #handlers: Local | undefined;
  #outgoing: WireMessage[] = [];
  #scheduled = false;
  #nextId = 1;
  #answering = 0;
  #closed: CrawlerError | undefined;

  constructor(post: (batch: readonly WireMessage[]) => void, notes: Notes<Remote>) {
    this.#post = post;
    this.remote = this.#stub(new Set(Object.keys(notes)));
  }

  /** Calls that the other side has not answered yet. */
  get openCalls(): number {
    return this.#pending.size;
  }

  /** Answers the other side from now on. */
  serve(handlers: Local): void {
    this.#handlers = handlers;
  }

  receive(batch: readonly WireMessage[]): void {
    for (const message of batch) this.#receive(message);
  }

  /** The number of the last call to the other side; they are counted from 1. */
  get lastCall(): number {
    return this.#nextId - 1;
  }

  /** The number, as the other side counts, of the call that is being answered: for a handler until it first waits. */
  get answering(): number {
    return this.#answering;
  }

  /** The other side is gone: every open call fails with this error. */
  close(error: CrawlerError): void {
    this.#closed = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }

  #stub(notes: ReadonlySet<string>): Remote {
    const methods = new Map<string, (...args: readonly unknown[]) => unknown>();
    const methodOf = (name: string): ((...args: readonly unknown[]) => unknown) =>
      notes.has(name) ? (...args) => this.#note(name, args) : (...args) => this.#call(name, args);
    return new Proxy({} as Remote, {
      get: (_, name) => {
        // What is awaited is asked for `then`.
        if (typeof name !== 'string' || name === 'then') return undefined;
        const method = methods.get(name) ?? methodOf(name);
        methods.set(name, method);
        return method;
      },
    });
  }

  #call(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ kind: 'call', id, method, args });
    });
  }

  #note(method: string, args: readonly unknown[]): void {
    if (this.#closed === undefined) this.#send({ kind: 'note', method, args });
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
        return this.#take(message.id)?.reject(fromErrorData(message.error));
    }
  }

  async #answer(id: number, method: string, args: readonly unknown[]): Promise<void> {
    try {
      this.#answering = id;
      this.#send({ kind: 'value', id, value: await this.#invoke(method, args) });
    } catch (error) {
      this.#send({ kind: 'error', id, error: toErrorData(error) });
    }
  }

  #invoke(method: string, args: readonly unknown[]): unknown {
    const handlers = this.#handlers as Readonly<Record<string, unknown>> | undefined;
    const handler = handlers?.[method];
    if (typeof handler !== 'function')
      throw new CrawlerError('internal', `The other thread called [${method}], which is not there.`);
    return Reflect.apply(handler, handlers, args);
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
    try {
      this.#post(batch);
    } catch {
      for (const message of batch) this.#postAlone(message);
    }
  }

  /** One message that cannot be copied (nested too deep, say) does not take the others of its batch with it. */
  #postAlone(message: WireMessage): void {
    try {
      this.#post([message]);
    } catch (error) {
      const reason = messageOf(error);
      if (message.kind === 'call') {
        this.#take(message.id)?.reject(new CrawlerError('corrupt', `The request cannot be read: ${reason}`));
      } else if (message.kind === 'value') {
        const failure = new CrawlerError('internal', `The answer of the other thread cannot be passed on: ${reason}`);
        this.#send({ kind: 'error', id: message.id, error: toErrorData(failure) });
      } else {
        throw error;
      }
    }
  }
}
