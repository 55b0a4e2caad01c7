import type { WriteOperation, WriteOutcome } from '../../src/engine/engine.js';
import type {
  FileOutcome,
  FileRequest,
  IndexedFile,
  MoveRequest,
  ScanPort,
  ScanProgress,
} from '../../src/crawler/scan/scan-port.js';

/** The outside of a scan in memory: an index of documents by id, and a journal of everything that was asked for. */
export class MemoryScanPort implements ScanPort {
  readonly indices = new Map<string, Map<string, { path: string; metadata: string | undefined }>>();
  /** Paths that were really extracted, in order. */
  readonly extracted: string[] = [];
  /** What was told of who owns a file, by its path. */
  readonly attributes = new Map<string, FileRequest['attributes']>();
  readonly moves: { from: string; to: string }[] = [];
  readonly warnings: string[] = [];
  readonly documentLines: string[] = [];
  lastProgress: ScanProgress | undefined;
  /** What becomes of a file, by its path; undefined means that it is indexed. */
  verdict: (path: string) => FileOutcome | undefined = () => undefined;
  /** Resolves before a file is answered: lets a test hold files under way. */
  barrier: (path: string) => Promise<void> = () => Promise.resolve();
  down = false;
  /** Off: folder documents and deletions find no engine, files do. */
  writes = true;
  readonly #documentId: (path: string) => string;
  #pages: IndexedFile[][] = [];

  constructor(documentId: (path: string) => string) {
    this.#documentId = documentId;
  }

  paths(index: string): string[] {
    return [...(this.indices.get(index)?.values() ?? [])].map(({ path }) => path).sort();
  }

  offerPages(pages: IndexedFile[][]): void {
    this.#pages = pages;
  }

  async ingest(request: FileRequest): Promise<FileOutcome> {
    await this.barrier(request.entry.path);
    if (this.down) return { status: 'failed', problem: { reason: 'unavailable', message: 'The engine is away.' } };
    this.extracted.push(request.entry.path);
    this.attributes.set(request.entry.path, request.attributes);
    const verdict = this.verdict(request.entry.path);
    if (verdict !== undefined && verdict.status !== 'indexed') return verdict;
    this.#put('docs', this.#documentId(request.entry.path), request.entry.path, request.folderMetadata?.text);
    return verdict ?? { status: 'indexed', problem: undefined };
  }

  move(request: MoveRequest): Promise<FileOutcome> {
    const index = this.indices.get('docs');
    const found = index?.get(request.fromId);
    if (found === undefined) return Promise.resolve({ status: 'missing' });
    this.moves.push({ from: found.path, to: request.entry.path });
    index?.delete(request.fromId);
    this.#put('docs', request.toId, request.entry.path, found.metadata);
    return Promise.resolve({ status: 'indexed', problem: undefined });
  }

  write(operations: readonly WriteOperation[]): Promise<readonly WriteOutcome[]> {
    return Promise.resolve(operations.map((operation) => this.#apply(operation)));
  }

  flush(): void {
    // Nothing is held back.
  }

  indexPage(): Promise<readonly IndexedFile[] | undefined> {
    return Promise.resolve(this.#pages.shift());
  }

  logDocument(_level: string, line: string): void {
    this.documentLines.push(line);
  }

  log(level: string, message: string): void {
    if (level === 'warn') this.warnings.push(message);
  }

  progress(progress: ScanProgress): void {
    this.lastProgress = progress;
  }

  #apply(operation: WriteOperation): WriteOutcome {
    const id = operation.id ?? '';
    if (this.down || !this.writes) return { ok: false, id, code: 'unavailable', message: 'The engine is away.' };
    if (operation.kind === 'delete') {
      const found = this.indices.get(operation.index)?.delete(id) ?? false;
      return found ? { ok: true, id } : { ok: false, id, code: 'not_found', message: 'not there' };
    }
    const path = (operation.document['path'] as { real: string }).real;
    this.#put(operation.index, id, path, undefined);
    return { ok: true, id };
  }

  #put(index: string, id: string, path: string, metadata: string | undefined): void {
    const documents = this.indices.get(index) ?? new Map<string, { path: string; metadata: string | undefined }>();
    documents.set(id, { path, metadata });
    this.indices.set(index, documents);
  }
}
