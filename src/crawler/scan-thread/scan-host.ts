import { CrawlerError, messageOf, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import type { SearchEngine, StoredDocument, WriteOperation, WriteOutcome } from '../../engine/engine.js';
import type { BulkWriter } from '../../ingest/bulk-writer.js';
import type { Ingester } from '../../ingest/ingest.js';
import { moveDocument } from '../../ingest/move-document.js';
import type { Entry } from '../../model/entry.js';
import type { Problem } from '../../model/reason.js';
import { contentOf } from '../../source/content.js';
import type { TreeSource } from '../../source/source.js';
import type { FileOutcome, FileRequest, IndexedFile, MoveRequest, ScanProgress } from '../scan/scan-port.js';
import type { ScanThreadHost } from './scan-thread.js';

/** What became of one document of a crawl. */
export interface DocumentEvent {
  readonly state: 'indexed' | 'moved' | 'skipped' | 'failed' | 'removed';
  /** Its id in the index; undefined where it has none. */
  readonly id: string | undefined;
  /** Its file, as the source names it; undefined for one that was removed. */
  readonly path: string | undefined;
  /** Why it is not indexed, or indexed without all of its text. */
  readonly problem: Problem | undefined;
}

export interface ScanHostDeps {
  readonly source: TreeSource;
  readonly ingester: Ingester;
  readonly engine: SearchEngine;
  readonly writer: BulkWriter;
  readonly index: string;
  readonly logger: Logger;
  readonly documentLog: Logger;
  /** A text that was extracted where it was listed. */
  readonly onSmallText?: (entry: Entry, elapsedMs: number) => void;
  onProgress(progress: ScanProgress): void;
  readonly onDocument?: (event: DocumentEvent) => void;
  onChangesDue(): void;
  onWatchEnded(message: string): void;
}

/** What scans ask of the main thread, where ingester and engine are. */
export class ScanHost implements ScanThreadHost {
  readonly #deps: ScanHostDeps;
  readonly #signal: AbortSignal;
  readonly #queueSignal: AbortSignal;
  #indexPages: AsyncIterator<readonly StoredDocument[]> | undefined;

  /**
   * @param signal gives up every document
   * @param queueSignal gives up documents whose extraction has not begun, and whatever waits
   */
  constructor(deps: ScanHostDeps, signal: AbortSignal, queueSignal = signal) {
    this.#deps = deps;
    this.#signal = signal;
    this.#queueSignal = queueSignal;
  }

  async ingest(request: FileRequest): Promise<FileOutcome> {
    const { source, ingester } = this.#deps;
    const { entry, place, folderMetadata, attributes, extracted } = request;
    const queueSignal = this.#queueSignal;
    if (extracted !== undefined) this.#deps.onSmallText?.(entry, extracted.elapsedMs);
    try {
      throwIfCancelled(queueSignal);
      const outcome = await ingester.ingest(
        {
          entry,
          content: contentOf(source, entry),
          place,
          origin: 'crawl',
          queueSignal,
          ...(attributes === undefined ? {} : { attributes }),
          ...(folderMetadata === undefined ? {} : { folderMetadata }),
          ...(extracted === undefined ? {} : { extracted }),
        },
        this.#signal,
      );
      const id = outcome.status === 'skipped' ? undefined : outcome.id;
      this.#tell({ state: outcome.status, id, path: entry.path, problem: outcome.problem });
      if (outcome.status === 'indexed') return { status: 'indexed', problem: outcome.problem };
      return { status: outcome.status, problem: outcome.problem };
    } catch (error) {
      return failure(error);
    }
  }

  async move(request: MoveRequest): Promise<FileOutcome> {
    const { engine, writer, index, documentLog } = this.#deps;
    const { entry, place, fromId, toId } = request;
    const outcome = await moveDocument(engine, writer, { index, fromId, toId, entry, place }, this.#signal);
    if (outcome.status === 'missing') return { status: 'missing' };
    if (outcome.status === 'failed') return { status: 'failed', problem: outcome };
    this.#tell({ state: 'moved', id: toId, path: entry.path, problem: undefined });
    documentLog.debug(`[${toId}][${place.virtual}] Moved from [${fromId}]`);
    return { status: 'indexed', problem: undefined };
  }

  async write(operations: readonly WriteOperation[]): Promise<readonly WriteOutcome[]> {
    const written = Promise.all(operations.map((operation) => this.#deps.writer.write(operation)));
    if (operations.some(({ kind }) => kind === 'delete')) this.#deps.writer.sendHeld();
    const outcomes = await written;
    operations.forEach(({ kind, id, index }, at) => {
      if (kind !== 'delete' || index !== this.#deps.index || outcomes[at]?.ok !== true) return;
      this.#tell({ state: 'removed', id, path: undefined, problem: undefined });
    });
    return outcomes;
  }

  flush(): void {
    this.#deps.writer.sendHeld();
  }

  async indexPage(which: 'first' | 'next'): Promise<readonly IndexedFile[] | undefined> {
    const { engine, index } = this.#deps;
    if (which === 'first') {
      await this.#indexPages?.return?.().catch(() => undefined);
      this.#indexPages = engine.scan(index, this.#queueSignal, PLACE_FIELDS)[Symbol.asyncIterator]();
    }
    const page = await this.#indexPages?.next().catch((error: unknown) => {
      // No such index yet: a first run.
      if (error instanceof CrawlerError && error.code === 'not_found') return { done: true as const, value: undefined };
      throw error;
    });
    return page === undefined || page.done === true ? undefined : page.value.flatMap(placeOf);
  }

  logDocument(level: 'error' | 'info' | 'debug', line: string): void {
    this.#deps.documentLog[level](line);
  }

  log(level: 'warn' | 'info' | 'debug', message: string): void {
    this.#deps.logger[level](message);
  }

  progress(progress: ScanProgress): void {
    this.#deps.onProgress(progress);
  }

  changesDue(): void {
    this.#deps.onChangesDue();
  }

  watchEnded(message: string): void {
    this.#deps.onWatchEnded(message);
  }

  /** What a listener throws is not the crawl's. */
  #tell(event: DocumentEvent): void {
    const { onDocument } = this.#deps;
    if (onDocument !== undefined) queueMicrotask(() => onDocument(event));
  }
}

function failure(error: unknown): FileOutcome {
  if (error instanceof CrawlerError && error.code === 'not_found') {
    return { status: 'failed', problem: { reason: 'vanished', message: error.message } };
  }
  if (error instanceof CrawlerError && error.code === 'cancelled') return { status: 'dropped' };
  return { status: 'failed', problem: { reason: 'internal', message: messageOf(error) } };
}

/** What `placeOf` reads: texts of documents need not travel for it. */
const PLACE_FIELDS = ['file.filesize', 'file.last_modified', 'path.real', 'path.root'];

/** Path, size and date of a document as the crawler wrote it; others (uploads, json bodies) say nothing about a place. */
function placeOf({ id, source }: StoredDocument): IndexedFile[] {
  const file = source['file'] as Readonly<Record<string, unknown>> | undefined;
  const path = source['path'] as Readonly<Record<string, unknown>> | undefined;
  const real = path?.['real'];
  if (typeof real !== 'string' || typeof path?.['root'] !== 'string') return [];
  const size = file?.['filesize'];
  const modified = file?.['last_modified'];
  return [
    {
      id,
      real,
      size: typeof size === 'number' ? size : undefined,
      modifiedMs: typeof modified === 'string' ? Date.parse(modified) : undefined,
    },
  ];
}
