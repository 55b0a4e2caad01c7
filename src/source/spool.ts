import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { diskFull, isDiskFull } from '../base/disk-full.js';
import { CrawlerError, messageOf, systemCode } from '../base/errors.js';
import { makeFolder } from '../base/make-folder.js';

/**
 * Bytes from the network, held until their document is indexed: up to 64 KiB in memory, up to 256 KiB as long as all that is held
 * has no more than 16 MiB, and else in a temp file that only this user may read. The stream is consumed chunk by chunk, so
 * that memory does not depend on its length.
 *
 * A temp file is called `spool-<host>-<pid>-<process>-<uuid>`. A killed process leaves its files behind; the next one
 * sweeps those whose owner is gone. The name tells a live neighbour (another job with the same fs.temp_dir) from the dead.
 */
const SMALL = 64 * 1024;
const MEDIUM = 256 * 1024;
const MEMORY_LIMIT = 16 * 1024 * 1024;
const PREFIX = 'spool-';
const STALE_MS = 24 * 60 * 60 * 1000;
const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** Container processes get the same pid again and again; this tells one life from the next. */
const LIFE = randomUUID().slice(0, 8);

/** Bytes that the streams of one request may have together. */
export class ByteBudget {
  readonly bytes: number;
  #left: number;

  constructor(bytes: number) {
    this.bytes = bytes;
    this.#left = bytes;
  }

  /** False when there are fewer left. */
  take(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }
}

/**
 * What it holds. `requests`: what callers send or have fetched; the service prepares the folder, and no sentence names it,
 * since callers are on other machines. `crawl`: remote files; the folder is made when the first of them needs it.
 */
export type SpoolPurpose = 'requests' | 'crawl';

export interface ReceiveOptions {
  /** Most bytes that are taken; all of them unless given. */
  readonly limit?: number | ByteBudget;
  /** Gives the stream up, and destroys it. */
  readonly signal?: AbortSignal;
}

const FOLDER = 'The folder for temporary files (fs.temp_dir)';

export class Spool {
  readonly #folder: string;
  readonly #purpose: SpoolPurpose;
  readonly #memory = new Memory();

  constructor(folder: string, purpose: SpoolPurpose) {
    this.#folder = folder;
    this.#purpose = purpose;
  }

  /** Creates the folder and removes what killed processes left there. Throws `settings_invalid`. */
  async prepare(): Promise<void> {
    makeFolder(this.#folder, FOLDER);
    try {
      await sweep(this.#folder);
    } catch (error) {
      throw new CrawlerError(
        'settings_invalid',
        `The folder for uploads [${this.#folder}] cannot be used: ${messageOf(error)}. Set fs.temp_dir to a folder that the crawler may write to.`,
        { cause: error, subject: this.#folder },
      );
    }
  }

  /** Removes what killed processes left in the folder, if there is one. */
  async clean(): Promise<void> {
    await sweep(this.#folder).catch(() => undefined);
  }

  /**
   * Takes the whole stream. Throws `too_large` beyond its limit, `disk_full` when the disk is, and whatever the
   * stream fails with; nothing is left on the disk then. Without a signal the stream is never destroyed, only drained: a
   * multipart parser could not continue with the next part otherwise.
   */
  async receive(stream: Readable, { limit = Infinity, signal }: ReceiveOptions = {}): Promise<SpooledFile> {
    const budget = typeof limit === 'number' ? new ByteBudget(limit) : limit;
    const intake = new Intake(() => this.#temporaryFile(), budget, this.#memory);
    if (signal !== undefined) addAbortSignal(signal, stream);
    try {
      const chunks: AsyncIterable<Buffer> = stream.iterator({ destroyOnReturn: false });
      for await (const chunk of chunks) await intake.take(chunk);
      return await intake.finish();
    } catch (error) {
      await intake.discard();
      stream.on('error', () => undefined);
      if (signal === undefined) stream.resume();
      else stream.destroy();
      throw this.#purpose === 'requests' ? requestFailure(error) : crawlFailure(error, this.#folder);
    }
  }

  #temporaryFile(): string {
    if (this.#purpose === 'crawl') makeFolder(this.#folder, FOLDER);
    return join(this.#folder, `${PREFIX}${HOST}-${process.pid}-${LIFE}-${randomUUID()}`);
  }
}

/** What streams and files hold in memory. */
class Memory {
  #held = 0;

  hold(bytes: number): void {
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }

  /** Whether a file of this size, which is held, may stay. */
  allows(size: number): boolean {
    return size <= SMALL || (size <= MEDIUM && this.#held <= MEMORY_LIMIT);
  }
}

/** One stream on its way in. */
class Intake {
  readonly #temporaryFile: () => string;
  readonly #budget: ByteBudget;
  readonly #memory: Memory;
  #size = 0;
  #chunks: Buffer[] = [];
  #handle: FileHandle | undefined;
  #path: string | undefined;

  constructor(temporaryFile: () => string, budget: ByteBudget, memory: Memory) {
    this.#temporaryFile = temporaryFile;
    this.#budget = budget;
    this.#memory = memory;
  }

  async take(chunk: Buffer): Promise<void> {
    this.#size += chunk.length;
    if (!this.#budget.take(chunk.length)) {
      throw new CrawlerError(
        'too_large',
        `The document is larger than the ${this.#budget.bytes} bytes that are allowed.`,
      );
    }
    if (this.#handle !== undefined) return writeAll(this.#handle, chunk);
    this.#chunks.push(chunk);
    this.#memory.hold(chunk.length);
    if (!this.#memory.allows(this.#size)) await this.#moveToDisk();
  }

  async finish(): Promise<SpooledFile> {
    if (this.#path === undefined)
      return new SpooledFile(this.#size, { kind: 'bytes', bytes: Buffer.concat(this.#chunks) }, () => this.#release());
    await this.#handle?.close();
    this.#handle = undefined;
    return new SpooledFile(this.#size, { kind: 'path', path: this.#path });
  }

  async discard(): Promise<void> {
    this.#release();
    await this.#handle?.close().catch(() => undefined);
    if (this.#path !== undefined) await rm(this.#path, { force: true });
  }

  async #moveToDisk(): Promise<void> {
    const path = this.#temporaryFile();
    this.#handle = await open(path, 'wx', 0o600);
    this.#path = path;
    for (const chunk of this.#chunks) await writeAll(this.#handle, chunk);
    this.#release();
  }

  #release(): void {
    for (const { length } of this.#chunks) this.#memory.release(length);
    this.#chunks = [];
  }
}

/** A `FileContent`. */
export type SpooledContent =
  { readonly kind: 'path'; readonly path: string } | { readonly kind: 'bytes'; readonly bytes: Buffer };

/** What was received. Whoever holds it calls `remove` when it is done with it, whatever happened. */
export class SpooledFile {
  readonly size: number;
  readonly content: SpooledContent;

  readonly #release: () => void;

  constructor(size: number, content: SpooledContent, release: () => void = () => undefined) {
    this.size = size;
    this.content = content;
    this.#release = release;
  }

  async bytes(): Promise<Buffer> {
    return this.content.kind === 'bytes' ? this.content.bytes : await readFile(this.content.path);
  }

  async remove(): Promise<void> {
    this.#release();
    if (this.content.kind === 'path') await rm(this.content.path, { force: true });
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten;
}

async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(PREFIX) || !(await isLeftover(folder, name))) continue;
    // It may be another user's, who shares the folder.
    await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

async function isLeftover(folder: string, name: string): Promise<boolean> {
  const [host, pid, life] = name.slice(PREFIX.length).split('-');
  if (host === HOST && Number(pid) === process.pid) return life !== LIFE;
  if (host === HOST && !isAlive(Number(pid))) return true;
  const found = await stat(join(folder, name)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

function crawlFailure(error: unknown, folder: string): unknown {
  return isDiskFull(error) ? diskFull(folder, error, 'It is fs.temp_dir.') : error;
}

function requestFailure(error: unknown): unknown {
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new CrawlerError(
        'disk_full',
        'The document could not be received: the disk of the folder for uploads (fs.temp_dir) is full. Free some space, and send it again.',
        { cause: error },
      );
    case 'EACCES':
    case 'EROFS':
    case 'ENOENT':
      return new CrawlerError(
        'unavailable',
        'The document could not be received: the folder for uploads (fs.temp_dir) cannot be written.',
        { cause: error },
      );
    default:
      return error;
  }
}
