import type { Reason } from '../../model/reason.js';
import type { FolderTotals } from '../../state/catalog.js';

/**
 * Where a path stands.
 *
 *   indexed   its document is in the index and is of the file as it is now
 *   waiting   the next scan will index it: it is new, has changed, is queued, or the settings have changed
 *   left_out  a rule leaves it out
 *   failed    it could not be indexed; tried again later
 *   missing   it was indexed, and the index does not hold it any more
 *   gone      it was removed; its document goes with the next scan
 *   absent    there is no such file, and the job knows of none
 *   outside   it is not below the root of the job
 */
export type PathStatus = 'indexed' | 'waiting' | 'left_out' | 'failed' | 'missing' | 'gone' | 'absent' | 'outside';

export interface Explanation {
  readonly path: string;
  readonly what: 'file' | 'folder';
  readonly standing: PathStatus;
  readonly reason?: Reason;
  /** One or two sentences for a person. */
  readonly sentence: string;
  /** The rule that left it out: as it is written, and the path that it hit. */
  readonly rule?: { readonly text: string; readonly at: string };
  readonly id: string;
  /** What the index holds; undefined without a document, or when the engine could not be asked. */
  readonly document?: ExplainedDocument;
  /** What the file is now; undefined when it is not there. */
  readonly file?: ExplainedFile;
  /** What the catalog noted when it last decided about it. */
  readonly record?: ExplainedRecord;
  /** Of a folder: what the catalog knows of everything below it. */
  readonly below?: FolderTotals;
  /** Why the search engine could not be asked. */
  readonly engineFault?: string;
}

export interface ExplainedFile {
  readonly size: number;
  readonly modifiedMs: number | undefined;
}

export interface ExplainedRecord extends ExplainedFile {
  readonly state: string;
  readonly atMs: number;
  readonly tries: number;
  /** 0 when only a change brings another attempt. */
  readonly retryMs: number;
}

export interface ExplainedDocument {
  readonly index: string;
  readonly contentType: string | undefined;
  readonly extractor: string | undefined;
  readonly characters: number;
  readonly truncated: boolean;
}
