import { randomBytes } from 'node:crypto';
import { CrawlerError, messageOf } from '../../../base/errors.js';
import { ApiError } from '../api-error.js';

/**
 * What clients have opened (scrolls, points in time) and have not closed yet. Each lives for its keep-alive after its last
 * use. Their number is limited, and so is the memory that all of them hold together; what goes beyond is refused with 429,
 * which clients know as a reason to wait.
 */
export interface Held {
  /** Bytes that it keeps in memory. It may grow with its uses. */
  readonly bytes: number;
  /** Lets go of what can be had again. */
  release(): void;
}

export interface Cursor<T extends Held> {
  readonly id: string;
  readonly value: T;
  readonly openedMs: number;
  keepAliveMs: number;
}

interface Entry<T extends Held> extends Cursor<T> {
  timer: NodeJS.Timeout;
  /** Requests that work with it: it does not end under their hands. */
  uses: number;
}

/** Elasticsearch's own limit for scrolls. */
const MAX_OPEN = 500;
const MAX_BYTES = 64 * 1024 * 1024;
const ID = /^[A-Za-z0-9_-]{22}$/;

export class Cursors<T extends Held> {
  readonly #what: string;
  readonly #entries = new Map<string, Entry<T>>();

  /** `what` names one of them in sentences. */
  constructor(what: string) {
    this.#what = what;
  }

  open(value: T, keepAliveMs: number): string {
    if (this.#entries.size >= MAX_OPEN) {
      throw tooMany(`Trying to create too many ${this.#what}s. Must be less than or equal to: [${MAX_OPEN}].`);
    }
    this.#requireRoom(value.bytes);
    const id = randomBytes(16).toString('base64url');
    const timer = this.#timer(id, keepAliveMs);
    this.#entries.set(id, { id, value, openedMs: Date.now(), keepAliveMs, timer, uses: 0 });
    return id;
  }

  /** Throws 400 for what is no id, 404 for one that is closed or was never open. A new keep-alive counts from now on. */
  async use<R>(id: string, keepAliveMs: number | undefined, work: (value: T) => Promise<R>): Promise<R> {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw this.#missing(id);
    if (keepAliveMs !== undefined) entry.keepAliveMs = keepAliveMs;
    entry.uses += 1;
    try {
      const result = await work(entry.value);
      this.#requireRoom(0, entry.value);
      return result;
    } catch (error) {
      throw isLost(error) ? missingContext(messageOf(error)) : error;
    } finally {
      entry.uses -= 1;
      clearTimeout(entry.timer);
      if (this.#entries.get(id) === entry) entry.timer = this.#timer(id, entry.keepAliveMs);
    }
  }

  /** False when it is not open. Throws 400 for what is no id. */
  close(id: string): boolean {
    if (!ID.test(id)) throw this.#missing(id);
    clearTimeout(this.#entries.get(id)?.timer);
    return this.#entries.delete(id);
  }

  all(): readonly Cursor<T>[] {
    return [...this.#entries.values()];
  }

  #timer(id: string, ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(id), ms).unref();
  }

  /** One that is being used gets a new timer when its use ends. */
  #expire(id: string): void {
    if (this.#entries.get(id)?.uses === 0) this.#entries.delete(id);
  }

  #requireRoom(bytes: number, grown?: T): void {
    const held = [...this.#entries.values()].reduce((sum, { value }) => sum + value.bytes, bytes);
    if (held <= MAX_BYTES) return;
    grown?.release();
    throw tooMany(
      `The open ${this.#what}s hold ${Math.ceil(held / 1024 / 1024)} MB of the ${MAX_BYTES / 1024 / 1024} MB that they may. Close some, or sort by [_doc].`,
    );
  }

  #missing(id: string): ApiError {
    if (!ID.test(id)) return new ApiError(400, 'illegal_argument_exception', `Cannot parse ${this.#what} id`);
    return missingContext(`No ${this.#what} found for id [${id}]: it was closed, or its keep-alive has passed`);
  }
}

/** The index was replaced meanwhile. */
function isLost(error: unknown): boolean {
  return error instanceof CrawlerError && error.code === 'not_found';
}

function missingContext(reason: string): ApiError {
  return new ApiError(404, 'search_context_missing_exception', reason);
}

function tooMany(reason: string): ApiError {
  return new ApiError(429, 'too_many_scroll_contexts_exception', reason);
}
