import { isDiskFull } from '../base/disk-full.js';
import { CrawlerError, messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { idSource, parentPath } from '../base/path.js';
import type { SearchEngine, WriteOutcome } from '../engine/engine.js';
import type { Extraction, ExtractorService } from '../extract/index.js';
import type { CrawlDocument, DocumentSource } from '../model/document.js';
import type { Problem, Reason } from '../model/reason.js';
import { mergeTags } from '../model/tags.js';
import type { PasswordProvider } from '../passwords/passwords.js';
import { buildDocument } from './build-document.js';
import type { BulkWriter } from './bulk-writer.js';
import type { DocumentRules } from './document-rules.js';
import { EntryExtraction } from './entry-extraction.js';
import type { IngestItem, IngestOutcome, Ingester, RemoveOutcome } from './ingest.js';
import { mapMetadata } from './meta-fields.js';
import { parseMetadataFile } from './parse-tags.js';
import { parseStructured } from './structured.js';

export interface IngesterDeps {
  readonly rules: DocumentRules;
  readonly extractor: ExtractorService;
  readonly passwords: PasswordProvider;
  readonly engine: SearchEngine;
  readonly writer: BulkWriter;
  /** Where remote files are held while they are extracted. */
  readonly spoolDirectory: string;
  readonly now: () => number;
  readonly logger: Logger;
  /** One line a document: `[id][virtual path] text`. */
  readonly documentLog: Logger;
}

/** A document that was built, or the reason why there is none. */
type Built =
  | {
      readonly kind: 'document';
      readonly document: CrawlDocument;
      readonly body: DocumentSource;
      readonly problem: Problem | undefined;
      /** What else is missing of it, a sentence each. */
      readonly gaps: readonly string[];
    }
  | { readonly kind: 'skipped' | 'failed'; readonly problem: Problem };

/** The only place where documents are made: crawl, upload and fetch come through here. */
export class DocumentIngester implements Ingester {
  readonly #deps: IngesterDeps;
  /** Of every document (tags.static_meta_filename). */
  readonly #staticTags: unknown;
  readonly #extraction: EntryExtraction;
  #building = 0;

  constructor(deps: IngesterDeps) {
    this.#deps = deps;
    const { staticMetadata } = deps.rules;
    this.#staticTags = staticMetadata === undefined ? undefined : parseMetadataFile(staticMetadata);
    this.#extraction = new EntryExtraction(deps);
  }

  idOf(filename: string): string {
    return this.#deps.rules.idOfName(filename);
  }

  async ingest(item: IngestItem, signal: AbortSignal): Promise<IngestOutcome> {
    this.#building += 1;
    const building = this.#build(item, signal).finally(() => {
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

  async #build(item: IngestItem, signal: AbortSignal): Promise<Built> {
    try {
      return this.#deps.rules.structured !== undefined && item.origin === 'crawl'
        ? await this.#buildStructured(item, this.#deps.rules.structured, signal)
        : await this.#buildExtracted(item, signal);
    } catch (error) {
      if (signal.aborted || item.queueSignal?.aborted === true)
        throw new CrawlerError('cancelled', 'The work was cancelled.', { cause: error });
      return { kind: 'failed', problem: problemOf(error) };
    }
  }

  async #buildExtracted(item: IngestItem, signal: AbortSignal): Promise<Built> {
    const { rules } = this.#deps;
    const extraction = await this.#extract(item, signal);
    const document = this.#withTags(item, this.#document(item, extraction));
    const rejecting = item.origin === 'crawl' ? await rules.filter.rejecting(document.content, signal) : undefined;
    if (rejecting !== undefined) {
      return { kind: 'skipped', problem: { reason: 'filtered', message: `Its text does not match [${rejecting}].` } };
    }
    const { problem, warnings = [], truncated = false } = extraction ?? {};
    const gaps = truncated ? [...warnings, 'its text is cut (fs.indexed_chars)'] : warnings;
    return { kind: 'document', document, body: { ...document }, problem, gaps };
  }

  /** Undefined when nothing is wanted of the file. */
  async #extract(item: IngestItem, signal: AbortSignal): Promise<Extraction | undefined> {
    const { indexContent, storeSource } = this.#deps.rules.settings.fs;
    if (indexContent) return await this.#extraction.extract(item, signal);
    return storeSource ? await this.#extraction.readSource(item, signal) : undefined;
  }

  async #buildStructured(item: IngestItem, kind: 'json' | 'xml', signal: AbortSignal): Promise<Built> {
    const parsed = parseStructured(kind, await this.#extraction.readText(item, signal));
    if (!this.#deps.rules.settings.fs.addAsInnerObject) {
      if (!isObject(parsed)) throw new CrawlerError('corrupt', `A ${kind} document must be an object to be indexed.`);
      return { kind: 'document', document: {}, body: parsed, problem: undefined, gaps: [] };
    }
    if (!isObject(parsed)) throw new CrawlerError('corrupt', 'An inner object must be an object.');
    const frame = this.#document(item, undefined);
    const document = this.#withTags(item, {
      ...(frame.file === undefined ? {} : { file: frame.file }),
      ...(frame.path === undefined ? {} : { path: frame.path }),
      ...(frame.attributes === undefined ? {} : { attributes: frame.attributes }),
      object: parsed,
    });
    return { kind: 'document', document, body: { ...document }, problem: undefined, gaps: [] };
  }

  #document(item: IngestItem, extraction: Extraction | undefined): CrawlDocument {
    const { rules, logger, now } = this.#deps;
    const { meta, unparsable } = mapMetadata(extraction?.metadata ?? {}, rules.settings.fs.rawMetadata);
    for (const { key, value } of unparsable) {
      logger.debug(`Can not parse meta [${value}] for [${item.place.real}]. Skipping [${key}] field...`);
    }
    const language = meta['language'] ?? extraction?.language;
    return buildDocument({
      entry: item.entry,
      place: item.place,
      extraction,
      meta: language === undefined ? meta : { ...meta, language },
      attributes: item.attributes,
      shownLimit:
        extraction === undefined || !rules.settings.fs.indexContent
          ? undefined
          : rules.shownLimit(extraction.size, extraction.truncated),
      addFilesize: rules.settings.fs.addFilesize,
      withPages: rules.settings.fs.pageNumbers === true,
      withTimes: item.origin === 'crawl',
      nowMs: now(),
    });
  }

  /** Extracted, then static, then the folder's file, then what the request says: the last one wins. */
  #withTags(item: IngestItem, document: CrawlDocument): CrawlDocument {
    let merged = mergeTags(document, this.#staticTags);
    if (item.folderMetadata !== undefined) merged = mergeTags(merged, parseMetadataFile(item.folderMetadata));
    return mergeTags(merged, item.tags);
  }

  async #store(item: IngestItem, built: Built & { kind: 'document' }, filename: string): Promise<IngestOutcome> {
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
    // A request waits for its answer; and when nothing else is being built, nothing would fill the batch.
    if (item.origin === 'rest' || this.#building === 0) void writer.flush();
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

  #leaveOut(item: IngestItem, built: Built & { kind: 'skipped' | 'failed' }, filename: string): IngestOutcome {
    // What was already written waits for company that does not come.
    if (this.#building === 0) void this.#deps.writer.flush();
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
function filenameOf(built: Built, item: IngestItem): string {
  return (built.kind === 'document' ? built.document.file?.filename : undefined) ?? item.place.filename;
}

function refusal({ code, message, isDiskFull: isFull }: WriteOutcome & { ok: false }): Problem {
  if (isFull === true) return { reason: 'disk_full', message };
  return { reason: code === 'rejected' || code === 'not_found' ? 'rejected' : 'unavailable', message };
}

function problemOf(error: unknown): Problem {
  if (isDiskFull(error)) return { reason: 'disk_full', message: messageOf(error) };
  if (!(error instanceof CrawlerError)) return { reason: 'internal', message: messageOf(error) };
  return { reason: reasonOf(error), message: error.message };
}

function reasonOf(error: CrawlerError): Reason {
  switch (error.code) {
    case 'not_found':
      return 'vanished';
    case 'denied':
      return 'unreadable';
    case 'corrupt':
    case 'invalid_metadata':
    case 'too_large':
    case 'encrypted':
    case 'unsupported':
    case 'timed_out':
    case 'unavailable':
      return error.code;
    default:
      return 'internal';
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
