/** What the endpoints for operators answer (docs/openapi.yaml). Everything in it is text of strangers. */
export interface ServiceView {
  readonly engine: string;
  readonly version: string;
  readonly settings: Readonly<Record<string, unknown>> & { readonly name?: string };
}

/** What this browser may do here (`_session`). Without a role the rest is missing. */
export interface Session {
  /** Whether the service asks for keys. */
  readonly keys: boolean;
  readonly role: 'full' | 'read' | 'none';
  readonly job?: string;
  readonly version?: string;
  /** Other machines reach the service. */
  readonly exposed?: boolean;
  /** Whether there is a page for operators. */
  readonly ui?: 'on' | 'search';
}

export interface HealthView {
  readonly ok: boolean;
}

export interface Truth {
  readonly state: 'equal' | 'pending' | 'differs' | 'unknown';
  readonly sentence: string;
  readonly at: string | null;
}

export interface CheckProgress {
  readonly since: string;
  readonly files: number;
  readonly documents: number;
}

interface CheckState<Last> {
  readonly running: CheckProgress | null;
  readonly failed: { readonly at: string; readonly message: string } | null;
  readonly last: Last | null;
}

export interface VerifyState extends CheckState<{
  readonly equal: boolean;
  readonly verification: { readonly differences: Readonly<Record<string, number>> };
  readonly findings: readonly { readonly kind: string; readonly path: string; readonly detail?: string }[];
}> {
  readonly truth: Truth;
}

interface Amount {
  readonly files: number;
  readonly bytes: number;
}

export interface Plan {
  readonly changes: Readonly<Record<string, Amount>>;
  readonly work: Amount;
  readonly leftOut: readonly (Amount & {
    readonly reason: string;
    readonly rule: string;
    readonly folders: number;
  })[];
  readonly closedFolders: number;
  readonly estimate?: {
    readonly byFilesMs: number;
    readonly byBytesMs: number;
    readonly basis: { readonly files: number };
  };
}

export type PlanState = CheckState<{ readonly at: string; readonly plan: Plan }>;

export interface HeldList {
  readonly documents: number;
  readonly by_folder: readonly { readonly path: string; readonly documents: number }[];
  readonly paths: readonly string[];
  readonly next: string | null;
}

export interface Failure {
  readonly path: string;
  readonly standing: 'failed' | 'partial' | 'left_out';
  readonly reason: string;
  readonly message: string;
  readonly tries: number;
  readonly retryMs: number;
}

export interface FailureList {
  readonly failures: readonly Failure[];
  readonly counts: Readonly<Record<string, number>>;
  readonly next: string | null;
}

export interface NamedFiles {
  readonly files: readonly { readonly path: string; readonly state: string; readonly reason?: string }[];
  readonly more: boolean;
}

export interface PathAnswer {
  readonly path: string;
  readonly standing: string;
  readonly reason?: string;
  readonly sentence: string;
  readonly rule?: { readonly text: string; readonly at: string };
  readonly origin?: { readonly setting: string; readonly pattern?: string; readonly origin: string };
}

/** A moment: epoch milliseconds, files per second, and what waits as folders, for extraction, for the engine. */
export type Sample = readonly [atMs: number, rate: number, folders: number, extraction: number, engine: number];

export interface History {
  readonly samples: readonly Sample[];
}

export interface UploadAnswer {
  readonly ok: boolean;
  readonly message?: string;
  readonly warning?: string;
}
