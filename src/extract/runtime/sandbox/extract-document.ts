import { CrawlerError, messageOf } from '../../../base/errors.js';
import type { Problem, Reason } from '../../../model/reason.js';
import { detectByHead, lookInside, needsLookInside } from '../../detect/detect-type.js';
import type { Extraction, ExtractionOptions } from '../../extraction.js';
import { languageOf } from '../../language/language.js';
import { inMegabytes, type DocumentLimits } from '../../limits.js';
import { findOcrEngine } from '../../ocr/document-ocr.js';
import { defaultOcrScheduler, type OcrScheduler } from '../../ocr/ocr-scheduler.js';
import type { PartialResult } from '../channel/check-extraction.js';
import { openDocument, type DocumentBytes } from './document-bytes.js';
import { DocumentContext, type FormatLookup, type ReadableFormat } from './document-context.js';
import { DocumentState } from './document-state.js';
import type { PartialResultLog } from './partial-result-log.js';
import type { SandboxContent, SandboxRequest } from './sandbox-input.js';

/**
 * Extracts one document inside the sandbox process: read, detect, extract, digest. Every document results in an Extraction;
 * only a path that cannot be opened or read throws.
 */
export interface DocumentExtractorParts {
  readonly limits: DocumentLimits;
  readonly findFormat: FormatLookup;
  /** Sends the answers that are held back. Called before a format that may take long. */
  flush(): void;
  readonly scheduler?: OcrScheduler;
  readonly partialResult?: PartialResultLog;
}

/** Enough bytes to detect a type. */
const HEAD_BYTES = 64 * 1024;
/** The longest encoding of a character in any character set. */
const BYTES_PER_CHARACTER = 4;

export async function extractDocument(request: SandboxRequest, parts: DocumentExtractorParts): Promise<Extraction> {
  const document = documentOf(request.content);
  try {
    const extraction = new DocumentRun(request, document, parts);
    return await extraction.run();
  } finally {
    document.close();
  }
}

function documentOf(content: SandboxContent): DocumentBytes {
  if (content.kind === 'opened') return content.document;
  if (content.kind === 'unreadable') throw content.error;
  return openDocument(content);
}

class DocumentRun {
  readonly #request: SandboxRequest;
  readonly #document: DocumentBytes;
  readonly #parts: DocumentExtractorParts;
  readonly #state: DocumentState;
  readonly #context: DocumentContext;

  constructor(request: SandboxRequest, document: DocumentBytes, parts: DocumentExtractorParts) {
    this.#request = request;
    this.#document = document;
    this.#parts = parts;
    this.#state = new DocumentState(request.options, parts.limits, document.size, {
      scheduler: parts.scheduler ?? defaultOcrScheduler(),
      partialResult: parts.partialResult,
      findOcr: request.content.kind === 'opened' ? request.content.findOcr : findOcrEngine,
    });
    const level = { name: request.name, depth: 0, path: '' };
    this.#context = new DocumentContext(this.#state, parts.findFormat, level);
  }

  async run(): Promise<Extraction> {
    const { options } = this.#request;
    this.#parts.partialResult?.begin(() => this.#soFar());
    await this.#extractText();
    if (this.#state.text.truncated && this.#state.text.length === this.#parts.limits.outputCharacters) {
      this.#report('too_large', `The text is cut after ${this.#state.text.length} characters, the maximum.`);
    }
    const text = this.#state.text.toString();
    return {
      text,
      truncated: this.#state.text.truncated,
      pages: this.#state.pages,
      contentType: this.#context.fullContentType,
      metadata: this.#metadata(),
      language: options.detectLanguage ? await languageOf(text) : undefined,
      checksum: options.checksum === undefined ? undefined : this.#document.digest(options.checksum),
      source: options.includeSource ? this.#source() : undefined,
      size: this.#document.size,
      members: this.#state.members,
      warnings: this.#state.warnings,
      problem: this.#state.problem,
    };
  }

  #soFar(): PartialResult {
    return {
      text: this.#state.text.toString(),
      pages: this.#state.pages,
      members: this.#state.members,
      warnings: this.#state.warnings,
      contentType: this.#context.fullContentType,
      metadata: this.#context.metadata.build(),
    };
  }

  async #extractText(): Promise<void> {
    const { name, options } = this.#request;
    const head = this.#document.first(HEAD_BYTES);
    let type = detectByHead(head, name);
    if (needsLookInside(head) && this.#document.size <= this.#parts.limits.fileBytes) {
      type = await lookInside(type, this.#document.first(this.#parts.limits.fileBytes), name);
    }
    this.#context.contentType(type);
    if (this.#document.size === 0) return;
    const format = this.#parts.findFormat(type);
    if (format === undefined) {
      this.#report('unsupported', `No extractor supports the type [${type}].`);
      return;
    }
    if (format.needs !== 'text') this.#parts.flush();
    const bytes = this.#bytesFor(format, options);
    if (bytes === undefined) return;
    try {
      await this.#context.extract(bytes, type);
    } catch (error) {
      this.#report(...reasonOf(error));
    } finally {
      await this.#state.ocr.close();
    }
  }

  /** The bytes that the format can use; undefined when it needs all of a document that is too large. */
  #bytesFor(format: ReadableFormat, options: ExtractionOptions): Uint8Array | undefined {
    const { fileBytes, headBytes, outputCharacters } = this.#parts.limits;
    const { size } = this.#document;
    if (format.needs === 'text') {
      const characters =
        options.maxCharacters < 0 ? outputCharacters : Math.min(options.maxCharacters, outputCharacters);
      const enough = characters * BYTES_PER_CHARACTER + HEAD_BYTES;
      if (enough <= fileBytes || size <= fileBytes) return this.#document.first(Math.min(enough, fileBytes));
    }
    if (format.needs === 'head') return this.#document.first(size <= fileBytes ? size : headBytes);
    if (size <= fileBytes) return this.#document.first(size);
    this.#report('too_large', `The file has ${inMegabytes(size)}; at most ${inMegabytes(fileBytes)} are read.`);
    return format.needs === 'whole' ? undefined : this.#document.first(fileBytes);
  }

  #metadata(): Extraction['metadata'] {
    const { metadata } = this.#context;
    metadata.set('Content-Type', this.#context.fullContentType);
    metadata.set('Content-Length', String(this.#document.size));
    metadata.set('resourceName', this.#request.name);
    for (const extractor of this.#state.extractors) metadata.add('tk:Parsed-By-Full-Set', extractor);
    return metadata.build();
  }

  #source(): string | undefined {
    const { sourceBytes } = this.#parts.limits;
    if (this.#document.size > sourceBytes) {
      this.#state.warn(`The file is not stored as source: it is larger than ${inMegabytes(sourceBytes)}.`);
      return undefined;
    }
    const bytes = this.#document.first(this.#document.size);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  }

  #report(reason: Reason, message: string): void {
    this.#state.report({ reason, message } satisfies Problem);
  }
}

/** The codes with which a format ends a document. Any other error means that the content is malformed in an unforeseen way. */
const REASONS: ReadonlySet<string> = new Set([
  'encrypted',
  'corrupt',
  'too_large',
  'unsupported',
  'timed_out',
  'internal',
]);
const LONGEST_MESSAGE = 200;
/** What V8 and Node throw when the system refuses an allocation. */
const NO_MEMORY = /^(?:Array buffer allocation failed|Failed to allocate memory)$/;

function reasonOf(error: unknown): [reason: Reason, message: string] {
  if (error instanceof CrawlerError && REASONS.has(error.code)) return [error.code as Reason, error.message];
  if (error instanceof Error && NO_MEMORY.test(error.message)) {
    return ['too_large', 'Extraction needed more memory than a document may use.'];
  }
  const message = messageOf(error).split('\n', 1)[0] ?? '';
  return ['corrupt', `The content could not be read: ${message.slice(0, LONGEST_MESSAGE)}`];
}
