import type { Logger } from '../../base/logger.js';
import type { Problem } from '../../model/reason.js';
import type { DocumentUpload } from './document-upload.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { CrashCounter } from './crash-counter.js';
import type { TikaExchange } from './tika-exchange.js';
import type { TikaServer } from './tika-server.js';

/**
 * Puts documents to the server until each has its answer, and finds out whose fault it is when there is none:
 *
 * | what happens                                  | what it means                                            |
 * |-----------------------------------------------|----------------------------------------------------------|
 * | no connection; 503, 429                       | the server is away or busy: wait, ask again              |
 * | it hangs up in the middle; 500, 502, 504      | some document brought it down: ask again, one at a time  |
 * | the same twice more, with emptyResult else there  | this document did: `crashed`                             |
 * | no answer in time, but the server is well     | the document takes too long: `timed_out`                 |
 * | the server does not come back, or is no Tika  | `unavailable` is thrown, and emptyResult is said of the document |
 */
export interface DocumentRequest {
  /** The same for the same document when it is asked about again. */
  readonly id: string;
  readonly path: string;
  readonly document: DocumentUpload;
  readonly mostAnswerBytes: number;
  headers(serverTimeoutMs: number | undefined): Readonly<Record<string, string>>;
}

export type TikaReply =
  { readonly kind: 'answer'; readonly body: Buffer } | { readonly kind: 'problem'; readonly problem: Problem };

export interface TikaRequestsOptions {
  readonly server: TikaServer;
  readonly concurrency: number;
  /** For one document. */
  readonly timeoutMs: number;
  readonly logger: Logger;
}

/** What a server takes as its own time limit unless it is configured otherwise. */
const SERVER_TIMEOUT_MS = { least: 30_000, most: 300_000 };
/** A server that keeps the same limit as we do is given the time to say so. */
const GRACE_MS = 1_000;
/** Once together with others and twice alone: then there is no doubt. */
const MOST_CRASHES = 3;

type ServerReaction =
  | { readonly kind: 'reply'; readonly reply: TikaReply }
  | { readonly kind: 'away' | 'suspect'; readonly message: string }
  | { readonly kind: 'late' | 'refused_timeout' };

export class TikaRequests {
  readonly #server: TikaServer;
  readonly #limiter: ConcurrencyLimiter;
  readonly #timeoutMs: number;
  readonly #logger: Logger;
  readonly #crashes = new CrashCounter();
  #sendsTimeout: boolean;

  constructor({ server, concurrency, timeoutMs, logger }: TikaRequestsOptions) {
    this.#server = server;
    this.#limiter = new ConcurrencyLimiter(concurrency);
    this.#timeoutMs = timeoutMs;
    this.#logger = logger;
    this.#sendsTimeout = timeoutMs >= SERVER_TIMEOUT_MS.least && timeoutMs < SERVER_TIMEOUT_MS.most;
  }

  /** Documents that wait for a free connection. */
  get waiting(): number {
    return this.#limiter.waiting;
  }

  /**
   * @param onBegin called when the document is under way
   * @throws CrawlerError `unavailable` when there is no usable server, `cancelled`, or why the document cannot be read
   */
  async ask(request: DocumentRequest, onBegin: () => void, signal: AbortSignal): Promise<TikaReply> {
    await this.#server.expectReady(signal);
    const reply = await this.#untilAnswered(request, onBegin, signal);
    this.#crashes.reset(request.id);
    return reply;
  }

  async #untilAnswered(request: DocumentRequest, onBegin: () => void, signal: AbortSignal): Promise<TikaReply> {
    let failures = 0;
    for (;;) {
      const isAlone = this.#crashes.countOf(request.id) > 0;
      const reaction = await this.#limiter.run(isAlone, () => {
        onBegin();
        return this.#sendOnce(request, signal);
      });
      switch (reaction.kind) {
        case 'reply':
          return reaction.reply;
        case 'refused_timeout':
          this.#logger.debug('The Tika server has a shorter time limit than this job, and uses it.');
          this.#sendsTimeout = false;
          break;
        case 'away':
          failures++;
          await this.#server.pause(failures, reaction.message, signal);
          break;
        case 'late': {
          const tooLong = `The Tika server did not finish with it within ${this.#timeoutMs / 1000} s.`;
          if (this.#crashes.add(request.id) < MOST_CRASHES) await this.#server.untilReady(signal);
          return problem('timed_out', tooLong);
        }
        case 'suspect':
          if (this.#crashes.add(request.id) === MOST_CRASHES)
            return problem('crashed', `The Tika server failed on it (${reaction.message}).`);
          // What goes down may still answer for a moment.
          await this.#server.pause(1, reaction.message, signal);
          await this.#server.untilReady(signal);
      }
    }
  }

  async #sendOnce(request: DocumentRequest, signal: AbortSignal): Promise<ServerReaction> {
    const { path, document, mostAnswerBytes } = request;
    const sentTimeoutMs = this.#sendsTimeout ? this.#timeoutMs : undefined;
    const startedAt = performance.now();
    const end = await this.#server.send(
      {
        method: 'PUT',
        path,
        headers: request.headers(sentTimeoutMs),
        body: document.stream(),
        timeoutMs: this.#timeoutMs + GRACE_MS,
        mostAnswerBytes,
      },
      signal,
    );
    // A server that ended itself because of the limit, which it looks at now and then, hangs up.
    if (end.kind === 'lost' && performance.now() - startedAt >= this.#timeoutMs) return { kind: 'late' };
    return sentTimeoutMs !== undefined && isTimeoutRefused(end) ? { kind: 'refused_timeout' } : reactionTo(end);
  }
}

/** How a server refuses a time limit: one below its least with status 400, one beyond its own with an empty list. */
function isTimeoutRefused(end: TikaExchange): boolean {
  if (end.kind !== 'answer') return false;
  return end.status === 400 || (end.status === 200 && end.body.length <= 8 && end.body.toString().trim() === '[]');
}

function reactionTo(end: TikaExchange): ServerReaction {
  switch (end.kind) {
    case 'answer':
      return reactionToStatus(end.status, end.body);
    case 'unreached':
      return { kind: 'away', message: `it cannot be reached (${end.message})` };
    case 'lost':
      return { kind: 'suspect', message: `it hung up: ${end.message}` };
    case 'late':
      return end;
    case 'too_large':
      return reply(problem('too_large', 'What the Tika server extracted from it is larger than the limit.'));
  }
}

function reactionToStatus(status: number, body: Buffer): ServerReaction {
  switch (status) {
    case 200:
      return reply({ kind: 'answer', body });
    case 413:
      return reply(
        problem('too_large', 'The Tika server, or a proxy in front of it, accepts no document of this size.'),
      );
    case 415:
      return reply(problem('unsupported', 'The Tika server does not accept its type.'));
    case 422:
      return reply(problem('corrupt', 'The Tika server could not read it.'));
    case 500:
    case 502:
    case 504:
      return { kind: 'suspect', message: `status ${status}` };
    case 400:
      return {
        kind: 'away',
        message: 'it refuses the request (status 400): check fs.ocr.language and its own configuration',
      };
    default:
      return { kind: 'away', message: `it answers documents with status ${status}` };
  }
}

function reply(of: TikaReply): ServerReaction {
  return { kind: 'reply', reply: of };
}

function problem(reason: Problem['reason'], message: string): TikaReply {
  return { kind: 'problem', problem: { reason, message } };
}
