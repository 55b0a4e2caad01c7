import { CrawlerError, messageOf } from '../../../base/errors.js';
import { detectType } from '../../detect/detect-type.js';
import type {
  EmbeddedPart,
  Format,
  FormatContext,
  FormatExtractor,
  FormatInput,
  TextRecognition,
} from '../../format.js';
import { inMegabytes } from '../../limits.js';
import type { DocumentState } from './document-state.js';
import type { Level } from './level.js';
import { LevelRecognition } from './level-recognition.js';
import { MetadataBuilder } from '../../metadata-builder.js';

/** The part of a format that is needed to read a document. */
export type ReadableFormat = Pick<Format, 'name' | 'needs' | 'load'>;

/** Finds the format of a media type. */
export type FormatLookup = (mediaType: string) => ReadableFormat | undefined;

/** How often a document may be passed on as another format. */
const MOST_CONTINUATIONS = 8;
/** A part that ends with one of these has used up the budget of the whole document. */
const ENDS_DOCUMENT: ReadonlySet<string> = new Set(['too_large', 'timed_out']);

/**
 * One level of a document: the document itself, or a part inside it. All levels share one text and one budget, but each has
 * its own metadata and content type.
 */
export class DocumentContext implements FormatContext {
  readonly metadata = new MetadataBuilder();
  readonly ocr: TextRecognition;
  readonly #state: DocumentState;
  readonly #findFormat: FormatLookup;
  readonly #level: Level;
  #mediaType = '';
  #contentType = '';
  #sincePart = 0;
  #continuations = 0;

  constructor(state: DocumentState, findFormat: FormatLookup, level: Level) {
    this.#state = state;
    this.#findFormat = findFormat;
    this.#level = level;
    this.ocr = new LevelRecognition(state, level, {
      warn: (message) => this.warn(message),
      usedEngine: (name) => this.#usedExtractor(name),
    });
  }

  get fullContentType(): string {
    return this.#contentType;
  }

  get full(): boolean {
    return this.#state.text.full;
  }

  get passwords(): readonly string[] {
    return this.#state.options.passwords;
  }

  get options(): FormatContext['options'] {
    return { ocr: this.#state.options.ocr };
  }

  write(text: string): void {
    this.#state.write(text);
  }

  page(): void {
    if (this.#level.depth === 0) this.#state.startPage();
  }

  meta(key: string, value: string | number | boolean | Date | undefined): void {
    this.metadata.add(key, value);
  }

  setMeta(key: string, value: string): void {
    this.metadata.set(key, value);
  }

  contentType(type: string): void {
    this.#contentType = type;
  }

  warn(message: string): void {
    this.#state.warn(this.#level.path === '' ? message : `[${this.#level.path}] ${message}`);
  }

  countBytes(bytes: number): void {
    this.#sincePart += bytes;
    if (this.#sincePart > this.#state.limits.entryBytes) {
      throw new CrawlerError(
        'too_large',
        `One part unpacks to more than ${inMegabytes(this.#state.limits.entryBytes)}.`,
      );
    }
    this.#state.countBytes(bytes);
  }

  /** Extracts bytes with the format of the media type; returns false when there is none. */
  async extract(bytes: Uint8Array, mediaType: string): Promise<boolean> {
    this.#mediaType = mediaType;
    this.#contentType = mediaType;
    const format = this.#findFormat(mediaType);
    if (format === undefined) return false;
    const extractor = loaded.get(format) ?? (await load(format));
    this.#usedExtractor(format.name);
    const input: FormatInput = { name: this.#level.name, mediaType, bytes };
    await extractor.extract(input, this);
    return true;
  }

  async continueAs(bytes: Uint8Array, mediaType?: string): Promise<void> {
    this.#continuations++;
    if (this.#continuations > MOST_CONTINUATIONS) {
      throw new CrawlerError('too_large', 'The document contains itself again and again.');
    }
    const from = this.#mediaType;
    const type = mediaType ?? (await detectType(bytes, this.#level.name));
    if (type === from && this.#continuations > 1) throw new CrawlerError('corrupt', 'The document unpacks to itself.');
    if (!(await this.extract(bytes, type))) {
      throw new CrawlerError('unsupported', `No extractor supports the type [${type}] of its content.`);
    }
  }

  async embedded(part: EmbeddedPart): Promise<void> {
    if (this.full) return;
    this.#sincePart = 0;
    this.#state.countPart();
    const level = this.#levelBelow(part);
    if (level.depth > this.#state.limits.depth) {
      this.#state.report({
        reason: 'too_large',
        message: `Parts are nested deeper than ${this.#state.limits.depth} levels.`,
      });
      return;
    }
    if (part.bytes.length > this.#state.limits.entryBytes) {
      const most = inMegabytes(this.#state.limits.entryBytes);
      this.#state.report({ reason: 'too_large', message: `The part [${level.path}] is larger than ${most}.` });
      return;
    }
    if (part.printName !== false && part.name !== '') this.write(`\n${part.name}\n`);
    const from = this.#state.text.length;
    const child = new DocumentContext(this.#state, this.#findFormat, level);
    try {
      await child.#extractPart(part);
    } finally {
      this.#state.members.push({
        name: part.name,
        contentType: child.fullContentType,
        depth: level.depth,
        from,
        to: this.#state.text.length,
        metadata: child.metadata.build(),
      });
    }
    if (this.#state.text.length > from) this.write('\n');
  }

  /** A part that cannot be read costs a warning; an exhausted budget ends the document. */
  async #extractPart(part: EmbeddedPart): Promise<void> {
    const mediaType = part.mediaType ?? (await detectType(part.bytes, part.name));
    this.metadata.add('resourceName', part.name);
    this.metadata.add('Content-Length', part.bytes.length);
    this.metadata.add('tk:embedded_depth', this.#level.depth);
    this.metadata.add('tk:embedded_resource_path', this.#level.path);
    try {
      if (part.bytes.length === 0) this.#contentType = mediaType;
      else await this.extract(part.bytes, mediaType);
    } catch (error) {
      if (error instanceof CrawlerError && ENDS_DOCUMENT.has(error.code)) throw error;
      this.warn(messageOf(error));
    } finally {
      this.metadata.set('Content-Type', this.#contentType);
    }
  }

  #usedExtractor(name: string): void {
    this.metadata.add('tk:Parsed-By', name);
    this.#state.extractors.add(name);
  }

  #levelBelow(part: EmbeddedPart): Level {
    const name = part.name === '' ? `embedded-${this.#state.members.length + 1}` : part.name;
    return { name: part.name, depth: this.#level.depth + 1, path: `${this.#level.path}/${name}` };
  }
}

/** Another import of the same module costs as much as the rest of a small text. */
const loaded = new WeakMap<ReadableFormat, FormatExtractor>();

async function load(format: ReadableFormat): Promise<FormatExtractor> {
  try {
    const extractor = await format.load();
    loaded.set(format, extractor);
    return extractor;
  } catch (cause) {
    throw new CrawlerError('internal', `The extractor [${format.name}] cannot be loaded: ${messageOf(cause)}`, {
      cause,
    });
  }
}
