import { Agent as PlainAgent, IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { CrawlerError } from '../../base/errors.js';
import { checkLiteral, guardedLookup } from '../address-guard.js';
import { cancelled } from '../deadline.js';
import { toListPage, type ListedObject, type ListPage } from './list-page.js';
import type { S3Bucket } from './s3-bucket.js';
import { signingOf } from './s3-credentials.js';
import { errorReplyOf, s3Fault, silence } from './s3-fault.js';

const ATTEMPTS = 3;
/** The client tells its own users that it will leave Node 20; users of the crawler need not hear of it. */
const NO_VERSION_WARNING = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED';

const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * The three requests that reading a bucket takes, over Amazon's own client: it signs, asks again what may pass, and finds
 * credentials. Keys go over the wire as they are, so that `a/../b` stays what it is; no redirect is followed.
 */
export class S3Requests {
  readonly #bucket: S3Bucket;
  readonly #agents: { readonly httpAgent: PlainAgent } | { readonly httpsAgent: TlsAgent };
  readonly #closing = new AbortController();
  #client: Promise<S3Client> | undefined;
  #region: string;

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket;
    this.#region = bucket.region;
    const options = { keepAlive: true, lookup: guardedLookup(bucket.guard) };
    this.#agents =
      bucket.endpoint.protocol === 'https:'
        ? { httpsAgent: new TlsAgent(options) }
        : { httpAgent: new PlainAgent(options) };
    process.env[NO_VERSION_WARNING] ??= 'true';
  }

  /** One page of what lies below a prefix, down to the next slash. */
  async list(prefix: string, after: string | undefined, path: string, signal: AbortSignal): Promise<ListPage> {
    return await this.#ask(path, signal, async (client, Bucket, options) =>
      toListPage(
        await client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: prefix,
            Delimiter: '/',
            EncodingType: 'url',
            ContinuationToken: after,
          }),
          options,
        ),
      ),
    );
  }

  /** Size, date and etag of an object. */
  async head(key: string, path: string, signal: AbortSignal): Promise<ListedObject> {
    return await this.#ask(path, signal, async (client, Bucket, options) => {
      const { ContentLength, LastModified, ETag } = await client.send(
        new HeadObjectCommand({ Bucket, Key: key }),
        options,
      );
      return { key, size: ContentLength ?? -1, modifiedMs: LastModified?.getTime(), etag: ETag };
    });
  }

  /** The bytes of an object. Whoever gets them reads or destroys them. */
  async get(key: string, path: string, signal: AbortSignal): Promise<Readable> {
    return await this.#ask(path, signal, async (client, Bucket, options) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }), options);
      const body = Body as Readable | undefined;
      if (body === undefined) throw new Error('the answer has no content');
      // Met by whoever reads, who may come later than the error.
      body.on('error', ignore);
      return body;
    });
  }

  /** What is under way ends as cancelled. */
  close(): void {
    this.#closing.abort();
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  /** A failed connection or a broken answer, as a sentence. */
  fault(path: string, error: unknown, signal: AbortSignal): CrawlerError {
    if (signal.aborted || this.#closing.signal.aborted) return cancelled(signal);
    return s3Fault(this.#bucket, path, error);
  }

  silence(path: string): CrawlerError {
    return silence(this.#bucket, path);
  }

  async #ask<T>(
    path: string,
    signal: AbortSignal,
    work: (client: S3Client, bucket: string, options: { abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const { bucket, guard } = this.#bucket;
    if (signal.aborted || this.#closing.signal.aborted) throw cancelled(signal);
    try {
      checkLiteral(guard, this.#bucket.endpoint.hostname.replace(/^\[(.*)\]$/, '$1'));
      const attempt = async (): Promise<T> => await work(await this.#opened(), bucket, { abortSignal: signal });
      return await attempt().catch((error: unknown) => {
        if (!this.#learnRegion(error)) throw error;
        return attempt();
      });
    } catch (error) {
      throw this.fault(path, error, signal);
    }
  }

  #opened(): Promise<S3Client> {
    this.#client ??= this.#open();
    // Credentials that could not be had may be there at the next attempt.
    this.#client.catch(() => (this.#client = undefined));
    return this.#client;
  }

  async #open(): Promise<S3Client> {
    const { endpoint, login, pathStyle, timeouts } = this.#bucket;
    const client = new S3Client({
      ...(await signingOf(login)),
      endpoint: endpoint.href,
      region: this.#region,
      forcePathStyle: pathStyle,
      maxAttempts: ATTEMPTS,
      // The connection tells of a broken transfer; not every service knows the checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      logger: SILENT,
      requestHandler: {
        ...this.#agents,
        connectionTimeout: timeouts.connectMs,
        requestTimeout: timeouts.silenceMs,
        throwOnRequestTimeout: true,
        logger: SILENT,
      },
    });
    client.middlewareStack.add(
      (next, { commandName }) =>
        (request) =>
          this.#untilSilence(() => next(request), commandName),
      {
        step: 'deserialize',
        priority: 'low',
        name: 'untilSilence',
      },
    );
    return client;
  }

  /** A server that is silent is not asked again. Whoever reads an object counts the silence itself. */
  async #untilSilence<T extends { readonly response: unknown }>(
    answer: () => Promise<T>,
    command: string | undefined,
  ): Promise<T> {
    const { silenceMs } = this.#bucket.timeouts;
    const silent = (): CrawlerError => this.silence(this.#bucket.bucket);
    try {
      const result = await answer();
      const { body } = result.response as { readonly body?: unknown };
      if (command !== GetObjectCommand.name && body instanceof IncomingMessage) {
        body.setTimeout(silenceMs, () => body.destroy(silent()));
      }
      return result;
    } catch (error) {
      throw error instanceof Error && error.name === 'TimeoutError' ? silent() : error;
    }
  }

  /** A request that was signed for another region than the bucket's is answered with the right one. */
  #learnRegion(error: unknown): boolean {
    const reply = errorReplyOf(error);
    const isSignature = reply?.status === 400 || reply?.status === 403;
    if (!isSignature || reply.region === undefined || reply.region === this.#region) return false;
    this.#region = reply.region;
    this.#client = undefined;
    return true;
  }
}

function ignore(): void {
  // Nothing is to be done.
}
