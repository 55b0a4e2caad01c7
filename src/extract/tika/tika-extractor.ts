import type { Logger } from '../../base/logger.js';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import { detectByHead } from '../detect/detect-type.js';
import type { Extraction, ExtractionActivity, ExtractionRequest, ExtractorService } from '../extraction.js';
import { KindTimes } from '../kind-times.js';
import { languageOf } from '../language/language.js';
import { inMegabytes, mostCharacters, type DocumentLimits } from '../limits.js';
import { SlowestDocuments } from '../slowest-documents.js';
import { base64Of, digestOf, openUpload, type DocumentUpload } from './document-upload.js';
import { requestHeaders } from './request-headers.js';
import { emptyResult, readAnswer, type TikaResult } from './tika-answer.js';
import { TikaRequests } from './tika-requests.js';
import type { TikaServer } from './tika-server.js';

/**
 * Extraction by a Tika server: `PUT /rmeta/body`, the file streamed as it is. (`/rmeta/text` would print the title once more,
 * and an empty line for every metadata.) Digest, size and base64 are made here; passwords are tried one request after another.
 *
 * A server that cannot be used says emptyResult about a document: `extract` rejects with `unavailable`.
 */
export interface TikaExtractorOptions {
  readonly server: TikaServer;
  /** `3.3.2`. */
  readonly tikaVersion: string;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly limits: DocumentLimits;
  readonly logger: Logger;
}

const SLOWEST = 10;
/** The server counts characters that are dropped or cut here more exactly. */
const MORE_CHARACTERS = 1_000;
/** In JSON a character takes at most six bytes; beside the text there are metadata. */
const BYTES_PER_CHARACTER = 6;
const METADATA_BYTES = 64 * 1024 * 1024;
/** What fits into one string. */
const MOST_ANSWER_BYTES = 480 * 1024 * 1024;

export class TikaExtractor implements ExtractorService {
  readonly version: string;
  readonly concurrency: number;
  readonly #limits: DocumentLimits;
  readonly #requests: TikaRequests;
  /** Everything that has not ended yet. */
  readonly #work = new Set<AbortController>();
  #isClosed = false;
  readonly #current = new Map<ExtractionRequest, number>();
  readonly #slowest = new SlowestDocuments(SLOWEST);
  readonly #kinds = new KindTimes();

  constructor({ server, tikaVersion, concurrency, timeoutMs, limits, logger }: TikaExtractorOptions) {
    this.version = `tika-${tikaVersion}`;
    this.concurrency = concurrency;
    this.#limits = limits;
    this.#requests = new TikaRequests({ server, concurrency, timeoutMs, logger });
  }

  async extract(request: ExtractionRequest, signal: AbortSignal, queueSignal?: AbortSignal): Promise<Extraction> {
    throwIfCancelled(signal);
    if (queueSignal !== undefined) throwIfCancelled(queueSignal);
    if (this.#isClosed) throw new CrawlerError('cancelled', 'The extraction service is closed.');
    const work = new AbortController();
    const cancel = (): void => work.abort(signal.reason);
    const drop = (): void => {
      if (!this.#current.has(request)) work.abort(queueSignal?.reason);
    };
    signal.addEventListener('abort', cancel);
    queueSignal?.addEventListener('abort', drop);
    this.#work.add(work);
    try {
      return await this.#extract(request, work.signal);
    } finally {
      this.#end(request);
      this.#work.delete(work);
      signal.removeEventListener('abort', cancel);
      queueSignal?.removeEventListener('abort', drop);
    }
  }

  activity(): ExtractionActivity {
    const now = performance.now();
    const current = [...this.#current].map(([request, since]) => ({
      document: placeOf(request),
      elapsedMs: now - since,
    }));
    return { current, waiting: this.#requests.waiting, slowest: this.#slowest.list, kinds: this.#kinds.list };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    for (const work of this.#work) work.abort();
    return Promise.resolve();
  }

  async #extract(request: ExtractionRequest, signal: AbortSignal): Promise<Extraction> {
    const document = await openUpload(request.content);
    try {
      return await this.#complete(document, request, await this.#extractText(document, request, signal));
    } finally {
      await document.close();
    }
  }

  /** Without a password first, then with each candidate. */
  async #extractText(document: DocumentUpload, request: ExtractionRequest, signal: AbortSignal): Promise<TikaResult> {
    if (document.size === 0) return emptyResult(request.name, undefined, detectByHead(new Uint8Array(), request.name));
    let result = await this.#ask(document, request, undefined, signal);
    for (const password of request.options.passwords) {
      if (result.problem?.reason !== 'encrypted') break;
      result = await this.#ask(document, request, password, signal);
    }
    return result;
  }

  async #ask(
    document: DocumentUpload,
    request: ExtractionRequest,
    password: string | undefined,
    signal: AbortSignal,
  ): Promise<TikaResult> {
    const characters = mostCharacters(request.options, this.#limits);
    const writeLimit = characters + MORE_CHARACTERS;
    const reply = await this.#requests.ask(
      {
        id: `${placeOf(request)} ${document.size}`,
        path: characters === 0 ? 'rmeta/ignore' : 'rmeta/body',
        document,
        mostAnswerBytes: Math.min(MOST_ANSWER_BYTES, writeLimit * BYTES_PER_CHARACTER + METADATA_BYTES),
        headers: (serverTimeoutMs) =>
          requestHeaders(request, { password, writeLimit, mostParts: this.#limits.parts, serverTimeoutMs }),
      },
      () => this.#begin(request),
      signal,
    );
    if (reply.kind === 'problem') return emptyResult(request.name, reply.problem, await typeOf(document, request));
    const result = readAnswer(reply.body, request, { characters });
    if (result === undefined) {
      throw new CrawlerError('unavailable', 'What answers at extractor.tika.url is not a Tika server.');
    }
    return result;
  }

  async #complete(
    document: DocumentUpload,
    { name, options }: ExtractionRequest,
    result: TikaResult,
  ): Promise<Extraction> {
    const { checksum, includeSource, detectLanguage } = options;
    const { sourceBytes, outputCharacters } = this.#limits;
    const isSourceTooLarge = includeSource && document.size > sourceBytes;
    const isAtLimit = result.truncated && result.text.length === outputCharacters;
    return {
      ...result,
      metadata: { ...result.metadata, resourceName: [name], 'Content-Length': [String(document.size)] },
      language: detectLanguage ? await languageOf(result.text) : undefined,
      checksum: checksum === undefined ? undefined : await digestOf(document, checksum),
      source: includeSource && !isSourceTooLarge ? await base64Of(document) : undefined,
      size: document.size,
      warnings: isSourceTooLarge
        ? [...result.warnings, `The file is not stored as source: it has more than ${inMegabytes(sourceBytes)}.`]
        : result.warnings,
      problem:
        result.problem ??
        (isAtLimit
          ? {
              reason: 'too_large',
              message: `The text is cut after ${outputCharacters} characters, the most that is kept.`,
            }
          : undefined),
    };
  }

  #begin(request: ExtractionRequest): void {
    if (!this.#current.has(request)) this.#current.set(request, performance.now());
  }

  #end(request: ExtractionRequest): void {
    const since = this.#current.get(request);
    if (since === undefined) return;
    this.#current.delete(request);
    const elapsedMs = performance.now() - since;
    this.#slowest.add(placeOf(request), elapsedMs);
    this.#kinds.add(request.name, request.size ?? 0, elapsedMs);
  }
}

const HEAD_BYTES = 64 * 1024;

/** The type by the first bytes and the name, where the server does not tell. */
async function typeOf(document: DocumentUpload, { name }: ExtractionRequest): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of document.stream(HEAD_BYTES)) chunks.push(chunk as Buffer);
  return detectByHead(Buffer.concat(chunks), name);
}

function placeOf({ place, name }: ExtractionRequest): string {
  return place ?? name;
}
