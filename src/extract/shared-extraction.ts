import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { extensionOf, toFsPath } from '../base/path.js';
import { KindTimes } from './kind-times.js';
import type { Extraction, ExtractionActivity, ExtractionRequest, ExtractorService } from './extraction.js';

/**
 * Extracts equal files once: copies of a document lie in many folders of a real tree, and each costs as much as the first.
 *
 * Only a file of the same size, extension and options as one that was extracted a while ago is looked at more closely: both
 * are digested, and only when the bytes are equal, and the first file is still as it was when it was extracted, its
 * extraction is used for both. What is remembered is bounded by the length of its texts.
 */
export interface SharedExtractionOptions {
  /** Bytes from which on an extraction costs more than the digests. */
  readonly leastBytes: number;
  /** Bytes up to which digesting is quick. */
  readonly mostBytes: number;
  /** Characters of text that are remembered. */
  readonly characters: number;
}

const DEFAULTS: SharedExtractionOptions = {
  leastBytes: 32 * 1024,
  mostBytes: 256 * 1024 * 1024,
  characters: 8_000_000,
};

type LocalPath = string | Uint8Array;

/** An extraction that copies of its file may use. */
interface Shared {
  readonly path: LocalPath;
  readonly version: Promise<string>;
  readonly extraction: Promise<Extraction>;
  digest: Promise<string> | undefined;
  characters: number;
}

export class SharedExtraction implements ExtractorService {
  readonly #extractor: ExtractorService;
  readonly #options: SharedExtractionOptions;
  /** By what must be equal at first sight; in the order of their last use. */
  readonly #known = new Map<string, Shared>();
  readonly #others = new KindTimes();
  #characters = 0;

  constructor(extractor: ExtractorService, options: Partial<SharedExtractionOptions> = {}) {
    this.#extractor = extractor;
    this.#options = { ...DEFAULTS, ...options };
  }

  get version(): string {
    return this.#extractor.version;
  }

  get concurrency(): number {
    return this.#extractor.concurrency;
  }

  activity(): ExtractionActivity {
    const activity = this.#extractor.activity();
    return { ...activity, kinds: [...(activity.kinds ?? []), ...this.#others.list] };
  }

  /** What was extracted elsewhere says as well how long documents of its kind take. */
  addTime(name: string, bytes: number, elapsedMs: number): void {
    this.#others.add(name, bytes, elapsedMs);
  }

  close(): Promise<void> {
    return this.#extractor.close();
  }

  extract(request: ExtractionRequest, signal: AbortSignal, queueSignal?: AbortSignal): Promise<Extraction> {
    const { content, size = 0 } = request;
    const { leastBytes, mostBytes } = this.#options;
    const start = (): Promise<Extraction> => this.#extractor.extract(request, signal, queueSignal);
    if (content.kind !== 'path' || size < leastBytes || size > mostBytes) return start();
    return this.#extractOnce(request, content.path, start);
  }

  async #extractOnce(
    request: ExtractionRequest,
    path: LocalPath,
    start: () => Promise<Extraction>,
  ): Promise<Extraction> {
    const key = keyOf(request);
    const known = this.#known.get(key);
    if (known !== undefined) {
      const shared = await this.#reuse(known, path, request.name);
      if (shared !== undefined) {
        this.#touch(key, known);
        return shared;
      }
    }
    return await this.#extractAndRemember(path, key, start);
  }

  /** The extraction of an equal file, under another name; undefined when there is any doubt. */
  async #reuse(known: Shared, path: LocalPath, name: string): Promise<Extraction | undefined> {
    try {
      known.digest ??= digestOf(known.path);
      const [first, second] = await Promise.all([known.digest, digestOf(path)]);
      if (first !== second || (await versionOf(known.path)) !== (await known.version)) return undefined;
      const extraction = await known.extraction;
      if (!isShareable(extraction)) return undefined;
      return { ...extraction, metadata: { ...extraction.metadata, resourceName: [name] } };
    } catch {
      // One of the two files is not there any more, or the first extraction was cancelled.
      return undefined;
    }
  }

  async #extractAndRemember(path: LocalPath, key: string, start: () => Promise<Extraction>): Promise<Extraction> {
    // Known before the first step, so that copies that come meanwhile wait for this one.
    const version = versionOf(path);
    const extraction = version.then(start, start);
    const shared: Shared = { path, version, extraction, digest: undefined, characters: 0 };
    this.#remember(key, shared);
    try {
      const done = await extraction;
      if (!isShareable(done)) this.#forget(key, shared);
      else this.#account(key, shared, done.text.length);
      return done;
    } catch (error) {
      this.#forget(key, shared);
      throw error;
    }
  }

  #remember(key: string, shared: Shared): void {
    const before = this.#known.get(key);
    if (before !== undefined) this.#forget(key, before);
    this.#known.set(key, shared);
  }

  #touch(key: string, shared: Shared): void {
    if (this.#known.get(key) !== shared) return;
    this.#known.delete(key);
    this.#known.set(key, shared);
  }

  #account(key: string, shared: Shared, characters: number): void {
    if (this.#known.get(key) !== shared) return;
    shared.characters = characters + ENTRY_CHARACTERS;
    this.#characters += shared.characters;
    for (const [oldest, each] of this.#known) {
      if (this.#characters <= this.#options.characters) return;
      this.#forget(oldest, each);
    }
  }

  #forget(key: string, shared: Shared): void {
    if (this.#known.get(key) !== shared) return;
    this.#known.delete(key);
    this.#characters -= shared.characters;
  }
}

/** What an entry costs besides its text. */
const ENTRY_CHARACTERS = 2000;

/** Another extension can mean another type, other options another text. */
function keyOf({ name, size, options }: ExtractionRequest): string {
  return JSON.stringify([size, extensionOf(name), options]);
}

/** A failure may have been bad luck, and its sentence may name the file. */
function isShareable(extraction: Extraction): boolean {
  return extraction.problem === undefined && extraction.warnings.length === 0 && extraction.source === undefined;
}

/** Changes whenever the file does. */
async function versionOf(path: LocalPath): Promise<string> {
  const { size, mtimeNs, ctimeNs, ino } = await stat(toFsPath(path), { bigint: true });
  return [size, mtimeNs, ctimeNs, ino].join(' ');
}

async function digestOf(path: LocalPath): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(toFsPath(path)), hash);
  return hash.digest('hex');
}
