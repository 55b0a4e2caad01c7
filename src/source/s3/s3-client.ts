import { Agent as PlainAgent, request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { CrawlerError, messageOf, systemCode } from '../../base/errors.js';
import { checkLiteral, guardedLookup } from '../address-guard.js';
import { cancelled } from '../deadline.js';
import { networkFault } from '../network-fault.js';
import { parseError, parseListPage, type ListPage, type S3Problem } from './list-page.js';
import { addressOf, type S3Bucket } from './s3-bucket.js';
import { encoded, encodedQuery, signedHeaders } from './signature.js';

/** Answers after which S3 itself asks for another attempt. */
const PASSING = new Set([429, 500, 502, 503, 504]);
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 200;
const MAX_ERROR_BYTES = 64 * 1024;
/** A page has a thousand keys of at most 1024 bytes, each of which may be written as three. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** What is asked of a bucket: one GET or HEAD. */
interface Question {
  readonly method: 'GET' | 'HEAD';
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names the place in messages. */
  readonly path: string;
}

/**
 * The three requests that reading a bucket takes. Paths go over the wire as they are, so that keys like `a/../b` stay
 * what they are; no redirect is followed.
 */
export class S3Client {
  readonly #bucket: S3Bucket;
  readonly #agent: PlainAgent;
  #region: string;
  #closed = false;

  constructor(bucket: S3Bucket, connections: number) {
    this.#bucket = bucket;
    this.#region = bucket.region;
    const options = { keepAlive: true, maxSockets: connections, lookup: guardedLookup(bucket.guard) };
    this.#agent = bucket.endpoint.protocol === 'https:' ? new TlsAgent(options) : new PlainAgent(options);
  }

  /** One page of what lies below a prefix, down to the next slash. */
  async list(prefix: string, after: string | undefined, path: string, signal: AbortSignal): Promise<ListPage> {
    const query = {
      'list-type': '2',
      delimiter: '/',
      'encoding-type': 'url',
      prefix,
      ...(after === undefined ? {} : { 'continuation-token': after }),
    };
    const response = await this.#ask({ method: 'GET', key: '', query, path }, signal);
    try {
      return parseListPage(await this.#text(response, MAX_PAGE_BYTES, path, signal));
    } catch (error) {
      throw this.fault(path, error, signal);
    }
  }

  /** Size, date and etag of an object. The answer has no body. */
  async head(key: string, path: string, signal: AbortSignal): Promise<IncomingMessage['headers']> {
    const response = await this.#ask({ method: 'HEAD', key, query: {}, path }, signal);
    response.resume();
    return response.headers;
  }

  /** The bytes of an object. Whoever gets the answer reads or destroys it. */
  async get(key: string, path: string, signal: AbortSignal): Promise<IncomingMessage> {
    return await this.#ask({ method: 'GET', key, query: {}, path }, signal);
  }

  /** What is under way ends as cancelled. */
  close(): void {
    this.#closed = true;
    this.#agent.destroy();
  }

  /** A failed connection or a broken answer, as a sentence. */
  fault(path: string, error: unknown, signal: AbortSignal): CrawlerError {
    if (signal.aborted || this.#closed) return cancelled(signal);
    const what = `[${path}] in ${addressOf(this.#bucket)} can not be read`;
    // The server closed the connection before the announced end.
    const broken = messageOf(error) === 'aborted' || systemCode(error) === 'ECONNRESET';
    return networkFault(what, path, broken ? new Error('the connection broke off') : error);
  }

  async #ask(question: Question, signal: AbortSignal): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt += 1) {
      if (this.#closed) throw cancelled(signal);
      try {
        return await this.#answered(question, signal);
      } catch (error) {
        const again = error instanceof Passing && attempt < ATTEMPTS;
        if (!again) throw error instanceof Passing ? error.fault : error;
        await delay(FIRST_PAUSE_MS * 4 ** (attempt - 1), undefined, { signal }).catch(() => undefined);
        if (signal.aborted) throw cancelled(signal);
      }
    }
  }

  /** Throws `Passing` for what may be better at the next attempt. */
  async #answered(question: Question, signal: AbortSignal, mayLearn = true): Promise<IncomingMessage> {
    let response: IncomingMessage;
    try {
      response = await this.#send(question, signal);
    } catch (error) {
      const fault = this.fault(question.path, error, signal);
      throw fault.code === 'unavailable' && !(error instanceof CrawlerError) ? new Passing(fault) : fault;
    }
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    const problem = parseError(await this.#text(response, MAX_ERROR_BYTES, question.path, signal).catch(() => ''));
    if (mayLearn && this.#learnRegion(response, problem.region)) return await this.#answered(question, signal, false);
    throw this.#refusal(question.path, response, problem);
  }

  /** A request that was signed for another region than the bucket's is told the right one. */
  #learnRegion(response: IncomingMessage, told: string): boolean {
    const { statusCode } = response;
    const region = regionOf(response, told);
    if ((statusCode !== 400 && statusCode !== 403) || region === '' || region === this.#region) return false;
    this.#region = region;
    return true;
  }

  #refusal(path: string, response: IncomingMessage, { code, message, region }: S3Problem): CrawlerError | Passing {
    const status = response.statusCode ?? 0;
    const place = `[${path}] in ${addressOf(this.#bucket)}`;
    if (status === 404) {
      const why = code === 'NoSuchBucket' ? 'The bucket does not exist' : 'The specified key does not exist';
      const shown = message === '' ? `${why}.` : message;
      return new CrawlerError('not_found', `${place} does not exist (any more): ${shown}`, { subject: path });
    }
    const answer = [String(status), code, message].filter((each) => each !== '').join(' ');
    const sentence = `${place} can not be read: the server answers [${answer}].`;
    if (PASSING.has(status)) return new Passing(new CrawlerError('unavailable', sentence, { subject: path }));
    const remedy = remedyOf(status, regionOf(response, region));
    return new CrawlerError('denied', `${sentence}${remedy}`, { subject: path });
  }

  #send({ method, key, query, path: shownPath }: Question, signal: AbortSignal): Promise<IncomingMessage> {
    const { endpoint, bucket, credentials, pathStyle, guard, patience } = this.#bucket;
    const hostname = pathStyle ? endpoint.hostname : `${bucket}.${endpoint.hostname}`;
    const host = endpoint.port === '' ? hostname : `${hostname}:${endpoint.port}`;
    const base = endpoint.pathname.replace(/\/$/, '');
    const path = `${base}${pathStyle ? `/${encoded(bucket)}` : ''}/${key.split('/').map(encoded).join('/')}`;
    const headers = signedHeaders({ method, host, path, query, region: this.#region }, credentials, Date.now());
    const queryText = encodedQuery(query);
    const bare = hostname.replace(/^\[(.*)\]$/, '$1');
    checkLiteral(guard, bare);
    const options: RequestOptions = {
      method,
      agent: this.#agent,
      hostname: bare,
      path: queryText === '' ? path : `${path}?${queryText}`,
      headers,
      signal,
      ...(endpoint.port === '' ? {} : { port: endpoint.port }),
    };
    return new Promise((resolve, reject) => {
      const request = (endpoint.protocol === 'https:' ? tlsRequest : plainRequest)(options);
      let timer: NodeJS.Timeout | undefined;
      // A request that waits for a free connection is not waiting for the server.
      request.once('socket', () => {
        timer = setTimeout(() => request.destroy(this.silence(shownPath)), patience.silenceMs);
      });
      request.once('response', (response) => {
        clearTimeout(timer);
        // Met by whoever reads, who may come later than the error.
        response.on('error', () => undefined);
        resolve(response);
      });
      // Also after the answer: a connection that breaks then is met by whoever reads.
      request.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      request.end();
    });
  }

  silence(path: string): CrawlerError {
    const { silenceMs } = this.#bucket.patience;
    return new CrawlerError(
      'unavailable',
      `[${path}] in ${addressOf(this.#bucket)} can not be read: the server has been silent for ${silenceMs / 1000} seconds.`,
      { subject: path },
    );
  }

  /** A whole body, whose length was checked by the HTTP client. */
  async #text(response: IncomingMessage, maxBytes: number, path: string, signal: AbortSignal): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(() => response.destroy(this.silence(path)), this.#bucket.patience.silenceMs);
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        timer.refresh();
        length += chunk.length;
        if (length > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
        chunks.push(chunk);
      }
      if (signal.aborted) throw cancelled(signal);
      return Buffer.concat(chunks).toString('utf8');
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The region of the bucket, where an answer names it. */
function regionOf({ headers }: IncomingMessage, told: string): string {
  const header = headers['x-amz-bucket-region'];
  return told === '' && typeof header === 'string' ? header : told;
}

function remedyOf(status: number, region: string): string {
  if (status >= 300 && status < 400) {
    return region === ''
      ? ' Check the endpoint.'
      : ` The bucket is in the region [${region}]: check region and endpoint.`;
  }
  return status === 401 || status === 403 ? ' Check the two keys, and what they may read.' : '';
}

/** Wraps a failure that the next attempt may not meet. */
class Passing extends Error {
  readonly fault: CrawlerError;

  constructor(fault: CrawlerError) {
    super(fault.message);
    this.fault = fault;
  }
}
