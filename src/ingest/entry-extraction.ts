import { readFile, stat } from 'node:fs/promises';
import { CrawlerError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { toFsPath } from '../base/path.js';
import { defaultLimits, type Extraction, type ExtractionContent, type ExtractorService } from '../extract/index.js';
import type { PasswordProvider } from '../passwords/passwords.js';
import type { DocumentRules } from './document-rules.js';
import type { IngestItem } from './ingest.js';
import { spool } from './spool.js';

export interface EntryExtractionDeps {
  readonly rules: DocumentRules;
  readonly extractor: ExtractorService;
  readonly passwords: PasswordProvider;
  readonly spoolDirectory: string;
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

/** From an entry to its extraction: a local file is handed over by path, a remote one is spooled first. */
export class EntryExtraction {
  readonly #deps: EntryExtractionDeps;

  constructor(deps: EntryExtractionDeps) {
    this.#deps = deps;
  }

  extract(item: IngestItem, signal: AbortSignal): Promise<Extraction> {
    return this.#withContent(item, signal, (content, size) => this.#extractWithPasswords(item, content, size, signal));
  }

  readText(item: IngestItem, signal: AbortSignal): Promise<string> {
    if (item.entry.size > MAX_STRUCTURED_BYTES) {
      throw new CrawlerError(
        'too_large',
        `[${item.entry.path}] is too large to be parsed as one JSON or XML document.`,
      );
    }
    return this.#withContent(item, signal, async (content) => decode(await bytesOf(content, signal)));
  }

  /** The file itself and nothing of its content, for a job that stores files without indexing what is in them. */
  readSource(item: IngestItem, signal: AbortSignal): Promise<Extraction> {
    return this.#withContent(item, signal, async (content) => {
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
    item: IngestItem,
    content: ExtractionContent,
    size: number,
    signal: AbortSignal,
  ): Promise<Extraction> {
    const { rules, extractor, passwords, logger } = this.#deps;
    const given = item.password === undefined ? [] : [item.password];
    // Copies are looked for in a tree; an upload is gone again before one could come.
    const known = item.origin === 'crawl' ? { size } : {};
    const request = { name: item.place.filename, place: item.place.real, ...known, content };
    const options = rules.extractionOptions(size, given);
    const first = await extractor.extract({ ...request, options }, signal, item.queueSignal);
    if (first.problem?.reason !== 'encrypted' || item.password !== undefined) return first;
    const candidates = await passwords.candidates(item.place.real);
    if (candidates.length === 0) return first;
    const second = await extractor.extract({ ...request, options: rules.extractionOptions(size, candidates) }, signal);
    if (second.problem?.reason === 'encrypted') {
      logger.warn(
        `Exhausted [${candidates.length}] password candidates for [${item.place.real}] without extracting content.`,
      );
    }
    return second;
  }

  async #withContent<T>(
    item: IngestItem,
    signal: AbortSignal,
    work: (content: ExtractionContent, size: number) => Promise<T>,
  ): Promise<T> {
    const path = item.source.localPath(item.entry);
    if (path !== undefined) return await work({ kind: 'path', path }, item.entry.size);
    const reading = item.queueSignal ?? signal;
    const spooled = await spool(await item.source.read(item.entry, reading), this.#deps.spoolDirectory, reading);
    try {
      return await work(spooled.content, spooled.size);
    } finally {
      await spooled.release();
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
