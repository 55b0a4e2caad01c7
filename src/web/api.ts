/** What the service answers (docs/openapi.yaml), and how it is asked. Everything in it is text of strangers. */
export type Segments = readonly string[];

export interface Passage {
  readonly page: number | null;
  readonly at: number | null;
  readonly segments: Segments;
}

export interface Facts {
  readonly id: string;
  readonly name: string;
  readonly title: string | null;
  readonly folder: string | null;
  readonly path: string | null;
  readonly type: string;
  readonly content_type: string | null;
  readonly size: number | null;
  readonly modified: string | null;
  readonly author: string | null;
  readonly language: string | null;
  readonly origin: 'crawl' | 'upload';
  readonly pages: number | null;
}

export interface FoundDocument extends Facts {
  readonly problem: string | null;
  readonly marks: { readonly name?: Segments; readonly title?: Segments };
  readonly snippets: readonly Passage[];
}

export interface FindResult {
  readonly took: number;
  readonly total: number;
  readonly total_relation: 'eq' | 'gte';
  readonly hits: readonly FoundDocument[];
  readonly next: string | null;
}

export interface FacetValue {
  readonly value: string;
  readonly count: number;
  readonly from?: string;
  readonly to?: string;
}

export interface FacetResult {
  readonly facets: Readonly<Record<string, readonly FacetValue[]>>;
  readonly unavailable: readonly string[];
}

export interface SuggestionResult {
  readonly words: readonly { readonly word: string; readonly total: number }[];
  readonly relaxed: readonly { readonly change: string; readonly query: string; readonly total: number }[];
}

export interface DocumentView extends Facts {
  readonly created: string | null;
  readonly indexed: string | null;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly external: Readonly<Record<string, unknown>>;
  readonly problem: { readonly reason: string; readonly sentence: string | null } | null;
  readonly characters: number;
  readonly truncated: boolean;
  readonly original: {
    readonly available: boolean;
    readonly inline?: boolean;
    readonly changed?: boolean;
    readonly sentence?: string;
  };
}

export type TextPosition = { readonly page: number } | { readonly from: number };

export interface TextBlock {
  readonly page: number | null;
  readonly from: number;
  readonly segments: Segments;
}

export interface TextWindow {
  readonly characters: number;
  readonly truncated: boolean;
  readonly pages: number | null;
  readonly marks: {
    readonly total: number;
    readonly complete: boolean;
    readonly by_page: readonly (readonly [page: number, marks: number])[];
  };
  readonly blocks: readonly TextBlock[];
  readonly previous: TextPosition | null;
  readonly next: TextPosition | null;
}

export interface DocumentTime {
  readonly document: string;
  readonly elapsed_ms: number;
  readonly page?: number;
  readonly pages?: number;
}

export interface Status {
  readonly state: string;
  /** What a paused crawl waits for. */
  readonly paused_by: 'schedule' | 'user' | null;
  /** Null before the first scan, and where nothing is crawled. */
  readonly scan_id: string | null;
  readonly next_check: string | null;
  readonly current_path: string | null;
  readonly last_error: string | null;
  /** How often in a row the source or the engine did not answer; the crawl tries again by itself. */
  readonly retry_count: number;
  readonly held_deletions: { readonly documents: number; readonly message: string } | null;
  readonly activity: {
    readonly run: {
      readonly settled: number;
      readonly total: number | null;
      readonly percent: number | null;
    } | null;
    readonly files_per_second: number;
    readonly remaining_time: string | null;
    readonly totals: {
      readonly states: Readonly<Record<string, number>>;
      readonly reasons: Readonly<Record<string, number>>;
    } | null;
    readonly current: readonly DocumentTime[];
    readonly slowest: readonly DocumentTime[];
    readonly queues: { readonly folders: number; readonly extraction: number; readonly engine: number };
  };
}

interface FaultParts {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfter?: number;
}

/** The service has refused the request (`status` and its sentence), or does not answer (`status` 0). */
export class ApiFault extends Error {
  readonly status: number;
  /** What the answer says besides. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds after which another attempt makes sense; 0 where the service does not say. */
  readonly retryAfter: number;

  constructor(status: number, message: string, { details = {}, retryAfter = 0 }: FaultParts = {}) {
    super(message);
    this.status = status;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** No answer is waited for longer, whatever it says. */
const LONGEST_WAIT_S = 300;

/** The page lies in `ui/`, the service one level above it. */
const SERVICE = '../';

/** Asks the person for a key. */
let askForKey: (() => Promise<void>) | undefined;

/** @param ask resolves when the person has signed in; what was refused is then asked again */
export function onKeyNeeded(ask: () => Promise<void>): void {
  askForKey = ask;
}

/** No page of another site can send this header: with it, a session counts for what changes something. */
export const pageHeader = ['X-Crawler-Page', '1'] as const;

/** @param path of an endpoint without a slash in front, its parts percent-encoded */
export async function ask<Answer>(path: string, parameters: URLSearchParams, signal?: AbortSignal): Promise<Answer> {
  return await send<Answer>('GET', path, { parameters, ...(signal === undefined ? {} : { signal }) });
}

export interface Sent {
  readonly parameters?: URLSearchParams;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** @param path as for `ask` */
export async function send<Answer>(method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const response = await exchange(method, path, sent);
  const body = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  if (response.ok) return body as Answer;
  if (response.status === 401 && path !== '_session' && askForKey !== undefined) {
    await askForKey();
    return await send<Answer>(method, path, sent);
  }
  const message = typeof body['message'] === 'string' ? body['message'] : '';
  const retryAfter = Math.max(0, Math.min(LONGEST_WAIT_S, Number(response.headers.get('retry-after') ?? 0) || 0));
  throw new ApiFault(response.status, message, { details: body, retryAfter });
}

async function exchange(method: string, path: string, { parameters, body, signal }: Sent): Promise<Response> {
  const query = parameters === undefined || parameters.size === 0 ? '' : `?${parameters.toString()}`;
  const content = body === undefined ? undefined : JSON.stringify(body);
  const headers = new Headers({ accept: 'application/json', [pageHeader[0]]: pageHeader[1] });
  if (content !== undefined) headers.set('content-type', 'application/json');
  try {
    return await fetch(`${SERVICE}${path}${query}`, { method, headers, body: content ?? null, signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiFault(0, '');
  }
}

/** Where documents are posted to. */
export const uploadAddress = `${SERVICE}_document`;

/** Address of a document's file. */
export function originalOf(id: string, disposition: 'inline' | 'attachment', page?: number): string {
  const place = page === undefined ? '' : `#page=${page}`;
  return `${SERVICE}_document/${encodeURIComponent(id)}/original?disposition=${disposition}${place}`;
}
