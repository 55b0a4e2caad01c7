import { systemClock } from '../../base/clock.js';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { packageVersion } from '../../base/package-root.js';
import type { SearchEngine, StoredDocument, WriteOutcome } from '../../engine/engine.js';
import { openEngine } from '../../engine/registry.js';
import { BulkWriter } from '../../ingest/bulk-writer.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { withoutCredentials } from '../../settings/without-credentials.js';
import { hasEmbeddedIndex, PushProgressFile, type PushProgress } from './push-progress.js';

export interface PushOptions {
  /** Their engine gets the documents. */
  readonly settings: JobSettings;
  readonly jobDirectory: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Documents answered for, of all. */
  onProgress(done: number, total: number): void;
}

export interface PushSummary {
  readonly copied: number;
  readonly rejected: number;
  readonly reasons: Readonly<Record<string, number>>;
  /** Documents that an earlier, interrupted copy had done already. */
  readonly resumedAt: number;
}

/** Documents of one data error have one reason each; their sentences are not gathered without end. */
const MOST_REASONS = 20;
const CLOSE_GRACE_MS = 5_000;

/**
 * Copies everything that a job's embedded index holds into an engine, under the same ids, without reading a single file of
 * the tree. At most three pages are in memory: one that is read, one that is written, and one that waits in between.
 */
export async function pushIndex(options: PushOptions): Promise<PushSummary> {
  const { settings, jobDirectory, logger } = options;
  if (!hasEmbeddedIndex(jobDirectory)) {
    const message = `Job [${settings.name}] has no embedded index in [${jobDirectory}]: there is nothing to copy.`;
    throw new CrawlerError('not_found', message, { subject: jobDirectory });
  }
  const common = { jobDirectory, baseUrl: () => undefined, version: packageVersion(), clock: systemClock, logger };
  const parts = { ...common, stop: options.signal };
  const source = await openEngine({ ...settings, engine: { ...settings.engine, provider: 'embedded' } }, parts);
  const target = await openEngine(settings, parts);
  const writer = new BulkWriter({ engine: target, ...settings.engine, logger });
  try {
    const { identity } = await target.prepare(options.signal);
    const address = settings.engine.urls.map(withoutCredentials).join(',');
    const file = new PushProgressFile(jobDirectory, address, identity);
    return await new Push(options, { source, writer, file }).run();
  } finally {
    await writer.close(CLOSE_GRACE_MS);
    await target.close();
    await source.close();
  }
}

interface PushParts {
  readonly source: SearchEngine;
  readonly writer: BulkWriter;
  readonly file: PushProgressFile;
}

class Push {
  readonly #options: PushOptions;
  readonly #parts: PushParts;
  #progress: PushProgress;
  readonly #resumed: PushProgress | undefined;
  #total = 0;

  constructor(options: PushOptions, parts: PushParts) {
    this.#options = options;
    this.#parts = parts;
    this.#resumed = parts.file.load();
    this.#progress = this.#resumed ?? { index: '', position: 0, copied: 0, rejected: 0, reasons: {} };
  }

  async run(): Promise<PushSummary> {
    const indices = await this.#parts.source.indices(this.#options.signal);
    this.#total = indices.reduce((sum, { documents }) => sum + documents, 0);
    const names = indices.map(({ index }) => index).sort();
    const { index: begun } = this.#progress;
    for (const index of names.filter((name) => name >= begun)) await this.#copy(index);
    this.#parts.file.clear();
    const { copied, rejected, reasons } = this.#progress;
    const resumedAt = this.#resumed === undefined ? 0 : this.#resumed.copied + this.#resumed.rejected;
    return { copied, rejected, reasons, resumedAt };
  }

  async #copy(index: string): Promise<void> {
    const { signal } = this.#options;
    if (index !== this.#progress.index) this.#progress = { ...this.#progress, index, position: 0 };
    let skipped = this.#progress.position;
    let underWay: Promise<void> | undefined;
    for await (const page of this.#parts.source.scan(index, signal)) {
      const wanted = page.slice(skipped);
      skipped -= page.length - wanted.length;
      await underWay;
      throwIfCancelled(signal);
      underWay = this.#write(wanted);
      // It is awaited one page later.
      underWay.catch(() => undefined);
    }
    await underWay;
  }

  async #write(page: readonly StoredDocument[]): Promise<void> {
    if (page.length === 0) return;
    const { writer, file } = this.#parts;
    const { pipeline } = this.#options.settings.engine;
    const written = page.map(({ index, id, source: document }) =>
      writer.write({ kind: 'index', index, id, document, ...(pipeline === undefined ? {} : { pipeline }) }),
    );
    void writer.flush();
    const outcomes = await Promise.all(written);
    this.#throwIfAway(outcomes);
    const rejections = outcomes.filter((outcome) => !outcome.ok);
    const { position, copied, rejected, reasons } = this.#progress;
    this.#progress = {
      ...this.#progress,
      position: position + page.length,
      copied: copied + page.length - rejections.length,
      rejected: rejected + rejections.length,
      reasons: withReasons(reasons, rejections),
    };
    file.save(this.#progress);
    this.#options.onProgress(this.#progress.copied + this.#progress.rejected, this.#total);
  }

  #throwIfAway(outcomes: readonly WriteOutcome[]): void {
    const away = outcomes.find((each) => !each.ok && (each.code === 'unavailable' || each.code === 'rate_limited'));
    if (away === undefined || away.ok) return;
    const done = this.#progress.copied + this.#progress.rejected;
    throw new CrawlerError(
      'unavailable',
      `${away.message} ${done} of ${this.#total} documents are done: the same command resumes from there.`,
    );
  }
}

function withReasons(
  known: Readonly<Record<string, number>>,
  rejections: readonly WriteOutcome[],
): Readonly<Record<string, number>> {
  const reasons = { ...known };
  for (const outcome of rejections) {
    if (outcome.ok) continue;
    const { message } = outcome;
    const isRoom = Object.keys(reasons).length < MOST_REASONS;
    const reason = message in reasons || isRoom ? message : 'other reasons';
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return reasons;
}
