import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/base/logger.js';
import type { Logger } from '../../src/base/logger.js';
import { searchFields } from '../../src/engine/search-fields.js';
import { RestService } from '../../src/rest/rest-service.js';
import type { RestOptions } from '../../src/rest/rest-service.js';
import { localFetchSources } from '../support/fetch-sources.js';
import { MemoryEngine } from '../support/memory-engine.js';
import { MemoryIngester } from '../support/memory-ingester.js';
import { ScriptedMonitor } from '../support/scripted-monitor.js';
import { ScriptedCrawler } from '../support/scripted-crawler.js';

/** A listening service over in-memory parts, with folders of its own. */
export interface RestHarness {
  readonly url: string;
  readonly engine: MemoryEngine;
  readonly ingester: MemoryIngester;
  readonly crawler: ScriptedCrawler;
  readonly monitor: ScriptedMonitor;
  readonly service: RestService;
  /** `fs.url` of the job. */
  readonly root: string;
  /** Names of what lies in the spool. */
  spooled(): Promise<string[]>;
  close(): Promise<void>;
}

export const INDEX = 'job_docs';

export async function startRest(overrides: Partial<RestOptions> = {}): Promise<RestHarness> {
  const home = await mkdtemp(join(tmpdir(), 'rest-'));
  const root = await mkdtemp(join(home, 'root-'));
  const spoolDirectory = join(home, 'spool');
  const engine = new MemoryEngine();
  const ingester = new MemoryIngester(engine, INDEX);
  const crawler = new ScriptedCrawler();
  const monitor = new ScriptedMonitor();
  const service = new RestService({
    ...baseOptions(),
    engine,
    ingester,
    crawler,
    monitor,
    spoolDirectory,
    fetchSources: localFetchSources(root, spoolDirectory, isExposed(overrides.url), overrides.maxUploadBytes),
    ...overrides,
  });
  const { url } = await service.start();
  return {
    url,
    engine,
    ingester,
    crawler,
    monitor,
    service,
    root,
    spooled: () => readdir(overrides.spoolDirectory ?? spoolDirectory),
    async close() {
      await service.stop(0);
      await rm(home, { recursive: true, force: true });
    },
  };
}

function isExposed(url = 'http://127.0.0.1'): boolean {
  return !url.includes('127.0.0.1');
}

/** Options of a service that has nothing special about it. */
export function baseOptions(): Omit<
  RestOptions,
  'engine' | 'ingester' | 'crawler' | 'monitor' | 'spoolDirectory' | 'fetchSources'
> {
  return {
    url: 'http://127.0.0.1:0',
    enableCors: false,
    strictStatus: false,
    maxUploadBytes: undefined,
    apiKeys: [],
    readKeys: [],
    ui: 'on',
    allowedHosts: [],
    legacy: false,
    debug: false,
    version: '1.2.3',
    jobName: 'job',
    index: INDEX,
    searchFields: searchFields('text'),
    folderIndex: 'job_folder',
    tagFields: [],
    originals: undefined,
    mcp: undefined,
    history: { samples: [] },
    inspector: undefined,
    settingsView: () => ({ name: 'job', rest: { url: 'http://127.0.0.1:8080', enable_cors: false } }),
    engineReady: () => ({ ready: true }),
    indexIncidents: { read: () => [], acknowledge: () => [] },
    logger: silentLogger,
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** One request; the body of the answer as text and, where it is some, as JSON. */
export async function call(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export interface UploadParts {
  /** Bytes of the document; none when absent. */
  readonly content?: string | Uint8Array<ArrayBuffer>;
  readonly filename?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly path?: string;
}

export function upload(url: string, parts: UploadParts): Promise<Answer> {
  const {
    content,
    filename = 'test.txt',
    fields = {},
    query = '',
    headers = {},
    method = 'POST',
    path = '/_document',
  } = parts;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (content !== undefined) form.append('file', new Blob([content]), filename);
  return call(`${url}${path}${query}`, { method, body: form, headers });
}

export function fetchJson(
  url: string,
  body: unknown,
  init: { query?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return call(`${url}/_document${init.query ?? ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...init.headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** A logger that keeps its lines. */
export function recordingLogger(): Logger & { readonly lines: { level: string; message: string; fields: unknown }[] } {
  const lines: { level: string; message: string; fields: unknown }[] = [];
  const keep = (level: string) => (message: string, fields?: unknown) => {
    lines.push({ level, message, fields });
  };
  return {
    lines,
    error: keep('error'),
    warn: keep('warn'),
    info: keep('info'),
    debug: keep('debug'),
    trace: keep('trace'),
    isEnabled: () => true,
  };
}
