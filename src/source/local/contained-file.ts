import { constants } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { isWithin } from '../../base/path.js';
import { CrawlerError, systemCode } from '../../base/errors.js';
import type { Entry } from '../../model/entry.js';

/** Beside the documents lie files with their passwords (passwords.provider: disk); a crawl never indexes them either. */
const PASSWORD_FILE = '.password';

export interface ContainedPath {
  readonly root: string;
  /** Absolute. */
  readonly path: string;
  /** The path as the caller wrote it, for messages. */
  readonly asked: string;
}

/**
 * One file of this machine that must lie below a root, by its real path: neither `..` nor a symbolic link leads out.
 *
 * Whether a path lies inside can change between the check and the opening. So the file is opened first, and the path of
 * the open handle is what is checked; everything afterwards reads from that handle, and never by path: a path that is
 * opened a second time may lead elsewhere.
 */
export class ContainedFile {
  readonly entry: Entry;
  /** Where the opened file lies, without any link. */
  readonly realPath: string;
  readonly #handle: FileHandle;

  private constructor(entry: Entry, realPath: string, handle: FileHandle) {
    this.entry = entry;
    this.realPath = realPath;
    this.#handle = handle;
  }

  /** @throws CrawlerError `not_found`, `denied`, `unavailable` */
  static async open(place: ContainedPath): Promise<ContainedFile> {
    const root = await realRoot(place);
    const real = await realPathOf(place, root);
    // Non-blocking: opening a FIFO would wait for a writer.
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
      (error: unknown) => {
        throw openError(place, error);
      },
    );
    try {
      const opened = await pathOfHandle(handle, real);
      if (!isWithin(root, opened)) throw outside(place);
      if (opened.endsWith(PASSWORD_FILE)) {
        throw new CrawlerError('denied', `File ${place.asked} holds a password and is not read as a document`);
      }
      return new ContainedFile(await entryOf(place, handle), opened, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The file from its beginning; may be read again. */
  read(): Readable {
    return this.readRange(0, undefined);
  }

  /** The bytes from one place to another, both included; to the end when that is undefined. */
  readRange(start: number, end: number | undefined): Readable {
    const range = end === undefined ? { start } : { start, end };
    return this.#handle.createReadStream({ ...range, autoClose: false });
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function entryOf({ path, asked }: ContainedPath, handle: FileHandle): Promise<Entry> {
  const found = await handle.stat();
  if (found.isDirectory()) throw new CrawlerError('denied', `Path [${asked}] is a directory, not a file`);
  if (!found.isFile()) throw new CrawlerError('denied', `Path [${asked}] is not a regular file`);
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

async function realRoot({ root }: ContainedPath): Promise<string> {
  try {
    return await realpath(root);
  } catch (error) {
    throw new CrawlerError('unavailable', `The folder of the job [${root}] cannot be opened`, { cause: error });
  }
}

async function realPathOf(place: ContainedPath, root: string): Promise<string> {
  let real: string;
  try {
    real = await realpath(place.path);
  } catch (error) {
    // A link out of the root must not tell whether something exists behind it.
    if (!isWithin(root, await realAncestor(place.path))) throw outside(place);
    throw openError(place, error);
  }
  if (!isWithin(root, real)) throw outside(place);
  return real;
}

function outside({ root, asked }: ContainedPath): CrawlerError {
  return new CrawlerError('denied', `File ${asked} is not within ${root}`);
}

function openError(place: ContainedPath, error: unknown): CrawlerError {
  const { asked } = place;
  switch (systemCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new CrawlerError('not_found', `File ${asked} does not exist`);
    // The last name became a link after its real path was taken.
    case 'ELOOP':
      return outside(place);
    case 'EACCES':
    case 'EPERM':
      return new CrawlerError('denied', `File ${asked} cannot be read: permission denied`, { cause: error });
    default:
      return new CrawlerError('unavailable', `File ${asked} cannot be opened`, { cause: error });
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
