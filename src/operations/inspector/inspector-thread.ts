import type { Reason } from '../../model/reason.js';
import type { JobSettings } from '../../settings/job-settings.js';
import type { HeldPage, HeldPageRequest } from '../approve/held-page.js';
import type { NamedFiles } from '../explain/named-files.js';
import type { PathAnswer } from '../explain/explain-path.js';
import type { FailurePage, FailurePageRequest } from '../failures/failure-page.js';
import type { Plan } from '../plan/plan.js';
import type { VerifyRecord } from '../verify/verify-record.js';

/** What the thread that inspects a job is started with (app/inspect-thread.ts). */
export interface InspectorThreadData {
  /** `fs.url` is absolute. */
  readonly settings: JobSettings;
  readonly jobDirectory: string;
  /** Where the settings were given that are not the default, by their keys. */
  readonly origins: Readonly<Record<string, string>>;
}

/** Which failures to try again. */
export type RetryRequest = { readonly reason: Reason } | { readonly paths: readonly string[] };

/** What walks a whole tree. There is one of each kind at a time. */
export type CheckKind = 'plan' | 'verify';

/** What the service asks of the thread, which reads the catalog and walks the tree: neither is done in its own. */
export interface InspectorThread {
  /** @param path as the source names it, or below the root */
  why(path: string): Promise<PathAnswer>;
  named(name: string): Promise<NamedFiles>;
  failures(request: FailurePageRequest): Promise<FailurePage>;
  /** Returns how many are tried by the next scan. */
  retry(request: RetryRequest): Promise<number>;
  held(request: HeldPageRequest): Promise<HeldPage | undefined>;
  /** Whether the catalog holds other documents than at that comparison, or later ones. */
  changedSince(record: Pick<VerifyRecord, 'at' | 'verification'>): Promise<boolean>;
  plan(): Promise<Plan>;
  verify(): Promise<VerifyRecord>;
  stop(kind: CheckKind): void;
  /** Ends what runs. */
  close(): Promise<void>;
}

/** What the thread tells the service. */
export interface InspectorHost {
  progress(kind: CheckKind, files: number, documents: number): void;
  warn(message: string): void;
}
