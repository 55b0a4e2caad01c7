import type { Clock } from '../../base/clock.js';
import { baseName, joinPath, parentPath } from '../../base/path.js';
import type { SearchEngine } from '../../engine/engine.js';
import type { FolderRecord, LocatedName } from '../../state/catalog.js';
import { selectPath } from '../job/path-selection.js';
import type { Inspection, ReadableCatalog } from '../job/tree-walk.js';
import { ContentCheck, type ContentCheckDeps } from './content-check.js';
import type { Finding, FindingKind, Verification } from './findings.js';
import { IdDigest } from './id-digest.js';
import { absentIds, documentsBelow, type IndexedDocument } from './index-check.js';
import { TreeCheck } from './tree-check.js';

export interface VerifyDeps extends Inspection {
  readonly catalog: ReadableCatalog;
  readonly engine: SearchEngine;
  readonly clock: Clock;
  /** A crawler is running on the job at this moment. */
  readonly live: boolean;
  /** Deletions are held until a person approves them. */
  readonly holdsDeletions: boolean;
  /** Documents of json and xml jobs say nothing about their place: only missing ones can be found. */
  readonly placeless: boolean;
  /** Also compares what the engine makes from each document. */
  readonly deep: boolean;
  /** Compares contents too; absent without --deep, and where the documents hold none. */
  readonly content: Pick<ContentCheckDeps, 'by' | 'expect' | 'concurrency'> | undefined;
  readonly onFinding: (finding: Finding) => void;
  /** Called between pages: whoever collects findings can work them off. */
  readonly settle: () => Promise<void>;
  /** Files of the tree and documents of the index seen so far. */
  readonly onProgress: (files: number, documents: number) => void;
}

const PAGE = 500;
/** Documents that are asked for one by one. */
const MOST_ASKED = 1000;
/** What is under way on a live job has come to its end by then: the writes of a bulk, and what the catalog notes of them. */
const SECOND_LOOK_MS = 1500;

/**
 * Compares tree, catalog and index.
 *
 * Three readings run side by side: the walk over tree and catalog, the scan over the index, and the engine's own check of
 * what it keeps in the job's folder. Of the ids on both sides only digests are kept (id-digest.ts), so memory does not grow with either. When the digests agree, catalog and index
 * hold the same documents. Where they do not, and only there, each document is asked for by its id.
 *
 * Nothing stands still meanwhile on a live job. So whatever seems to differ between catalog and index is looked at
 * again, one by one, after a moment: only what then differs still, with the same record as before, is a difference.
 */
export class Verify {
  readonly #deps: VerifyDeps;
  readonly #differences: Partial<Record<FindingKind, number>> = {};
  readonly #pending: Partial<Record<FindingKind, number>> = {};
  readonly #expected = new IdDigest();
  readonly #found = new IdDigest();
  readonly #expectedFolders = new IdDigest();
  readonly #foundFolders = new IdDigest();
  readonly #tree: TreeCheck;
  readonly #content: ContentCheck | undefined;
  readonly #failed = new AbortController();
  /** Documents that the engine has checked so far, when it does. */
  #checked = Infinity;
  #asked = 0;

  constructor(given: VerifyDeps) {
    const deps = { ...given, signal: AbortSignal.any([given.signal, this.#failed.signal]) };
    this.#deps = deps;
    const { rules, live, clock } = deps;
    const content =
      deps.content === undefined
        ? undefined
        : new ContentCheck({ ...deps, ...deps.content }, (path, detail) =>
            this.#report({ ...difference('content', path), detail, ...this.#placeOf(path) }),
          );
    this.#content = content;
    this.#tree = new TreeCheck(
      deps,
      { live, keepsDeleted: !rules.removeDeleted, holdsDeletions: deps.holdsDeletions, nowMs: clock.now() },
      {
        finding: (finding) => this.#report(finding),
        indexed: (folder, name) => this.#expected.add(rules.documentId(folder, name)),
        settle: deps.settle,
        unchanged: content === undefined ? undefined : (entry, metadata) => content.take(entry, metadata),
      },
    );
  }

  async run(): Promise<Verification> {
    const { catalog } = this.#deps;
    await this.#readAll();
    await this.#content?.finish();
    if (!this.#expected.equals(this.#found)) await this.#compareFiles();
    if (!this.#expectedFolders.equals(this.#foundFolders)) await this.#compareFolders();
    const { selected, bytes, indexed, folders, closedFolders } = this.#tree;
    return {
      counts: {
        selected,
        bytes,
        indexed,
        documents: this.#found.size,
        folders,
        folderDocuments: this.#foundFolders.size,
      },
      differences: this.#differences,
      pending: this.#pending,
      reasons: catalog.reports.totals().reasons,
      held: this.#tree.held,
      closedFolders,
      deep: this.#content?.counts,
    };
  }

  /** What a damaged index is found to hold says nothing. The first failure is the answer, once no reading is under way. */
  async #readAll(): Promise<void> {
    const readings = [this.#checkIndex(), this.#readTree(), this.#readIndex()];
    try {
      await Promise.all(readings);
    } catch (error) {
      this.#failed.abort();
      await Promise.allSettled(readings);
      throw error;
    }
  }

  async #checkIndex(): Promise<void> {
    const { engine, deep, signal } = this.#deps;
    if (engine.check === undefined) return;
    const onProgress = (documents: number): void => {
      this.#checked = documents;
      this.#progress();
    };
    onProgress(0);
    await engine.check({ deep, signal, onProgress });
    this.#checked = Infinity;
  }

  #progress(): void {
    this.#deps.onProgress(this.#tree.selected, Math.min(this.#checked, this.#found.size));
  }

  async #readTree(): Promise<void> {
    await this.#tree.run();
    const { rules } = this.#deps;
    if (rules.folderIndex === undefined) return;
    for (const folder of this.#folders())
      if (folder.documentMs !== 0) this.#expectedFolders.add(rules.folderId(folder.path));
  }

  async #readIndex(): Promise<void> {
    const { rules, placeless } = this.#deps;
    if (!placeless) await this.#readDocuments(rules.index, this.#found);
    if (rules.folderIndex !== undefined) await this.#readDocuments(rules.folderIndex, this.#foundFolders);
  }

  async #readDocuments(index: string, digest: IdDigest): Promise<void> {
    const { engine, rules, signal } = this.#deps;
    for await (const page of documentsBelow(engine, index, rules.root, signal)) {
      for (const { id } of page) digest.add(id);
      this.#progress();
    }
  }

  async #compareFiles(): Promise<void> {
    const isSuspect = this.#expected.differences(this.#found);
    const { rules, catalog, placeless } = this.#deps;
    let after: LocatedName | undefined;
    let suspects: LocatedName[] = [];
    for (;;) {
      const page = catalog.reports.indexedFiles(after, PAGE);
      for (const file of page)
        if (placeless || isSuspect(rules.documentId(file.folderPath, file.name))) suspects.push(file);
      after = page.at(-1);
      if (suspects.length >= PAGE || after === undefined) {
        await this.#reportMissing(suspects);
        suspects = [];
      }
      if (after === undefined) break;
    }
    if (placeless) return;
    for await (const page of documentsBelow(this.#deps.engine, rules.index, rules.root, this.#deps.signal))
      await this.#reportStray(page.filter(({ id }) => isSuspect(id)));
  }

  async #reportMissing(files: readonly LocatedName[]): Promise<void> {
    const { rules, engine, signal, catalog } = this.#deps;
    const ids = new Map(files.map((file) => [rules.documentId(file.folderPath, file.name), file]));
    const first = await absentIds(engine, rules.index, [...ids.keys()], signal);
    if (first.size === 0) return;
    await this.#secondCheck();
    for (const id of await absentIds(engine, rules.index, [...first], signal)) {
      const file = ids.get(id);
      if (file === undefined || catalog.records.fileByPath(file.folderPath, file.name)?.state !== 'indexed') continue;
      if ((await this.#holds(rules.index, id)) === true) continue;
      const { folderId, name } = file;
      const path = joinPath(file.folderPath, name);
      this.#report({ ...difference('missing', path), id, place: { folderId, name }, overlooked: true });
    }
    await this.#deps.settle();
  }

  /**
   * A search of a cluster may be a second or more behind; reading a document by its id never is. Undefined once enough of
   * them were asked for one by one: then so much differs that it cannot be for that.
   */
  async #holds(index: string, id: string): Promise<boolean | undefined> {
    const { engine, signal } = this.#deps;
    if (this.#asked >= MOST_ASKED) return undefined;
    this.#asked += 1;
    return (await engine.get(index, id, signal)) !== undefined;
  }

  /** Documents that no record accounts for. */
  async #reportStray(documents: readonly IndexedDocument[]): Promise<void> {
    const { rules, engine, signal } = this.#deps;
    const strays = documents.filter((document) => this.#isStray(document));
    if (strays.length === 0) return;
    await this.#secondCheck();
    const absent = await absentIds(
      engine,
      rules.index,
      strays.map(({ id }) => id),
      signal,
    );
    for (const document of strays)
      if (
        !absent.has(document.id) &&
        this.#isStray(document) &&
        (await this.#holds(rules.index, document.id)) !== false
      )
        await this.#judgeStray(document);
    await this.#deps.settle();
  }

  #isStray({ id, folder, name }: IndexedDocument): boolean {
    const { rules, catalog } = this.#deps;
    if (id !== rules.documentId(folder, name)) return true;
    const record = catalog.records.fileByPath(folder, name);
    return record === undefined || (record.state === 'skipped' && rules.removeDeleted);
  }

  async #judgeStray({ id, real, folder, name }: IndexedDocument): Promise<void> {
    const { rules, catalog } = this.#deps;
    const result = await selectPath(this.#deps, real);
    // The tree's own comparison has reported it.
    if (result.kind === 'selected' && catalog.records.fileByPath(folder, name) === undefined) return;
    // It is not known, or files that are gone stay on purpose.
    if (result.kind === 'unreadable' || (result.kind === 'absent' && !rules.removeDeleted)) return;
    const derivable = id === rules.documentId(folder, name);
    const detail = derivable ? {} : { detail: 'its id does not follow from its path' };
    const kind = result.kind === 'absent' || !derivable ? 'orphan' : 'unwanted';
    const reason = result.kind === 'left_out' ? { reason: result.reason } : {};
    this.#report({ ...difference(kind, real), id, overlooked: true, ...reason, ...detail });
  }

  async #compareFolders(): Promise<void> {
    const { rules, engine, signal, catalog } = this.#deps;
    const index = rules.folderIndex;
    if (index === undefined) return;
    const isSuspect = this.#expectedFolders.differences(this.#foundFolders);
    let suspects: FolderRecord[] = [];
    for (const folder of this.#folders()) {
      if (folder.documentMs !== 0 && isSuspect(rules.folderId(folder.path))) suspects.push(folder);
      if (suspects.length < PAGE) continue;
      await this.#reportMissingFolders(index, suspects);
      suspects = [];
    }
    await this.#reportMissingFolders(index, suspects);
    for await (const page of documentsBelow(engine, index, rules.root, signal)) {
      const strays = page.filter(({ id, real }) => isSuspect(id) && catalog.records.folderByPath(real) === undefined);
      if (strays.length > 0) await this.#secondCheck();
      for (const { id, real } of strays)
        if (catalog.records.folderByPath(real) === undefined && (await this.#holds(index, id)) !== false)
          this.#report({ ...difference('orphan', real), what: 'folder', id, overlooked: true });
      await this.#deps.settle();
    }
  }

  async #reportMissingFolders(index: string, folders: readonly FolderRecord[]): Promise<void> {
    const { rules, engine, signal, catalog } = this.#deps;
    const ids = new Map(folders.map((folder) => [rules.folderId(folder.path), folder]));
    const first = await absentIds(engine, index, [...ids.keys()], signal);
    if (first.size === 0) return;
    await this.#secondCheck();
    for (const id of await absentIds(engine, index, [...first], signal)) {
      const folder = ids.get(id);
      if (folder === undefined || (catalog.records.folderByPath(folder.path)?.documentMs ?? 0) === 0) continue;
      if ((await this.#holds(index, id)) === true) continue;
      const place = { folderId: folder.id, name: '' };
      this.#report({ ...difference('missing', folder.path), what: 'folder', id, place, overlooked: true });
    }
  }

  *#folders(): Generator<FolderRecord> {
    let afterId = 0;
    for (;;) {
      const page = this.#deps.catalog.reports.folders(afterId, PAGE);
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }

  async #secondCheck(): Promise<void> {
    const { live, clock, signal } = this.#deps;
    if (live) await clock.sleep(SECOND_LOOK_MS, signal);
  }

  #placeOf(path: string): Pick<Finding, 'place' | 'overlooked'> {
    const { catalog } = this.#deps;
    const folder = catalog.records.folderByPath(parentPath(path) ?? '');
    return folder === undefined ? {} : { place: { folderId: folder.id, name: baseName(path) }, overlooked: true };
  }

  #report(finding: Finding): void {
    const counts = finding.pending ? this.#pending : this.#differences;
    counts[finding.kind] = (counts[finding.kind] ?? 0) + 1;
    this.#deps.onFinding(finding);
  }
}

function difference(kind: FindingKind, path: string): Finding {
  return { kind, path, what: 'file', pending: false };
}
