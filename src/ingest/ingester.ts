import type { Logger } from '../base/logger.js';
import { idSource, parentPath } from '../base/path.js';
import type { SearchEngine, WriteOutcome } from '../engine/engine.js';
import type { Problem } from '../model/reason.js';
import type { BulkWriter } from './bulk-writer.js';
import type { BuildResult, BuiltDocument, DocumentBuilder } from './document-builder.js';
import type { DocumentRules } from './document-rules.js';
import type { IngestItem, IngestOutcome, Ingester, RemoveOutcome } from './ingest.js';

export interface IngesterDeps {
  readonly rules: DocumentRules;
  readonly builder: DocumentBuilder;
  readonly engine: SearchEngine;
  readonly writer: BulkWriter;
  /** One line a document: `[id][virtual path] text`. */
  readonly documentLog: Logger;
}

/** From a document to an outcome: crawl, upload and fetch come through here. */
export class DocumentIngester implements Ingester {
  readonly #deps: IngesterDeps;
  #building = 0;

  constructor(deps: IngesterDeps) {
    this.#deps = deps;
  }

  idOf(filename: string): string {
    return this.#deps.rules.idOfName(filename);
  }

  async ingest(item: IngestItem, signal: AbortSignal): Promise<IngestOutcome> {
    this.#building += 1;
    const building = this.#deps.builder.build(item, signal).finally(() => {
      this.#building -= 1;
    });
    const built = await building;
    const filename = filenameOf(built, item);
    const outcome =
      built.kind === 'document' ? await this.#store(item, built, filename) : this.#leaveOut(item, built, filename);
    this.#log(item, outcome, built.kind === 'document' ? built.gaps : []);
    return outcome;
  }

  async remove(index: string | undefined, id: string, signal: AbortSignal): Promise<RemoveOutcome> {
    const target = index ?? this.#deps.rules.settings.engine.index;
    const [outcome] = await this.#deps.engine.write([{ kind: 'delete', index: target, id }], signal);
    if (outcome === undefined || outcome.ok)
      return { ok: true, id, index: target, reason: undefined, message: undefined };
    const reason =
      outcome.isDiskFull === true ? 'disk_full' : outcome.code === 'rate_limited' ? 'unavailable' : outcome.code;
    return { ok: false, id, index: target, reason, message: outcome.message };
  }

  flush(): Promise<void> {
    return this.#deps.writer.flush();
  }

  async #store(item: IngestItem, built: BuiltDocument, filename: string): Promise<IngestOutcome> {
    const { rules, writer } = this.#deps;
    const index = item.index ?? rules.settings.engine.index;
    const id = item.id === '_auto_' ? undefined : (item.id ?? this.#defaultId(item, filename));
    const stored = { index, filename, document: built.document, problem: built.problem };
    if (item.simulate === true) return { status: 'indexed', id: id ?? '_auto_', ...stored };
    const written = writer.write({
      kind: 'index',
      index,
      id,
      document: built.body,
      mode: rules.settings.engine.bulkOperation,
      ...(rules.settings.engine.pipeline === undefined ? {} : { pipeline: rules.settings.engine.pipeline }),
    });
    if (item.origin === 'rest') writer.hurry();
    // Nothing would fill the batch.
    else if (this.#building === 0) writer.sendHeld();
    const outcome = await written;
    if (outcome.ok) return { status: 'indexed', id: outcome.id, ...stored };
    return { status: 'failed', id, index, filename, problem: refusal(outcome) };
  }

  #defaultId(item: IngestItem, filename: string): string {
    const { rules } = this.#deps;
    if (item.origin === 'rest') return rules.idOfName(filename);
    const folder = parentPath(item.entry.path) ?? '';
    return rules.idOf(idSource(folder, item.entry.name), item.entry.name);
  }

  #leaveOut(item: IngestItem, built: Exclude<BuildResult, BuiltDocument>, filename: string): IngestOutcome {
    // What was already written waits for company that does not come.
    if (this.#building === 0) this.#deps.writer.sendHeld();
    if (built.kind === 'skipped') return { status: 'skipped', filename, problem: built.problem };
    const index = item.index ?? this.#deps.rules.settings.engine.index;
    return { status: 'failed', id: undefined, index, filename, problem: built.problem };
  }

  #log(item: IngestItem, outcome: IngestOutcome, gaps: readonly string[]): void {
    const { documentLog } = this.#deps;
    const id = outcome.status === 'skipped' ? '' : (outcome.id ?? '');
    const line = `[${id}][${item.place.virtual}]`;
    if (outcome.status === 'failed') {
      documentLog.error(`${line} Not indexed (${outcome.problem.reason}): ${outcome.problem.message}`);
    } else if (outcome.status === 'skipped') {
      documentLog.info(`${line} Skipped (${outcome.problem.reason}): ${outcome.problem.message}`);
    } else if (outcome.problem !== undefined) {
      documentLog.error(`${line} Indexed with a problem (${outcome.problem.reason}): ${outcome.problem.message}`);
    } else if (gaps[0] !== undefined) {
      const others = gaps.length > 1 ? ` (and ${gaps.length - 1} more)` : '';
      documentLog.info(`${line} Indexed, but not all of it: ${gaps[0]}${others}`);
    } else {
      documentLog.debug(`${line} Indexed`);
    }
  }
}

/** Tags may overwrite the file name; the answer and the default id follow. */
function filenameOf(built: BuildResult, item: IngestItem): string {
  return (built.kind === 'document' ? built.document.file?.filename : undefined) ?? item.place.filename;
}

function refusal({ code, message, isDiskFull: isFull }: WriteOutcome & { ok: false }): Problem {
  if (isFull === true) return { reason: 'disk_full', message };
  return { reason: code === 'rejected' || code === 'not_found' ? 'rejected' : 'unavailable', message };
}
