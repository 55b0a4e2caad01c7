import { createHash } from 'node:crypto';
import { sign } from '../../base/digest.js';
import { idSource, normaliseRoot, virtualPath } from '../../base/path.js';
import type { DocumentRules, MetadataFile } from '../../ingest/document-rules.js';
import type { DeleteGuard } from '../../settings/setting-types.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { Selection } from './selection.js';

/** Everything about a job that a scan has to know, compiled once. */
export class ScanRules {
  readonly job: string;
  readonly root: string;
  readonly selection: Selection;
  readonly index: string;
  readonly folderIndex: string | undefined;
  readonly removeDeleted: boolean;
  readonly deleteGuard: DeleteGuard;
  readonly withAttributes: boolean;
  readonly withAcl: boolean;
  /** Files of the same name share a document (fs.filename_as_id). */
  readonly sharesIds: boolean;
  /** Documents of json and xml jobs say nothing about their place, and a shared one may be another file's: they cannot be moved, only indexed again. */
  readonly movable: boolean;
  readonly #documents: DocumentRules;
  readonly #extractorVersion: string;
  readonly #algorithm: string;
  /** Of nearly every folder. To make them anew for each took a tenth of the time of an unchanged tree. */
  readonly #usual: { readonly fingerprint: number; readonly seed: string };

  constructor(settings: JobSettings, documents: DocumentRules, extractorVersion: string) {
    const { fs, engine, tags } = settings;
    this.job = settings.name;
    this.root = normaliseRoot(fs.url);
    this.index = engine.index;
    this.folderIndex = fs.indexFolders ? engine.indexFolder : undefined;
    this.removeDeleted = fs.removeDeleted;
    this.deleteGuard = fs.deleteGuard;
    this.withAttributes = fs.attributesSupport;
    this.withAcl = fs.attributesSupport && fs.aclSupport;
    this.sharesIds = fs.filenameAsId;
    this.movable = documents.structured === undefined && !fs.filenameAsId;
    this.selection = new Selection({
      includes: fs.includes,
      excludes: fs.excludes,
      ignoreAboveBytes: fs.ignoreAboveBytes,
      metaFilename: tags.metaFilename,
    });
    this.#documents = documents;
    this.#extractorVersion = extractorVersion;
    this.#algorithm = fs.hashAlgorithm;
    const fingerprint = documents.fingerprint(extractorVersion, undefined);
    this.#usual = { fingerprint, seed: this.#seedOf(fingerprint) };
  }

  virtualPath(path: string): string {
    return virtualPath(this.root, path);
  }

  documentId(folder: string, name: string): string {
    return this.#documents.idOf(idSource(folder, name), name);
  }

  folderId(path: string): string {
    return sign(this.#algorithm, path);
  }

  /** Hash of what shapes the documents of a folder, besides the files. */
  fingerprint(folderMetadata: MetadataFile | undefined): number {
    if (folderMetadata === undefined) return this.#usual.fingerprint;
    return this.#documents.fingerprint(this.#extractorVersion, folderMetadata);
  }

  /** Hash of all that decides what becomes of a listing: the seed of its digest. */
  listingSeed(fingerprint: number): string {
    return fingerprint === this.#usual.fingerprint ? this.#usual.seed : this.#seedOf(fingerprint);
  }

  #seedOf(fingerprint: number): string {
    const text = `${this.selection.fingerprint} ${fingerprint} ${this.folderIndex ?? ''}`;
    return createHash('sha256').update(text).digest('base64url').slice(0, 12);
  }
}
