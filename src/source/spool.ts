import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CrawlerError, messageOf, systemCode } from '../base/errors.js';
import { makeFolder } from '../base/make-folder.js';

/**
 * Bytes from the network, held until their document is indexed: up to 64 KiB in memory, above that in a temp file. The
 * stream is consumed chunk by chunk, so that memory does not depend on its length.
 *
 * A temp file is called `spool-<host>-<pid>-<process>-<uuid>`. A killed process leaves its files behind; the next one
 * sweeps those whose owner is gone. The name tells a live neighbour (another job with the same fs.temp_dir) from the dead.
 */
const MEMORY_LIMIT = 64 * 1024;
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

export class Spool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates the folder and removes what killed processes left there. Throws `settings_invalid`. */
  async prepare(): Promise<void> {
    makeFolder(this.#folder, 'The folder for temporary files (fs.temp_dir)');
    try {
      for (const name of await readdir(this.#folder)) {
        if (name.startsWith(PREFIX) && (await isLeftover(this.#folder, name))) {
          await rm(join(this.#folder, name), { force: true });
        }
      }
    } catch (error) {
      throw new CrawlerError(
        'settings_invalid',
        `The folder for uploads [${this.#folder}] cannot be used: ${messageOf(error)}. Set fs.temp_dir to a folder that the crawler may write to.`,
        { cause: error, subject: this.#folder },
      );
    }
  }

  /**
   * Takes the whole stream. Throws `too_large` beyond its limit, `disk_full` when the disk is, and whatever the
   * stream fails with; nothing is left on the disk then. The stream is never destroyed, only drained: a multipart
   * parser could not continue with the next part otherwise.
   */
  async receive(stream: Readable, limit: number | ByteBudget): Promise<SpooledFile> {
    const intake = new Intake(this.#folder, typeof limit === 'number' ? new ByteBudget(limit) : limit);
    try {
      const chunks: AsyncIterable<Buffer> = stream.iterator({ destroyOnReturn: false });
      for await (const chunk of chunks) await intake.take(chunk);
      return await intake.finish();
    } catch (error) {
      await intake.discard();
      stream.on('error', () => undefined);
      stream.resume();
      throw spoolError(error);
    }
  }
}

/** One stream on its way in. */
class Intake {
  readonly #folder: string;
  readonly #budget: ByteBudget;
  #size = 0;
  #chunks: Buffer[] = [];
  #handle: FileHandle | undefined;
  #path: string | undefined;

  constructor(folder: string, budget: ByteBudget) {
    this.#folder = folder;
    this.#budget = budget;
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
    if (this.#size > MEMORY_LIMIT) await this.#moveToDisk();
  }

  async finish(): Promise<SpooledFile> {
    if (this.#path === undefined) return new SpooledFile(this.#size, Buffer.concat(this.#chunks), undefined);
    await this.#handle?.close();
    this.#handle = undefined;
    return new SpooledFile(this.#size, undefined, this.#path);
  }

  async discard(): Promise<void> {
    await this.#handle?.close().catch(() => undefined);
    if (this.#path !== undefined) await rm(this.#path, { force: true });
  }

  async #moveToDisk(): Promise<void> {
    const path = join(this.#folder, `${PREFIX}${HOST}-${process.pid}-${LIFE}-${randomUUID()}`);
    this.#handle = await open(path, 'wx', 0o600);
    this.#path = path;
    for (const chunk of this.#chunks) await writeAll(this.#handle, chunk);
    this.#chunks = [];
  }
}

/** What was received. Whoever holds it calls `remove` when it is done with it. */
export class SpooledFile {
  readonly size: number;
  /** The temp file, or undefined when the bytes are in memory. */
  readonly path: string | undefined;
  readonly #bytes: Buffer | undefined;

  constructor(size: number, bytes: Buffer | undefined, path: string | undefined) {
    this.size = size;
    this.path = path;
    this.#bytes = bytes;
  }

  read(): Readable {
    return this.path === undefined ? Readable.from(this.#chunks(), { objectMode: false }) : createReadStream(this.path);
  }

  async remove(): Promise<void> {
    if (this.path !== undefined) await rm(this.path, { force: true });
  }

  #chunks(): Buffer[] {
    return this.#bytes === undefined || this.#bytes.length === 0 ? [] : [this.#bytes];
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten;
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

function spoolError(error: unknown): unknown {
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
