import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Catalog, FileRecord, FolderState } from '../../state/catalog.js';

/**
 * Gathers catalog changes and writes them in few transactions, in the order in which they were made: a folder is never
 * complete on disk before the records of its files are.
 */
type Change =
  | { readonly kind: 'file'; readonly record: FileRecord }
  | { readonly kind: 'forget'; readonly folderId: number; readonly name: string }
  | { readonly kind: 'reconsider'; readonly folderId: number }
  | { readonly kind: 'keep'; readonly folderId: number; readonly withSubfolders: boolean }
  | { readonly kind: 'complete'; readonly folderId: number; readonly state: FolderState }
  | { readonly kind: 'folder_document'; readonly folderId: number; readonly documentMs: number };

const MAX_CHANGES = 500;
const MAX_DELAY_MS = 50;

export class CatalogWriter {
  readonly #catalog: Pick<Catalog, 'frontier' | 'records' | 'batch'>;
  readonly #onError: (error: unknown) => void;
  #changes: Change[] = [];
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> | undefined;
  #isClosed = false;

  /** @param onError called when a delayed write fails (full disk): the scan has to end, and what is not recorded is done again */
  constructor(catalog: Pick<Catalog, 'frontier' | 'records' | 'batch'>, onError: (error: unknown) => void) {
    this.#catalog = catalog;
    this.#onError = onError;
  }

  add(change: Change): void {
    if (this.#isClosed) return;
    this.#changes.push(change);
    if (this.#changes.length >= MAX_CHANGES) this.#tryFlush();
    else this.#timer ??= setTimeout(() => this.#tryFlush(), MAX_DELAY_MS);
  }

  #tryFlush(): void {
    try {
      this.flush();
    } catch (error) {
      this.#onError(error);
    }
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#changes.length === 0) return;
    const changes = this.#changes;
    this.#changes = [];
    try {
      this.#catalog.batch(() => {
        for (const change of changes) this.#apply(change);
      });
    } catch (error) {
      // Later ones must not be written without these: a folder would count as done whose files are not recorded.
      this.#changes = [...changes, ...this.#changes];
      throw error;
    }
  }

  /** Resolves when all that was added is in the catalog, in one transaction with what others add before the loop's next turn. */
  saved(): Promise<void> {
    this.#saving ??= nextTurn().then(() => {
      this.#saving = undefined;
      this.flush();
    });
    return this.#saving;
  }

  /** The scan has ended: what is added from now on, by what was still under way, is no longer written. */
  close(): void {
    this.#isClosed = true;
    this.#changes = [];
    clearTimeout(this.#timer);
  }

  #apply(change: Change): void {
    switch (change.kind) {
      case 'file':
        return this.#catalog.records.saveFiles([change.record]);
      case 'forget':
        return this.#catalog.records.forgetFile(change.folderId, change.name);
      case 'reconsider':
        return this.#catalog.records.reconsiderFolder(change.folderId);
      case 'keep':
        this.#catalog.frontier.keepFolder(change.folderId);
        if (change.withSubfolders) this.#catalog.frontier.keepSubfolders(change.folderId);
        return;
      case 'complete':
        return this.#catalog.frontier.completeFolder(change.folderId, change.state);
      case 'folder_document':
        return this.#catalog.records.saveFolderDocument(change.folderId, change.documentMs);
    }
  }
}
