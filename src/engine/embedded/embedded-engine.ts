import { statSync } from 'node:fs';
import { entryPoint } from '../../base/entry-points.js';
import { CrawlerError, messageOf, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import type {
  IndexSummary,
  SearchEngine,
  SearchRequest,
  SearchResponse,
  StoredDocument,
  WriteOperation,
  WriteOutcome,
} from '../engine.js';
import { documentUrl } from './document-url.js';
import { indexPath } from './index-path.js';
import { documentsOf } from './search/column-reader.js';
import { prepareIndexFile } from './store/index-file.js';
import { EngineThread } from './threads/engine-thread.js';
import type { CallName, Calls, OperationMessage } from './threads/protocol.js';
import { ReaderPool } from './threads/reader-pool.js';

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
}

const READERS = 2;
const DEFAULT_BASE_URL = 'http://127.0.0.1:8080';

/** Elasticsearch's own limit for a request, and far below what SQLite can hold. */
const MAX_DOCUMENT_CHARACTERS = 100 * 1024 * 1024;

export class EmbeddedEngine implements SearchEngine {
  readonly type = 'embedded';
  readonly #options: EmbeddedEngineOptions;
  readonly #path: string;
  #writer: EngineThread;
  #readers: ReaderPool;
  #opened: { readonly identity: string; readonly file: string } | undefined;
  #reopening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #warnedOfPipeline = false;

  constructor(options: EmbeddedEngineOptions) {
    this.#options = options;
    this.#path = indexPath(options.directory);
    this.#writer = writerOf(this.#path);
    this.#readers = readersOf(this.#path);
  }

  version(): Promise<string> {
    return Promise.resolve(`embedded-${this.#options.version}`);
  }

  async prepare(signal: AbortSignal): Promise<{ identity: string }> {
    throwIfCancelled(signal);
    return Promise.resolve({ identity: this.#open() });
  }

  /** Threads that hold a file which was removed or replaced meanwhile are let go; the next call opens the new one. */
  async identity(signal: AbortSignal): Promise<string> {
    throwIfCancelled(signal);
    if (this.#opened !== undefined && this.#opened.file !== fileAt(this.#path)) this.#reopening ??= this.#letGo();
    await this.#reopening;
    return this.#open();
  }

  async write(operations: readonly WriteOperation[], signal: AbortSignal): Promise<readonly WriteOutcome[]> {
    throwIfCancelled(signal);
    if (this.#reopening !== undefined) await this.#reopening;
    const fault = this.#openFault();
    if (fault !== undefined) return operations.map(({ id }) => unavailable(id, fault));
    const messages = operations.map((operation) => this.#toMessage(operation));
    const sent = messages.filter((message): message is OperationMessage => !('ok' in message));
    const answers = (await abortable(signal, () => this.#send(sent))).values();
    return messages.map((message) => {
      if ('ok' in message) return message;
      return answers.next().value ?? unavailable(message.id, 'The index gave no answer for this document.');
    });
  }

  async get(index: string, id: string, signal: AbortSignal): Promise<StoredDocument | undefined> {
    return this.#read('get', { index, id }, signal);
  }

  async search({ index, body }: SearchRequest, signal: AbortSignal): Promise<SearchResponse> {
    return this.#read('search', { index, body }, signal);
  }

  async count(
    index: string,
    query: Readonly<Record<string, unknown>> | undefined,
    signal: AbortSignal,
  ): Promise<number> {
    return this.#read('count', { index, query }, signal);
  }

  async *scan(
    index: string,
    signal: AbortSignal,
    fields?: readonly string[],
  ): AsyncGenerator<readonly StoredDocument[]> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const page: Calls['scan']['response'] = await this.#read('scan', { index, after, fields }, signal);
      const documents = 'documents' in page ? page.documents : documentsOf(index, page);
      if (documents.length > 0) yield documents;
      after = page.next;
    }
  }

  async indices(signal: AbortSignal): Promise<readonly IndexSummary[]> {
    return this.#read('indices', undefined, signal);
  }

  async mapping(index: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    return this.#read('mapping', { index }, signal);
  }

  urlOf(index: string, id: string): string {
    return documentUrl(this.#options.baseUrl() ?? DEFAULT_BASE_URL, index, id);
  }

  /** The readers first: the log can only be emptied when nobody reads from it. */
  close(): Promise<void> {
    this.#closing ??= Promise.resolve(this.#reopening).then(() => this.#closeThreads());
    return this.#closing;
  }

  async #closeThreads(): Promise<void> {
    await this.#readers.close();
    await this.#writer.close();
  }

  /** Before a new file is opened: SQLite removes the log by its name when the last connection to the old one closes. */
  async #letGo(): Promise<void> {
    await this.#closeThreads();
    this.#writer = writerOf(this.#path);
    this.#readers = readersOf(this.#path);
    this.#opened = undefined;
    this.#reopening = undefined;
  }

  #open(): string {
    if (this.#closing !== undefined) throw new CrawlerError('unavailable', `The index [${this.#path}] is closed.`);
    this.#opened ??= {
      ...prepareIndexFile(this.#path, this.#options.logger),
      file: fileAt(this.#path),
    };
    return this.#opened.identity;
  }

  async #read<Name extends CallName>(
    name: Name,
    request: Calls[Name]['request'],
    signal: AbortSignal,
  ): Promise<Calls[Name]['response']> {
    // No pause otherwise: a call that was made before `close` must reach its thread before the close does.
    if (this.#reopening !== undefined) await this.#reopening;
    this.#open();
    return abortable(signal, () => this.#readers.call(name, request));
  }

  /** Why the file cannot be opened at the moment: an outcome of each operation. Throws when the engine is closed. */
  #openFault(): string | undefined {
    try {
      this.#open();
      return undefined;
    } catch (error) {
      if (this.#closing !== undefined) throw error;
      return messageOf(error);
    }
  }

  /** A lost thread is an outcome of each operation, so that the caller sends them again. */
  async #send(operations: readonly OperationMessage[]): Promise<readonly WriteOutcome[]> {
    if (operations.length === 0) return [];
    try {
      return await this.#writer.call('write', operations);
    } catch (error) {
      return operations.map(({ id }) => unavailable(id, messageOf(error)));
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
    this.#options.logger.warn(`The embedded index has no ingest pipelines: [${pipeline}] is passed over.`);
  }
}

function writerOf(path: string): EngineThread {
  return new EngineThread(entryPoint('index-writer'), { path });
}

function readersOf(path: string): ReaderPool {
  return new ReaderPool(Array.from({ length: READERS }, () => new EngineThread(entryPoint('index-reader'), { path })));
}

/** Another file at the same path is another one of these. */
function fileAt(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.dev}:${stats.ino}`;
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

function unavailable(id: string | undefined, message: string): WriteOutcome {
  return { ok: false, id, code: 'unavailable', message };
}

/** The answer, or `cancelled` as soon as the signal is aborted; the thread finishes for itself. */
async function abortable<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  throwIfCancelled(signal);
  const answer = call();
  return new Promise<T>((resolve, reject) => {
    const cancel = (): void => {
      reject(new CrawlerError('cancelled', 'The work was cancelled.', { cause: signal.reason }));
    };
    signal.addEventListener('abort', cancel, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}
