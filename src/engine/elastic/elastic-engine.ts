import { setMaxListeners } from 'node:events';
import { systemClock, type Clock } from '../../base/clock.js';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import type {
  EngineFinding,
  IndexSummary,
  SearchEngine,
  SearchRequest,
  SearchResponse,
  StoredDocument,
  WriteOperation,
  WriteOutcome,
} from '../engine.js';
import { BulkSender } from './bulk-sender.js';
import { EngineClient, type Reply } from './engine-client.js';
import { createMissing, indexIdentity } from './index-identity.js';
import { withHighlightLimit } from './highlight-limit.js';
import { indexSummaries } from './index-summaries.js';
import { at, isRecord, numberAt } from './json.js';
import { mappingDrift } from './mapping-drift.js';
import { NodeExchange, type EngineCall } from './node-exchange.js';
import { nodeUrls, type ElasticConnection } from './nodes.js';
import { defaultRetryPolicy, RetryState, type RetryPolicy } from './retry-state.js';
import { pushTemplates, type ElasticTemplates } from './push-templates.js';
import { rootCall } from './root-call.js';
import { scroll, storedDocument } from './scroll.js';
import { SearchVisibility } from './search-visibility.js';
import { reasonOfBody, serverError } from './server-errors.js';
import { requestLimit, serverInfo, type ServerInfo } from './server.js';
import { settleAll } from './settle-all.js';
import { waitForServer } from './wait-for-server.js';

export interface ElasticEngineDeps {
  readonly connection: ElasticConnection;
  readonly templates: ElasticTemplates;
  /** Must exist when `prepare` is called. */
  readonly pipeline?: string | undefined;
  /** How long `prepare` waits for the engine; -1 waits for ever. */
  readonly startTimeoutMs: number;
  readonly retry?: RetryPolicy;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** From then on nothing is tried a second time. */
  readonly stop?: AbortSignal | undefined;
}

/** Elasticsearch 7.17, 8, 9 (serverless included) and OpenSearch 2, 3 over HTTP. Opens no connection before it is used. */
export class ElasticEngine implements SearchEngine {
  readonly type = 'elastic';
  readonly #deps: ElasticEngineDeps;
  readonly #clock: Clock;
  readonly #retry: RetryPolicy;
  readonly #address: string;
  readonly #firstUrl: string;
  /** What a job writes to: documents, and folders where they are wanted. */
  readonly #indices: readonly string[];
  readonly #exchange: NodeExchange;
  readonly #client: EngineClient;
  readonly #sender: BulkSender;
  readonly #visibility: SearchVisibility;
  #server: ServerInfo | undefined;
  #isReady = false;

  constructor(deps: ElasticEngineDeps) {
    const { connection, logger, templates } = deps;
    const urls = nodeUrls(connection).map(({ href }) => href.replace(/\/$/, ''));
    this.#deps = deps;
    this.#clock = deps.clock ?? systemClock;
    this.#retry = deps.retry ?? defaultRetryPolicy;
    this.#address = urls.join(', ');
    this.#firstUrl = urls[0] ?? '';
    this.#indices = templates.foldersWanted ? [templates.index, templates.indexFolder] : [templates.index];
    this.#exchange = new NodeExchange(connection);
    const parts = { exchange: this.#exchange, address: this.#address, retry: this.#retry, clock: this.#clock };
    this.#client = new EngineClient({ ...parts, logger, stop: deps.stop });
    this.#sender = new BulkSender({ ...parts, client: this.#client });
    this.#visibility = new SearchVisibility((call, signal) => this.#ask(call, signal));
  }

  async version(signal: AbortSignal): Promise<string> {
    if (this.#server === undefined) {
      const noWait = { ...this.#retry.fault, totalMs: 0 };
      const retries = new RetryState({ fault: noWait, throttle: noWait }, this.#clock);
      const reply = await this.#client.ask(rootCall, signal, retries);
      const what = `The search engine at [${this.#address}] does not report its version`;
      this.#server = serverInfo(answerOf(reply, what, this.#address), this.#address);
    }
    return this.#server.label;
  }

  /** Waits for the engine, checks the pipeline, pushes the templates, creates the indices. May be called again. */
  async prepare(signal: AbortSignal): Promise<{ readonly identity: string }> {
    const { connection, templates, logger } = this.#deps;
    if (!connection.sslVerification) {
      logger.warn('The certificate of the search engine is not verified (engine.ssl_verification: false).');
    }
    const { startTimeoutMs } = this.#deps;
    const wait = { exchange: this.#exchange, address: this.#address, startTimeoutMs, clock: this.#clock, logger };
    const server = await waitForServer(wait, signal);
    this.#server = server;
    // Many requests side by side listen to it.
    setMaxListeners(0, signal);
    await settleAll([
      this.#checkPipeline(signal),
      pushTemplates({ client: this.#client, templates, server, clock: this.#clock, logger }, signal),
      this.#learnRequestLimit(server, signal),
    ]);
    this.#isReady = true;
    await createMissing(this.#client, this.#indices, logger, signal);
    return { identity: await this.identity(signal) };
  }

  /** The identities of the job's indices as they are now: another one when any of them was lost or replaced. */
  async identity(signal: AbortSignal): Promise<string> {
    const identities = await settleAll(this.#indices.map((index) => indexIdentity(this.#client, index, signal)));
    return identities.join(' ');
  }

  /** Before `prepare` has succeeded nothing is written: an index would be created without its templates. */
  async write(operations: readonly WriteOperation[], signal: AbortSignal): Promise<readonly WriteOutcome[]> {
    throwIfCancelled(signal);
    if (!this.#isReady) {
      const message = `The search engine at [${this.#address}] is not ready yet.`;
      return operations.map(({ id }) => ({ ok: false, id, code: 'unavailable', message }));
    }
    const outcomes = await this.#sender.write(operations, signal);
    operations.forEach(({ index }, i) => {
      if (outcomes[i]?.ok === true) this.#visibility.wrote(index);
    });
    return outcomes;
  }

  async get(index: string, id: string, signal: AbortSignal): Promise<StoredDocument | undefined> {
    const document = { index, id: id.toWellFormed() };
    const reply = await this.#ask(
      { name: `document [${index}/${id}]`, send: (client, options) => client.get(document, options) },
      signal,
    );
    const isMissing =
      at(reply.body, 'found') === false || reasonOfBody(reply.body).type === 'index_not_found_exception';
    if (reply.status === 404 && isMissing) return undefined;
    const body = answerOf(reply, `The document [${index}/${id}] cannot be read`, index);
    return isRecord(body) ? storedDocument(body) : undefined;
  }

  async search({ index, body }: SearchRequest, signal: AbortSignal): Promise<SearchResponse> {
    await this.#visibility.ensure(signal);
    const limited = withHighlightLimit(body, this.#server);
    // As a body of its own: a foreign search must not name parameters of the request.
    const reply = await this.#ask(
      { name: `search in [${index}]`, send: (client, options) => client.search({ index, body: limited }, options) },
      signal,
    );
    return answerOf(reply, `The search in [${index}] failed`, index) as SearchResponse;
  }

  async count(
    index: string,
    query: Readonly<Record<string, unknown>> | undefined,
    signal: AbortSignal,
  ): Promise<number> {
    await this.#visibility.ensure(signal);
    const wanted = query === undefined ? { index } : { index, query };
    const reply = await this.#ask(
      { name: `count of [${index}]`, send: (client, options) => client.count(wanted, options) },
      signal,
    );
    const answer = answerOf(reply, `The documents of [${index}] cannot be counted`, index);
    if (numberAt(answer, '_shards', 'failed') !== 0) {
      const message = `The documents of [${index}] cannot be counted completely: a shard does not answer.`;
      throw new CrawlerError('unavailable', message, { subject: index });
    }
    return numberAt(answer, 'count') ?? 0;
  }

  /** A snapshot in pages of some megabytes. */
  async *scan(
    index: string,
    signal: AbortSignal,
    fields?: readonly string[],
  ): AsyncGenerator<readonly StoredDocument[]> {
    await this.#visibility.ensure(signal);
    yield* scroll({ client: this.#client, index, fields }, signal);
  }

  /** All indices that the user may see, but for hidden ones. */
  async indices(signal: AbortSignal): Promise<readonly IndexSummary[]> {
    await this.#visibility.ensure(signal);
    return indexSummaries(this.#client, signal);
  }

  /** Behind an alias, the mapping of the index that is last by name. */
  async mapping(index: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const reply = await this.#ask(
      { name: `mapping of [${index}]`, send: (client, options) => client.indices.getMapping({ index }, options) },
      signal,
    );
    const body = answerOf(reply, `The mapping of [${index}] cannot be read`, index);
    const last = isRecord(body) ? Object.keys(body).sort().at(-1) : undefined;
    const mapping = last === undefined ? undefined : at(body, last, 'mappings');
    return isRecord(mapping) ? mapping : {};
  }

  diagnose(signal: AbortSignal): Promise<readonly EngineFinding[]> {
    return mappingDrift(this.#deps.templates, (index) => this.mapping(index, signal));
  }

  urlOf(index: string, id: string): string {
    const part = id.toWellFormed().replace(/[^\w.~!$&'()*+,;=:@-]/gu, encodeURIComponent);
    return `${this.#firstUrl}/${index}/_doc/${part}`;
  }

  async close(): Promise<void> {
    await this.#exchange.close();
  }

  /** A person or a program waits for these answers: an engine that is busy gets no longer than one that is away. */
  #ask(call: EngineCall, signal: AbortSignal): Promise<Reply> {
    const { fault, throttle } = this.#retry;
    const totalMs = Math.min(fault.totalMs, throttle.totalMs);
    const retries = new RetryState({ fault, throttle: { ...throttle, totalMs } }, this.#clock);
    return this.#client.ask(call, signal, retries);
  }

  async #checkPipeline(signal: AbortSignal): Promise<void> {
    const { pipeline } = this.#deps;
    if (pipeline === undefined || pipeline === '') return;
    const { status, body } = await this.#client.ask(
      {
        name: `ingest pipeline [${pipeline}]`,
        send: (client, options) => client.ingest.getPipeline({ id: pipeline }, options),
      },
      signal,
    );
    if (status === 404) {
      const message = `The ingest pipeline [${pipeline}] of engine.pipeline does not exist: create it, or remove the setting.`;
      throw new CrawlerError('settings_invalid', message, { subject: 'engine.pipeline' });
    }
    if (status >= 300) throw serverError(status, body, `The ingest pipeline [${pipeline}] cannot be read`, pipeline);
  }

  /** A user without the privilege to ask learns the limit from the first refusal. */
  async #learnRequestLimit(server: ServerInfo, signal: AbortSignal): Promise<void> {
    if (server.kind === 'serverless') return;
    const wanted = { metric: 'http', filter_path: 'nodes.*.http.max_content_length_in_bytes' } as const;
    const { status, body } = await this.#client.ask(
      { name: 'limits of the search engine', send: (client, options) => client.nodes.info(wanted, options) },
      signal,
    );
    const limit = status < 300 ? requestLimit(body) : undefined;
    if (limit !== undefined) this.#sender.useLimit(limit);
  }
}

function answerOf(reply: Reply, what: string, subject: string): unknown {
  if (reply.status >= 300) throw serverError(reply.status, reply.body, what, subject);
  return reply.body;
}
