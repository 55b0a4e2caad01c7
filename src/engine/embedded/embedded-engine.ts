import { isDiskFull } from '../../base/disk-full.js';
import { CrawlerError, messageOf, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import type {
  CheckOptions,
  EngineFinding,
  HitList,
  IndexOverview,
  IndexSummary,
  SearchEngine,
  SearchRequest,
  SearchResponse,
  StoredDocument,
  WriteOperation,
  WriteOutcome,
} from '../engine.js';
import { documentUrl } from './document-url.js';
import { abortable, IndexAccess } from './index-access.js';
import { indexPath } from './index-path.js';
import { checkDepth } from '../query/query-limits.js';
import { documentsOf, type ColumnPage } from './search/column-reader.js';
import { EmbeddedHitList } from './search/embedded-hit-list.js';
import type { CheckCursor, CheckSlice, IndexReading, OperationMessage, ScanPage } from './threads/protocol.js';

/**
 * The search index without a server: one SQLite file in the job's folder. All reading and writing is done in threads that
 * start with the first call that needs them, so the event loop stays free and a process that neither writes nor searches
 * pays for nothing. Several processes may use the file at once.
 */
export interface EmbeddedEngineOptions {
  /** The job's folder: `<config_dir>/<job>`. */
  readonly directory: string;
  /** Address of the REST service of this job, once it is known. */
  readonly baseUrl: () => string | undefined;
  readonly version: string;
  readonly logger: Logger;
  /**
   * The job runs in this process: it repairs a damaged index, and checks the index while nobody needs it. Everybody else only
   * gets an error.
   */
  readonly owned?: boolean;
  /** The index of the job's documents. */
  readonly index?: string;
  /** How long a search or a count may take; half a minute unless given. */
  readonly searchTimeoutMs?: number;
}

const SEARCH_TIMEOUT_MS = 30_000;
const CHECK_SLICE_MS = 500;
const DEFAULT_BASE_URL = 'http://127.0.0.1:8080';

/** Elasticsearch's own limit for a request, and far below what SQLite can hold. */
const MAX_DOCUMENT_CHARACTERS = 100 * 1024 * 1024;

export class EmbeddedEngine implements SearchEngine {
  readonly type = 'embedded';
  readonly #options: EmbeddedEngineOptions;
  readonly #path: string;
  readonly #access: IndexAccess;
  #warnedOfPipeline = false;

  constructor(options: EmbeddedEngineOptions) {
    this.#options = options;
    const { directory, logger, owned = false, index = 'documents' } = options;
    this.#path = indexPath(directory);
    this.#access = new IndexAccess({ path: this.#path, logger, owned, index });
  }

  version(): Promise<string> {
    return Promise.resolve(`embedded-${this.#options.version}`);
  }

  async prepare(signal: AbortSignal): Promise<{ identity: string }> {
    return { identity: await this.#access.identity(signal) };
  }

  identity(signal: AbortSignal): Promise<string> {
    return this.#access.identity(signal);
  }

  async write(operations: readonly WriteOperation[], signal: AbortSignal): Promise<readonly WriteOutcome[]> {
    throwIfCancelled(signal);
    if (this.#access.pending !== undefined) await this.#access.pending;
    const fault = this.#openFault();
    if (fault !== undefined) return operations.map(({ id }) => unavailable(id, fault));
    const messages = operations.map((operation) => this.#toMessage(operation));
    const sent = messages.filter((message): message is OperationMessage => !('ok' in message));
    const answers = (await abortable(signal, this.#send(sent))).values();
    return messages.map((message) => {
      if ('ok' in message) return message;
      return answers.next().value ?? unavailable(message.id, new Error('The index gave no answer for this document.'));
    });
  }

  async get(index: string, id: string, signal: AbortSignal): Promise<StoredDocument | undefined> {
    return this.#read((reader) => reader.get(index, id), signal);
  }

  async search({ index, body }: SearchRequest, signal: AbortSignal): Promise<SearchResponse> {
    checkDepth(body);
    return this.#search((reader, timeMs) => reader.search({ index, body, timeMs }), signal);
  }

  async listHits({ index, body }: SearchRequest, signal: AbortSignal): Promise<HitList> {
    checkDepth(body);
    const identity = await this.identity(signal);
    const listed = await this.#search((reader, timeMs) => reader.listHits({ index, body, timeMs }), signal);
    return new EmbeddedHitList(listed, async (page, reading) => {
      // The rows of another file are other documents.
      if ((await this.identity(reading)) !== identity) throw replacedIndex(this.#path);
      return this.#search((reader, timeMs) => reader.readHits({ index, ...page, timeMs }), reading);
    });
  }

  async count(
    index: string,
    query: Readonly<Record<string, unknown>> | undefined,
    signal: AbortSignal,
  ): Promise<number> {
    checkDepth(query);
    return this.#search((reader, timeMs) => reader.count({ index, query, timeMs }), signal);
  }

  async *scan(
    index: string,
    signal: AbortSignal,
    fields?: readonly string[],
  ): AsyncGenerator<readonly StoredDocument[]> {
    // What is empty is asked at the start of each first run, and needs no thread.
    if (this.#access.isEmpty) return;
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after;
      const page: ScanPage | ColumnPage = await this.#read(
        (reader) => reader.scan({ index, after: from, fields }),
        signal,
      );
      const documents = 'documents' in page ? page.documents : documentsOf(index, page);
      if (documents.length > 0) yield documents;
      after = page.next;
    }
  }

  async indices(signal: AbortSignal): Promise<readonly IndexSummary[]> {
    return this.#read((reader) => reader.indices(), signal);
  }

  async overview(index: string, signal: AbortSignal): Promise<IndexOverview> {
    this.#access.open();
    return await this.#access.overview(index, signal);
  }

  async mapping(index: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    return this.#read((reader) => reader.mapping(index), signal);
  }

  /** Corruption is found by `check`, and the file has the format of this release once it is open. */
  diagnose(): Promise<readonly EngineFinding[]> {
    return Promise.resolve([]);
  }

  urlOf(index: string, id: string): string {
    return documentUrl(this.#options.baseUrl() ?? DEFAULT_BASE_URL, index, id);
  }

  async check({ deep, signal, onProgress }: CheckOptions): Promise<void> {
    await this.#access.identity(signal);
    let cursor: CheckCursor | undefined;
    let documents = 0;
    do {
      const from: CheckCursor | undefined = cursor;
      const slice: CheckSlice = await this.#read(
        (reader) => reader.check(from, { timeMs: CHECK_SLICE_MS, deep }),
        signal,
      );
      documents += slice.documents;
      onProgress(documents);
      cursor = slice.next;
    } while (cursor !== undefined);
  }

  close(): Promise<void> {
    return this.#access.close();
  }

  /** A call that has to end within the time that a search may take. */
  #search<Result>(
    ask: (reader: IndexReading, timeMs: number) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const timeMs = this.#options.searchTimeoutMs ?? SEARCH_TIMEOUT_MS;
    return this.#read((reader) => ask(reader, timeMs), signal, timeMs);
  }

  async #read<Result>(
    ask: (reader: IndexReading) => Promise<Result>,
    signal: AbortSignal,
    timeMs?: number,
  ): Promise<Result> {
    // No pause otherwise: a call that was made before `close` must reach its thread before the close does.
    if (this.#access.pending !== undefined) await this.#access.pending;
    this.#access.open();
    return this.#access.read(ask, { signal, timeMs });
  }

  /** Why the file cannot be opened at the moment: an outcome of each operation. Throws when the engine is closed. */
  #openFault(): unknown {
    try {
      this.#access.open();
      return undefined;
    } catch (error) {
      if (this.#access.isClosed) throw error;
      return error;
    }
  }

  /** A lost thread is an outcome of each operation, so that the caller sends them again. */
  async #send(operations: readonly OperationMessage[]): Promise<readonly WriteOutcome[]> {
    if (operations.length === 0) return [];
    try {
      return await this.#access.write(operations);
    } catch (error) {
      return operations.map(({ id }) => unavailable(id, error));
    }
  }

  /** The message for the writer, or the outcome of a document that cannot be sent. */
  #toMessage(operation: WriteOperation): OperationMessage | WriteOutcome {
    if (operation.kind === 'delete') return operation;
    const { index, id, document, mode, pipeline } = operation;
    if (pipeline !== undefined) this.#warnOfPipeline(pipeline);
    const json = toJson(document);
    if (!json.ok) return { ok: false, id, code: 'rejected', message: json.fault };
    return { kind: 'index', index, id, json: json.text, create: mode === 'create' };
  }

  #warnOfPipeline(pipeline: string): void {
    if (this.#warnedOfPipeline) return;
    this.#warnedOfPipeline = true;
    this.#options.logger.warn(`The embedded index has no ingest pipelines: [${pipeline}] is ignored.`);
  }
}

function replacedIndex(path: string): CrawlerError {
  return new CrawlerError('not_found', `The index [${path}] was replaced: search again.`, { subject: path });
}

function toJson(document: unknown): { ok: true; text: string } | { ok: false; fault: string } {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return { ok: false, fault: 'A document must be a JSON object.' };
  }
  try {
    const text = JSON.stringify(document);
    if (text.length <= MAX_DOCUMENT_CHARACTERS) return { ok: true, text };
    const megabytes = Math.ceil(text.length / 1024 / 1024);
    const fault = `The document has ${megabytes} MB, more than the 100 MB that the index takes. Lower [fs.indexed_chars].`;
    return { ok: false, fault };
  } catch (error) {
    return { ok: false, fault: `The document cannot be written as JSON: ${messageOf(error)}` };
  }
}

function unavailable(id: string | undefined, error: unknown): WriteOutcome {
  const full = isDiskFull(error) ? { isDiskFull: true } : {};
  return { ok: false, id, code: 'unavailable', message: messageOf(error), ...full };
}
