import type { JobSettings } from '../settings/job-settings.js';
import type { AddressGuard } from './address-guard.js';
import type { FetchOpener } from './fetch.js';
import type { SourceContext } from './source-context.js';
import type { TreeSource } from './source.js';
import type { TreeWatcher } from './tree-watch.js';

/**
 * A source, described by itself in `<type>/index.ts`: what it can do, and how to open it. Its settings, their defaults and
 * checks are its declaration in settings/declarations/sources. The code behind a description is loaded when it is used.
 */
export interface SourceDescription {
  /** The value of `fs.provider`, and the `type` of a fetch request. */
  readonly type: string;
  /** Opens the tree of a job, without a connection yet. Absent where folders cannot be listed. */
  readonly openTree?: (settings: JobSettings, context: SourceContext) => Promise<TreeSource>;
  /** How single documents are fetched on request. */
  readonly fetch?: FetchDescription;
  /** Reports changes as they happen. Absent where only scans find them. */
  readonly loadWatcher?: () => Promise<TreeWatcher>;
}

export interface FetchDescription {
  /** The members of the request's object, for docs/openapi.yaml. */
  readonly parameters: Readonly<Record<string, FetchParameter>>;
  /** A remark on all of them, in Markdown. */
  readonly about?: string;
  readonly load: (context: FetchContext) => Promise<FetchOpener>;
}

export interface FetchParameter {
  readonly type: 'string' | 'integer';
  readonly required?: true;
  readonly format?: 'uri';
  readonly about?: string;
}

/** What fetches work with. */
export interface FetchContext extends SourceContext {
  readonly settings: JobSettings;
  /** Judges every server but the one of the job. */
  readonly guard: AddressGuard;
  /** Largest document. */
  readonly maxBytes: number;
}
