import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { CrawlerControl, CrawlerState } from '../crawler/control.js';
import type { Activity, CrawlMonitor, RunActivity } from '../operations/monitor/monitor.js';

const STATES: readonly CrawlerState[] = ['RUNNING', 'PAUSED', 'STOPPED', 'COMPLETED', 'ERROR'];

export interface MetricsParts {
  readonly jobName: string;
  readonly monitor: CrawlMonitor;
  readonly crawler: CrawlerControl | undefined;
  /** Losses of the index that nobody has acknowledged. */
  readonly indexIncidents: () => number;
}

/**
 * The job's figures in Prometheus' format: names after its conventions (base units, `_total` for what only grows), one
 * label `job_name` on all of them. They are read when they are asked for; nothing is counted twice.
 */
export class Metrics {
  readonly contentType: string;
  readonly #registry = new Registry();
  readonly #parts: MetricsParts;
  readonly #gauges = new Map<string, Gauge>();
  readonly #documents: Counter;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    this.#registry.setDefaultLabels({ job_name: parts.jobName });
    this.contentType = this.#registry.contentType;
    collectDefaultMetrics({ register: this.#registry });
    this.#documents = new Counter({
      name: 'crawler_documents_total',
      help: 'Documents that were finished since the program started.',
      labelNames: ['origin', 'outcome'],
      registers: [this.#registry],
    });
  }

  async text(): Promise<string> {
    const { monitor, indexIncidents } = this.#parts;
    this.#crawler();
    this.#set('index_incidents', 'Losses of documents that are not acknowledged.', {}, indexIncidents());
    this.#activity(monitor.activity());
    this.#documents.reset();
    for (const { origin, outcome, documents } of monitor.documents())
      this.#documents.inc({ origin, outcome }, documents);
    const { engine, stuck } = await monitor.health();
    this.#set('engine_up', 'Whether the search engine answers.', {}, engine === 'up' ? 1 : 0);
    this.#set('stuck', 'Whether a scan makes no progress although no document is being processed.', {}, stuck ? 1 : 0);
    return await this.#registry.metrics();
  }

  #crawler(): void {
    const status = this.#parts.crawler?.status();
    if (status === undefined) return;
    for (const state of STATES) {
      this.#set('state', 'The state of the crawler: 1 for the current one.', { state }, state === status.state ? 1 : 0);
    }
    this.#set('scan_files', 'Files indexed by the running scan, or the last one.', {}, status.filesProcessed);
    this.#set('scan_deleted', 'Documents removed by that scan.', {}, status.filesDeleted);
    this.#set('scan_failed', 'Files that scan could not index.', {}, status.filesFailed);
    this.#set('retries', 'Attempts in a row that ended with a lost connection.', {}, status.retryCount);
    this.#set('held_deletions', 'Deletions that wait for approval.', {}, status.heldDeletions?.documents ?? 0);
    this.#set(
      'unwatched_paths',
      'Folders whose changes are found by scans only.',
      {},
      status.watch?.unwatched.length ?? 0,
    );
    const { scanStartMs, scanEndMs, nextCheckMs } = status;
    this.#time('scan_start_timestamp_seconds', 'When the scan began.', scanStartMs);
    this.#time('scan_end_timestamp_seconds', 'When the last scan ended.', scanEndMs);
    this.#time('next_check_timestamp_seconds', 'When the next scan begins.', nextCheckMs);
  }

  #activity({ filesPerSecond, remainingMs, run, totals, current, queues }: Activity): void {
    if (run !== undefined) this.#run(run, remainingMs);
    this.#set('files_per_second', 'Files indexed, over the last half minute.', {}, filesPerSecond);
    this.#set('extractions', 'Documents being extracted.', {}, current.length);
    this.#set('longest_extraction_seconds', 'Age of the oldest of them.', {}, oldestSeconds(current));
    for (const [queue, length] of Object.entries<number>({ ...queues })) {
      this.#set('queue_length', 'What waits: folders to list, documents to extract and to write.', { queue }, length);
    }
    if (totals === undefined) return;
    this.#set('catalog_folders', 'Folders in the catalog.', {}, totals.folders);
    this.#replace('catalog_files', 'Files in the catalog, by state.', 'state', totals.states);
    this.#replace('catalog_problems', 'Files without document or without text, by reason.', 'reason', totals.reasons);
  }

  #run({ settled, total }: RunActivity, remainingMs: number | undefined): void {
    this.#set('run_files_settled', 'Files that this run has finished, indexed or not.', {}, settled);
    this.#setOrEnd('run_files_total', 'Files that this run has to settle, once they are counted.', total);
    this.#setOrEnd(
      'run_remaining_seconds',
      'Time that the run still takes, where it can be estimated.',
      remainingMs === undefined ? undefined : remainingMs / 1000,
    );
  }

  /** A figure that nobody knows at the moment has no series. */
  #setOrEnd(name: string, help: string, value: number | undefined): void {
    if (value === undefined) this.#gauge(name, help, []).remove();
    else this.#set(name, help, {}, value);
  }

  #set(name: string, help: string, labels: Readonly<Record<string, string>>, value: number): void {
    this.#gauge(name, help, Object.keys(labels)).set(labels, value);
  }

  /** One series for each member of `values`; those of the last time that are not among them end. */
  #replace(name: string, help: string, label: string, values: Readonly<Record<string, number>>): void {
    this.#gauge(name, help, [label]).reset();
    for (const [key, value] of Object.entries(values)) this.#set(name, help, { [label]: key }, value);
  }

  #time(name: string, help: string, epochMs: number | undefined): void {
    if (epochMs !== undefined) this.#set(name, help, {}, epochMs / 1000);
  }

  #gauge(name: string, help: string, labelNames: readonly string[]): Gauge {
    const known = this.#gauges.get(name);
    if (known !== undefined) return known;
    const gauge = new Gauge({
      name: `crawler_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.#registry],
    });
    this.#gauges.set(name, gauge);
    return gauge;
  }
}

function oldestSeconds(current: Activity['current']): number {
  return Math.max(0, ...current.map(({ elapsedMs }) => elapsedMs)) / 1000;
}
