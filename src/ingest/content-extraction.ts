import { readFile, stat } from 'node:fs/promises';
import { CrawlerError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { toFsPath } from '../base/path.js';
import { defaultLimits, type Extraction, type ExtractionContent, type ExtractorService } from '../extract/index.js';
import type { PasswordProvider } from '../passwords/passwords.js';
import type { Spool } from '../source/spool.js';
import type { DocumentRules } from './document-rules.js';
import type { BuildRequest } from './ingest.js';

export interface ContentExtractionDeps {
  readonly rules: DocumentRules;
  readonly extractor: Pick<ExtractorService, 'extract'>;
  readonly passwords: PasswordProvider;
  /** Where remote files are held while they are extracted. */
  readonly spool: Spool;
  readonly logger: Logger;
}

/** Largest file that a json or xml job takes: it is parsed as a whole. */
const MAX_STRUCTURED_BYTES = 256 * 1024 * 1024;
/** Largest file that is stored as base64. */
const MAX_SOURCE_BYTES = defaultLimits.document.sourceBytes;
const MAX_SOURCE_MIB = MAX_SOURCE_BYTES / 1024 / 1024;

const NOTHING: Extraction = {
  text: '',
  truncated: false,
  contentType: undefined,
  metadata: {},
  language: undefined,
  checksum: undefined,
  source: undefined,
  size: 0,
  members: [],
  warnings: [],
  problem: undefined,
};

/** From content to its extraction: a local file is handed over by path, a remote one is spooled first. */
export class ContentExtraction {
  readonly #deps: ContentExtractionDeps;

  constructor(deps: ContentExtractionDeps) {
    this.#deps = deps;
  }

  extract(request: BuildRequest, signal: AbortSignal): Promise<Extraction> {
    return this.#withContent(request, signal, (content, size) =>
      this.#extractWithPasswords(request, content, size, signal),
    );
  }

  readText(request: BuildRequest, signal: AbortSignal): Promise<string> {
    if (request.entry.size > MAX_STRUCTURED_BYTES) {
      throw new CrawlerError(
        'too_large',
        `[${request.entry.path}] is too large to be parsed as one JSON or XML document.`,
      );
    }
    return this.#withContent(request, signal, async (content) => decode(await bytesOf(content, signal)));
  }

  /** The file itself and nothing of its content, for a job that stores files without indexing what is in them. */
  readSource(request: BuildRequest, signal: AbortSignal): Promise<Extraction> {
    return this.#withContent(request, signal, async (content) => {
      const size = content.kind === 'bytes' ? content.bytes.length : (await stat(toFsPath(content.path))).size;
      const isTooLarge = size > MAX_SOURCE_BYTES;
      return {
        ...NOTHING,
        size,
        source: isTooLarge ? undefined : (await bytesOf(content, signal)).toString('base64'),
        warnings: isTooLarge ? [`The file is not stored as source: it has more than ${MAX_SOURCE_MIB} MB.`] : [],
      };
    });
  }

  /** Without a password first; the candidates are only asked for (sidecar files!) when the document turns out to need one. */
  async #extractWithPasswords(
    request: BuildRequest,
    content: ExtractionContent,
    size: number,
    signal: AbortSignal,
  ): Promise<Extraction> {
    const { rules, extractor, passwords, logger } = this.#deps;
    const given = request.password === undefined ? [] : [request.password];
    // Copies are looked for in a tree; an upload is gone again before one could come.
    const known = request.origin === 'crawl' ? { size } : {};
    const extracted = { name: request.place.filename, place: request.place.real, ...known, content };
    const options = rules.extractionOptions(size, given);
    const first = await extractor.extract({ ...extracted, options }, signal, request.queueSignal);
    if (first.problem?.reason !== 'encrypted' || request.password !== undefined) return first;
    const candidates = await passwords.candidates(request.place.real);
    if (candidates.length === 0) return first;
    const second = await extractor.extract(
      { ...extracted, options: rules.extractionOptions(size, candidates) },
      signal,
    );
    if (second.problem?.reason === 'encrypted') {
      logger.warn(
        `Exhausted [${candidates.length}] password candidates for [${request.place.real}] without extracting content.`,
      );
    }
    return second;
  }

  async #withContent<T>(
    request: BuildRequest,
    signal: AbortSignal,
    work: (content: ExtractionContent, size: number) => Promise<T>,
  ): Promise<T> {
    const { content, entry, queueSignal: reading = signal } = request;
    if (content.kind === 'path') return await work(content, entry.size);
    if (content.kind === 'bytes') return await work(content, content.bytes.length);
    const spooled = await this.#deps.spool.receive(await content.open(reading), { signal: reading });
    try {
      return await work(spooled.content, spooled.size);
    } finally {
      await spooled.remove();
    }
  }
}

async function bytesOf(content: ExtractionContent, signal: AbortSignal): Promise<Buffer> {
  return content.kind === 'bytes' ? Buffer.from(content.bytes) : await readFile(toFsPath(content.path), { signal });
}

/** UTF-8, or UTF-16 by its byte order mark; the mark itself is dropped. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}
