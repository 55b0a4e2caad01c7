import type { Logger } from '../base/logger.js';
import type { CrawlerControl } from '../crawler/control.js';
import type { SearchEngine } from '../engine/engine.js';
import type { IndexIncident } from '../engine/index-incidents.js';
import type { Ingester } from '../ingest/ingest.js';
import type { CrawlMonitor } from '../operations/monitor/monitor.js';
import type { ThreadInspector } from '../operations/inspector/thread-inspector.js';
import type { RateSample } from '../operations/monitor/rate-history.js';
import type { Originals } from '../operations/original/originals.js';
import type { FetchSources } from '../source/fetch.js';
import type { Spool } from '../source/spool.js';
import type { Access } from './access/access.js';
import type { BaseUrl } from './base-url.js';

/** What the service is built from. */
export interface RestOptions {
  /** `rest.url`: address, port (0 lets the system choose) and path prefix. */
  readonly url: string;
  readonly enableCors: boolean;
  /** Business failures get a proper status code instead of 200. */
  readonly strictStatus: boolean;
  /** Bytes of an uploaded or fetched document; undefined is unlimited for uploads. */
  readonly maxUploadBytes: number | undefined;
  readonly apiKeys: readonly string[];
  /** Keys of callers who may search and look, and change nothing. */
  readonly readKeys: readonly string[];
  /** Which pages browsers get. */
  readonly ui: 'on' | 'search' | 'off';
  /** Host names that browsers may use beside those of `rest.url`. */
  readonly allowedHosts: readonly string[];
  /** Answer the addresses of the 2.x service as well. */
  readonly legacy: boolean;
  /** Every upload result carries its document. */
  readonly debug: boolean;
  readonly version: string;
  readonly jobName: string;
  /** The job's index, which `_search` searches. */
  readonly index: string;
  /** Where `_search` looks for words, with weights: `meta.title^3`. */
  readonly searchFields: readonly string[];
  /** The index of the job's folders; undefined where it has none. */
  readonly folderIndex: string | undefined;
  /** Tags that are counted, such as `external.team`. */
  readonly tagFields: readonly string[];
  /** Files of the job's tree; undefined where the job has none. */
  readonly originals: Originals | undefined;
  /** The effective settings as `GET /` shows them to somebody who reaches the service at this address. */
  settingsView(baseUrl: string): Readonly<Record<string, unknown>>;
  readonly engine: SearchEngine;
  engineReady(): EngineReadiness;
  readonly ingester: Ingester;
  /** Undefined with `--loop 0`. */
  readonly crawler: CrawlerControl | undefined;
  /** What has happened to the index of the job. */
  readonly indexIncidents: IndexIncidents;
  readonly monitor: CrawlMonitor;
  /** The last half hour. */
  readonly history: { readonly samples: readonly RateSample[] };
  /** Answers questions about catalog and tree, in a thread of its own; undefined for a job without a root. */
  readonly inspector: (() => Promise<ThreadInspector>) | undefined;
  /** Where uploads above 64 KiB wait for their extraction. */
  readonly spoolDirectory: string;
  /** What can be fetched from, by type. */
  readonly fetchSources: FetchSources;
  /** What answers at `POST /mcp`, loaded with the first request; undefined where nothing does. */
  readonly mcp: (() => Promise<McpEndpoint>) | undefined;
  readonly logger: Logger;
  /** A sender that is silent for so long in the middle of its body is gone; a minute unless given. */
  readonly silenceMs?: number;
}

/** The MCP server as the service sees it: requests and answers are those of `fetch`. */
export interface McpEndpoint {
  /**
   * @param caller `name` tells callers apart for the number of calls a minute; `address` is that of the service as the caller
   * reaches it; `mayAdd` whether its key may change anything; `body` is that of the request, read from its JSON
   */
  answer(
    request: Request,
    caller: { readonly name: string; readonly address: string; readonly mayAdd: boolean; readonly body?: unknown },
  ): Promise<Response>;
}

export interface IndexIncidents {
  /** Those that nobody has acknowledged. */
  read(): readonly IndexIncident[];
  /** Returns what was acknowledged. */
  acknowledge(): readonly IndexIncident[];
}

export type EngineReadiness =
  | { readonly ready: true }
  | {
      readonly ready: false;
      readonly message: string;
      /** A connection is being made: resolves when that has succeeded or failed. */
      readonly connecting?: Promise<void>;
    };

/** What the routes work with: the options and what the service made of them. */
export interface RestContext extends Required<RestOptions> {
  readonly baseUrl: BaseUrl;
  readonly access: Access;
  /** The host of `rest.url`. */
  readonly host: string;
  /** Listens on a loopback address only. */
  readonly loopback: boolean;
  readonly spool: Spool;
  /** Aborted when the service gives up what is still in flight. */
  readonly stopping: AbortSignal;
}
