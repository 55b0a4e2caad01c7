import { constants } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { isWithin } from '../../base/path.js';
import { CrawlerError, systemCode } from '../../base/errors.js';
import type { Entry } from '../../model/entry.js';
import type { FileSource } from '../source.js';

/** Beside the documents lie files with their passwords (passwords.provider: disk); a crawl never indexes them either. */
const PASSWORD_FILE = '.password';

/**
 * One file of this machine that must lie below a root, by its real path: neither `..` nor a symbolic link leads out.
 *
 * Whether a path lies inside can change between the check and the opening. So the file is opened first, and the path of
 * the open handle is what is checked; everything afterwards reads from that handle. `localPath` is therefore unknown: a
 * path that is opened a second time may lead elsewhere.
 */
export class ContainedFile implements FileSource {
  readonly type = 'local';
  readonly #root: string;
  /** The path as the caller wrote it, for messages. */
  readonly #asked: string;
  #handle: FileHandle | undefined;
  #realPath: string | undefined;

  constructor(root: string, asked: string) {
    this.#root = root;
    this.#asked = asked;
  }

  async stat(path: string): Promise<Entry> {
    const root = await this.#realRoot();
    const real = await this.#resolve(path, root);
    await this.#handle?.close();
    // Non-blocking: opening a FIFO would wait for a writer.
    this.#handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
      (error: unknown) => {
        throw this.#openError(error);
      },
    );
    const opened = await pathOfHandle(this.#handle, real);
    if (!isWithin(root, opened)) throw this.#outside();
    if (opened.endsWith(PASSWORD_FILE)) {
      throw new CrawlerError('denied', `File ${this.#asked} holds a password and is not read as a document`);
    }
    this.#realPath = opened;
    return this.#entryOf(path, this.#handle);
  }

  /** Where the opened file lies, without any link. */
  get realPath(): string | undefined {
    return this.#realPath;
  }

  read(): Promise<Readable> {
    return this.readRange(0, undefined);
  }

  /** The bytes from one place to another, both included; to the end when that is undefined. */
  readRange(start: number, end: number | undefined): Promise<Readable> {
    if (this.#handle === undefined) {
      return Promise.reject(new CrawlerError('internal', 'A contained file was read before its stat.'));
    }
    const range = end === undefined ? { start } : { start, end };
    return Promise.resolve(this.#handle.createReadStream({ ...range, autoClose: false }));
  }

  localPath(): undefined {
    return undefined;
  }

  urlOf(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async #entryOf(path: string, handle: FileHandle): Promise<Entry> {
    const found = await handle.stat();
    if (found.isDirectory()) throw new CrawlerError('denied', `Path [${this.#asked}] is a directory, not a file`);
    if (!found.isFile()) throw new CrawlerError('denied', `Path [${this.#asked}] is not a regular file`);
    return {
      name: basename(path),
      path,
      kind: 'file',
      size: found.size,
      modifiedMs: found.mtimeMs,
      changedMs: found.ctimeMs,
      createdMs: found.birthtimeMs,
      accessedMs: found.atimeMs,
      device: found.dev,
      inode: found.ino,
      version: undefined,
    };
  }

  async #realRoot(): Promise<string> {
    try {
      return await realpath(this.#root);
    } catch (error) {
      throw new CrawlerError('unavailable', `The folder of the job [${this.#root}] cannot be opened`, {
        cause: error,
      });
    }
  }

  async #resolve(path: string, root: string): Promise<string> {
    let real: string;
    try {
      real = await realpath(path);
    } catch (error) {
      // A link out of the root must not tell whether something exists behind it.
      if (!isWithin(root, await realAncestor(path))) throw this.#outside();
      throw this.#openError(error);
    }
    if (!isWithin(root, real)) throw this.#outside();
    return real;
  }

  #outside(): CrawlerError {
    return new CrawlerError('denied', `File ${this.#asked} is not within ${this.#root}`);
  }

  #openError(error: unknown): CrawlerError {
    switch (systemCode(error)) {
      case 'ENOENT':
      case 'ENOTDIR':
        return new CrawlerError('not_found', `File ${this.#asked} does not exist`);
      // The last name became a link after its real path was taken.
      case 'ELOOP':
        return this.#outside();
      case 'EACCES':
      case 'EPERM':
        return new CrawlerError('denied', `File ${this.#asked} cannot be read: permission denied`, { cause: error });
      default:
        return new CrawlerError('unavailable', `File ${this.#asked} cannot be opened`, { cause: error });
    }
  }
}

/** The real path of the deepest folder above `path` that exists. */
async function realAncestor(path: string): Promise<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined || folder === dirname(folder)) return real ?? folder;
  }
}

/** Where the opened file lies now. Without /proc: the path again, provided that it still leads to the same file. */
async function pathOfHandle(handle: FileHandle, opened: string): Promise<string> {
  const link = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (link !== undefined) return link;
  const real = await realpath(opened);
  const [there, here] = await Promise.all([stat(real), handle.stat()]);
  return there.ino === here.ino && there.dev === here.dev ? real : '';
}
