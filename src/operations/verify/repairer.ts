import { CrawlerError } from '../../base/errors.js';
import { baseName, parentPath } from '../../base/path.js';
import type { ScanRules } from '../../crawler/scan/scan-rules.js';
import type { SearchEngine, WriteOperation } from '../../engine/engine.js';
import type { Catalog, FileRecord } from '../../state/catalog.js';
import type { Finding } from './findings.js';

/**
 * Prepares the catalog so that the next scan repairs what was found: nothing is indexed here. Documents of files that are
 * gone take the way of every deletion, so that the guard on deletions counts them too. Only what no scan could know of is
 * deleted at once: documents whose ids do not follow from a path, of folders, and of files that a rule leaves out.
 */
export interface RepairerDeps {
  /** Open for writing. */
  readonly catalog: Pick<Catalog, 'frontier' | 'records' | 'deletions' | 'batch'>;
  readonly engine: SearchEngine;
  readonly rules: ScanRules;
  readonly signal: AbortSignal;
}

const BATCH = 500;

export class Repairer {
  readonly #deps: RepairerDeps;
  #findings: Finding[] = [];
  #deletions: WriteOperation[] = [];

  constructor(deps: RepairerDeps) {
    this.#deps = deps;
  }

  add(finding: Finding): void {
    this.#findings.push(finding);
  }

  /** Works off what has gathered, once it is worth it. */
  async settle(atLeast = BATCH): Promise<void> {
    if (this.#findings.length >= atLeast) this.#mark();
    if (this.#deletions.length < atLeast) return;
    const deletions = this.#deletions;
    this.#deletions = [];
    const outcomes = await this.#deps.engine.write(deletions, this.#deps.signal);
    const refused = outcomes.find((outcome) => !outcome.ok && outcome.code !== 'not_found');
    if (refused?.ok === false)
      throw new CrawlerError('unavailable', `A document could not be removed: ${refused.message}`);
  }

  async finish(): Promise<void> {
    await this.settle(1);
  }

  #mark(): void {
    const findings = this.#findings;
    this.#findings = [];
    this.#deps.catalog.batch(() => {
      for (const finding of findings) this.#markOne(finding);
    });
  }

  #markOne(finding: Finding): void {
    const { catalog } = this.#deps;
    if (finding.what === 'folder') return this.#markFolder(finding);
    if (finding.kind === 'orphan' || finding.kind === 'unwanted') return this.#markStray(finding);
    if (finding.place === undefined || finding.overlooked !== true) return;
    const { folderId, name } = finding.place;
    catalog.records.reconsiderFile(folderId, name);
  }

  #markFolder({ kind, place, id }: Finding): void {
    const { catalog, rules } = this.#deps;
    if (kind === 'missing' && place !== undefined) catalog.records.reconsiderFolderDocument(place.folderId);
    else if (id !== undefined && rules.folderIndex !== undefined) this.#delete(rules.folderIndex, id);
  }

  #markStray({ kind, path, id }: Finding): void {
    // Without an id it is the catalog that knows of it: the next scan removes it.
    if (id === undefined) return;
    const { rules } = this.#deps;
    const folder = parentPath(path) ?? '';
    const derivable = id === rules.documentId(folder, baseName(path));
    if (kind === 'orphan' && derivable && rules.removeDeleted) this.#markGone(folder, baseName(path));
    else this.#delete(rules.index, id);
  }

  /**
   * A record that is gone from its beginning: the next scan removes the document. It looks at the folder before: the file may
   * have come back since, and a running crawler may have indexed it.
   */
  #markGone(folder: string, name: string): void {
    const { catalog } = this.#deps;
    const known = catalog.records.folderByPath(folder);
    const folderId = known?.id ?? this.#addGoneFolder(folder);
    catalog.records.saveFiles([goneRecord(folderId, name)]);
    catalog.records.reconsiderFolder(folderId);
  }

  #addGoneFolder(path: string): number {
    const { catalog } = this.#deps;
    const id = catalog.frontier.addSubfolders(0, [path])[0]?.id ?? 0;
    catalog.deletions.markFolderGone(id);
    return id;
  }

  #delete(index: string, id: string): void {
    this.#deletions.push({ kind: 'delete', index, id });
  }
}

function goneRecord(folderId: number, name: string): FileRecord {
  return {
    folderId,
    name,
    size: -1,
    modifiedMs: 0,
    changedMs: 0,
    createdMs: 0,
    inode: 0,
    version: '',
    state: 'gone',
    reason: undefined,
    message: undefined,
    rules: 0,
    tries: 0,
    atMs: 0,
    retryMs: 0,
  };
}
