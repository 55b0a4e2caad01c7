import { isDiskFull } from '../base/disk-full.js';
import { CrawlerError, messageOf } from '../base/errors.js';
import type { Extraction } from '../extract/index.js';
import type { CrawlDocument, DocumentSource } from '../model/document.js';
import type { Problem, Reason } from '../model/reason.js';
import { mergeTags } from '../model/tags.js';
import { composeDocument } from './compose-document.js';
import { ContentExtraction, type ContentExtractionDeps } from './content-extraction.js';
import type { BuildRequest } from './ingest.js';
import { mapMetadata } from './meta-fields.js';
import { parseMetadataFile } from './parse-tags.js';
import { parseStructured } from './structured.js';

export interface DocumentBuilderDeps extends ContentExtractionDeps {
  readonly now: () => number;
}

/** A document that was built, or the reason why there is none. */
export type BuildResult =
  | {
      readonly kind: 'document';
      readonly document: CrawlDocument;
      /** What the index gets: the document, or the JSON of a file that is one. */
      readonly body: DocumentSource;
      readonly problem: Problem | undefined;
      /** What else is missing of it, a sentence each. */
      readonly gaps: readonly string[];
    }
  | { readonly kind: 'skipped' | 'failed'; readonly problem: Problem };

export type BuiltDocument = BuildResult & { kind: 'document' };

/** The only place where documents are made: from content, and what is known of it. It writes nothing. */
export class DocumentBuilder {
  readonly #deps: DocumentBuilderDeps;
  /** Of every document (tags.static_meta_filename). */
  readonly #staticTags: unknown;
  readonly #extraction: ContentExtraction;

  constructor(deps: DocumentBuilderDeps) {
    this.#deps = deps;
    const { staticMetadata } = deps.rules;
    this.#staticTags = staticMetadata === undefined ? undefined : parseMetadataFile(staticMetadata);
    this.#extraction = new ContentExtraction(deps);
  }

  /** Rejects only with `cancelled`. */
  async build(request: BuildRequest, signal: AbortSignal): Promise<BuildResult> {
    try {
      return this.#deps.rules.structured !== undefined && request.origin === 'crawl'
        ? await this.#buildStructured(request, this.#deps.rules.structured, signal)
        : await this.#buildExtracted(request, signal);
    } catch (error) {
      if (signal.aborted || request.queueSignal?.aborted === true)
        throw new CrawlerError('cancelled', 'The work was cancelled.', { cause: error });
      return { kind: 'failed', problem: problemOf(error) };
    }
  }

  async #buildExtracted(request: BuildRequest, signal: AbortSignal): Promise<BuildResult> {
    const { rules } = this.#deps;
    const extraction = await this.#extract(request, signal);
    const document = this.#withTags(request, this.#document(request, extraction));
    const rejecting = request.origin === 'crawl' ? await rules.filter.rejecting(document.content, signal) : undefined;
    if (rejecting !== undefined) {
      return { kind: 'skipped', problem: { reason: 'filtered', message: `Its text does not match [${rejecting}].` } };
    }
    const { problem, warnings = [], truncated = false } = extraction ?? {};
    const gaps = truncated ? [...warnings, 'its text is cut (fs.indexed_chars)'] : warnings;
    return { kind: 'document', document, body: { ...document }, problem, gaps };
  }

  /** Undefined when nothing is wanted of the file. */
  async #extract(request: BuildRequest, signal: AbortSignal): Promise<Extraction | undefined> {
    const { indexContent, storeSource } = this.#deps.rules.settings.fs;
    if (request.extracted !== undefined) return request.extracted.extraction;
    if (indexContent) return await this.#extraction.extract(request, signal);
    return storeSource ? await this.#extraction.readSource(request, signal) : undefined;
  }

  async #buildStructured(request: BuildRequest, kind: 'json' | 'xml', signal: AbortSignal): Promise<BuildResult> {
    const parsed = parseStructured(kind, await this.#extraction.readText(request, signal));
    if (!this.#deps.rules.settings.fs.addAsInnerObject) {
      if (!isObject(parsed)) throw new CrawlerError('corrupt', `A ${kind} document must be an object to be indexed.`);
      return { kind: 'document', document: {}, body: parsed, problem: undefined, gaps: [] };
    }
    if (!isObject(parsed)) throw new CrawlerError('corrupt', 'An inner object must be an object.');
    const frame = this.#document(request, undefined);
    const document = this.#withTags(request, {
      ...(frame.file === undefined ? {} : { file: frame.file }),
      ...(frame.path === undefined ? {} : { path: frame.path }),
      ...(frame.attributes === undefined ? {} : { attributes: frame.attributes }),
      object: parsed,
    });
    return { kind: 'document', document, body: { ...document }, problem: undefined, gaps: [] };
  }

  #document(request: BuildRequest, extraction: Extraction | undefined): CrawlDocument {
    const { rules, logger, now } = this.#deps;
    const { meta, unparsable } = mapMetadata(extraction?.metadata ?? {}, rules.settings.fs.rawMetadata);
    for (const { key, value } of unparsable) {
      logger.debug(`Can not parse meta [${value}] for [${request.place.real}]. Skipping [${key}] field...`);
    }
    const language = meta['language'] ?? extraction?.language;
    return composeDocument({
      entry: request.entry,
      place: request.place,
      extraction,
      meta: language === undefined ? meta : { ...meta, language },
      attributes: request.attributes,
      shownLimit:
        extraction === undefined || !rules.settings.fs.indexContent
          ? undefined
          : rules.shownLimit(extraction.size, extraction.truncated),
      addFilesize: rules.settings.fs.addFilesize,
      withPages: rules.settings.fs.pageNumbers === true,
      withTimes: request.origin === 'crawl',
      nowMs: now(),
    });
  }

  /** Extracted, then static, then the folder's file, then what the request says: the last one wins. */
  #withTags(request: BuildRequest, document: CrawlDocument): CrawlDocument {
    let merged = mergeTags(document, this.#staticTags);
    if (request.folderMetadata !== undefined) merged = mergeTags(merged, parseMetadataFile(request.folderMetadata));
    return mergeTags(merged, request.tags);
  }
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
