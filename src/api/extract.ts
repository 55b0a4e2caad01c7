import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CrawlerError, messageOf, systemCode, throwIfCancelled } from '../base/errors.js';
import { silentLogger } from '../base/logger.js';
import {
  defaultLimits,
  openExtractionPool,
  type ExtractionContent,
  type ExtractionOptions,
  type ExtractorService,
  type PoolOptions,
} from '../extract/index.js';
import { checkOptions } from './check-options.js';
import type {
  ExtractInput,
  Extraction,
  ExtractLimits,
  ExtractOptions,
  Extractor,
  ExtractorOptions,
  OcrOptions,
} from './types.js';

const EXTRACT = ['name', 'passwords', 'maxCharacters', 'detectLanguage', 'checksum', 'signal'] as const;
const OPEN = ['processes', 'sandbox', 'ocr', 'limits', 'logger'] as const;
const OCR = ['language', 'path', 'dataPath', 'pdfStrategy', 'pageTimeoutMs', 'documentTimeoutMs'] as const;
const EXTRACTION = [
  ...(['text', 'truncated', 'pages', 'contentType', 'metadata', 'language', 'checksum', 'size', 'members'] as const),
  ...(['warnings', 'problem'] as const),
] as const;
const LIMITS = ['timeMs', 'memoryBytes', 'textCharacters', 'unpackedBytes', 'ratio', 'members', 'depth'] as const;

/**
 * Text and metadata of one document, in a child process that ends with it. For many documents, `openExtractor` keeps its
 * processes.
 *
 * @throws CrawlerError as `Extractor.extract` does
 */
export async function extract(
  input: ExtractInput,
  options: ExtractOptions & ExtractorOptions = {},
): Promise<Extraction> {
  checkOptions('extract', options, [...EXTRACT, ...OPEN]);
  const [opening, extracting] = [pick(options, OPEN), pick(options, EXTRACT)];
  const extractor = await openExtractor({ ...opening, processes: 1 });
  try {
    return await extractor.extract(input, extracting);
  } finally {
    await extractor.close();
  }
}

/**
 * An extractor for many documents. Its child processes are started when they are needed, and keep the program alive until it
 * is closed or they have had nothing to do for a minute.
 *
 * @throws CrawlerError `usage` for options that do not exist
 */
export async function openExtractor(options: ExtractorOptions = {}): Promise<Extractor> {
  checkOptions('openExtractor', options, OPEN);
  const { processes = availableParallelism(), ocr = false, limits = {}, logger = silentLogger } = options;
  const sandbox = sandboxOf(options.sandbox);
  checkOptions('limits', limits, LIMITS);
  if (typeof ocr === 'object') checkOptions('ocr', ocr, OCR);
  const pool = await openExtractionPool({ size: processes, logger, limits: withDefaults(limits), sandbox });
  return new PooledExtractor(pool, recognition(ocr));
}

function sandboxOf(level: unknown = 'best'): PoolOptions['sandbox'] {
  if (level === 'strict' || level === 'best' || level === 'off') return level;
  throw new CrawlerError('usage', `The option sandbox is strict, best or off, not [${String(level)}].`);
}

class PooledExtractor implements Extractor {
  readonly #pool: ExtractorService;
  readonly #ocr: ExtractionOptions['ocr'];

  constructor(pool: ExtractorService, ocr: ExtractionOptions['ocr']) {
    this.#pool = pool;
    this.#ocr = ocr;
  }

  get version(): string {
    return this.#pool.version;
  }

  async extract(input: ExtractInput, options: ExtractOptions = {}): Promise<Extraction> {
    checkOptions('extract', options, EXTRACT);
    const { signal = new AbortController().signal } = options;
    throwIfCancelled(signal);
    const { name, content, place } = await documentOf(input, options.name);
    const request = { name, place, content, options: this.#optionsOf(options) };
    const extraction = await this.#pool.extract(request, signal);
    return pick({ ...extraction, pages: extraction.pages ?? [] }, EXTRACTION);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #optionsOf({
    passwords = [],
    maxCharacters = -1,
    detectLanguage = false,
    checksum,
  }: ExtractOptions): ExtractionOptions {
    return { passwords, maxCharacters, detectLanguage, checksum, includeSource: false, ocr: this.#ocr };
  }
}

interface Document {
  readonly name: string;
  readonly place: string;
  readonly content: ExtractionContent;
}

async function documentOf(input: ExtractInput, name: string | undefined): Promise<Document> {
  if (input instanceof Uint8Array) {
    return { name: name ?? 'document', place: name ?? 'document', content: { kind: 'bytes', bytes: input } };
  }
  const path = pathOf(input);
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    (error: unknown) => {
      throw unreadable(path, error);
    },
  );
  if (!isFile) throw new CrawlerError('usage', `[${path}] is not a file. Name a file to extract.`, { subject: path });
  return { name: name ?? basename(path), place: path, content: { kind: 'path', path } };
}

/** Whatever a program without types hands over. */
function pathOf(input: unknown): string {
  if (typeof input === 'string') return resolve(input);
  if (input instanceof URL && input.protocol === 'file:') return fileURLToPath(input);
  const given = input instanceof URL ? `[${input.href}]` : `A value of type [${typeof input}]`;
  throw new CrawlerError('usage', `${given} is not a document. Give a path, a file: URL, or bytes as a Uint8Array.`);
}

function unreadable(path: string, error: unknown): CrawlerError {
  const isMissing = ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
  if (isMissing) return new CrawlerError('not_found', `[${path}] does not exist.`, { subject: path, cause: error });
  return new CrawlerError('denied', `[${path}] cannot be read: ${messageOf(error)}.`, { subject: path, cause: error });
}

function withDefaults(limits: ExtractLimits): PoolOptions['limits'] {
  const { document, worker } = defaultLimits;
  const { textCharacters = document.outputCharacters, ...others } = limits;
  return {
    timeMs: worker.documentMs,
    memoryBytes: worker.memoryBytes,
    unpackedBytes: document.unpackedBytes,
    ratio: document.ratio,
    members: document.parts,
    depth: document.depth,
    ...others,
    textBytes: textCharacters,
  };
}

function recognition(ocr: boolean | OcrOptions): ExtractionOptions['ocr'] {
  return {
    enabled: ocr !== false,
    language: 'eng',
    path: undefined,
    dataPath: undefined,
    outputType: 'txt',
    pdfStrategy: 'auto',
    pageSegMode: 1,
    preserveInterwordSpacing: false,
    pageTimeoutMs: 60_000,
    documentTimeoutMs: 1_800_000,
    ...(typeof ocr === 'object' ? ocr : {}),
  };
}

function pick<T extends object, K extends keyof T>(options: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => name in options).map((name) => [name, options[name]])) as Pick<T, K>;
}
