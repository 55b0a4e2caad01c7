import { createReadStream, lstatSync, readdirSync, statSync, type Stats } from 'node:fs';
import type { Readable } from 'node:stream';
import { CrawlerError, messageOf, systemCode, throwIfCancelled, type ErrorCode } from '../../base/errors.js';
import { baseName, joinPath, parentPath } from '../../base/path.js';
import { ANOTHER_DISK, type Attributes, type Entry, type EntryKind } from '../../model/entry.js';
import type { RootProbe, SourceFeatures, TreeSource } from '../source.js';
import { readAttributes } from './local-attributes.js';
import { hasEscapedBytes, toNativePath, toShownName } from '../native-path.js';

/**
 * The local file system.
 *
 * Listing is one synchronous readdir and one lstat a name: that is what an unchanged tree costs, and half of what the
 * asynchronous calls or a glob per folder take. It therefore belongs in a thread of its own, never on the event loop of
 * the service.
 */
export interface LocalSourceOptions {
  readonly followSymlinks: boolean;
}

/** Entries handed over at a time: large enough to cost nothing, small enough to stay responsive to cancellation. */
const BATCH = 1000;

/** Attempts at a folder whose files come and go under the same names. */
const MAX_LISTINGS = 4;

const REPLACEMENT = '\uFFFD';

export class LocalSource implements TreeSource {
  readonly type = 'local';
  readonly features: SourceFeatures = { identity: true, attributes: true, cheapListing: true, maxConnections: 64 };
  readonly #followSymlinks: boolean;

  constructor(options: LocalSourceOptions) {
    this.#followSymlinks = options.followSymlinks;
  }

  probe(root: string, signal: AbortSignal): Promise<RootProbe> {
    return attempt(root, () => {
      throwIfCancelled(signal);
      const stats = statSync(nativePath(root));
      if (!stats.isDirectory()) throw new CrawlerError('not_found', `[${root}] is not a folder.`, { subject: root });
      return { device: stats.dev, entries: readdirSync(nativePath(root)).length };
    });
  }

  stat(path: string, signal: AbortSignal): Promise<Entry> {
    return attempt(path, () => {
      throwIfCancelled(signal);
      const native = nativePath(path);
      const entry = toEntry(baseName(path), path, statSync(native));
      return this.#followSymlinks ? withDisk(entry, lstatSync(native)) : entry;
    });
  }

  async *list(folder: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
    const native = nativePath(folder);
    const listed = await attempt(folder, () => statSync(native));
    let names = await attempt(folder, () => readNames(native));
    // A name without a file is no longer part of the folder only if the folder itself says so: it may be the folder, or one
    // above it, that was taken away between the two calls. And it has to be the same folder: where a disk was unmounted, an
    // empty one is left.
    for (let times = 0; names.length > 0; times += 1) {
      if (times === MAX_LISTINGS) throw changesTooFast(folder);
      const missing: string[] = [];
      for (let from = 0; from < names.length; from += BATCH) {
        throwIfCancelled(signal);
        yield await attempt(folder, () => this.#entriesOf(folder, names.slice(from, from + BATCH), missing));
      }
      names = missing.length === 0 ? [] : await attempt(folder, () => stillListed(native, missing));
    }
    const now = await attempt(folder, () => statSync(native));
    if (now.ino !== listed.ino || now.dev !== listed.dev) throw replaced(folder);
  }

  read(entry: Entry, signal: AbortSignal): Promise<Readable> {
    return new Promise((resolve, reject) => {
      const stream = createReadStream(nativePath(entry.path), { signal });
      stream.once('open', () => resolve(stream));
      stream.once('error', (error) => reject(toCrawlerError(entry.path, error)));
    });
  }

  localPath(entry: Entry): string | Uint8Array {
    return nativePath(entry.path);
  }

  urlOf(entry: Entry): string {
    return `file://${entry.path.startsWith('/') ? '' : '/'}${entry.path}`;
  }

  attributes(entry: Entry, acl: boolean, signal: AbortSignal): Promise<Attributes> {
    return attempt(entry.path, () => readAttributes(nativePath(entry.path), acl, signal));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #entriesOf(folder: string, names: readonly string[], missing: string[]): Entry[] {
    const prefix = joinPath(folder, '');
    const entries: Entry[] = [];
    for (const name of names) {
      const path = prefix + name;
      const stats = lstatSync(nativePath(path), { throwIfNoEntry: false });
      if (stats === undefined) missing.push(name);
      else entries.push(stats.isSymbolicLink() ? this.#linkEntry(name, path, stats) : toEntry(name, path, stats));
    }
    return entries;
  }

  #linkEntry(name: string, path: string, link: Stats): Entry {
    if (!this.#followSymlinks) return toEntry(name, path, link);
    const target = targetOf(path);
    if (typeof target === 'string') return { ...toEntry(name, path, link), kind: target };
    const entry = withDisk(toEntry(name, path, target), link);
    return entry.kind === 'folder' && leadsBack(path, target) ? { ...entry, kind: 'loop' } : entry;
  }
}

/** The bytes of the path only where the string does not lead to the file: see native-path.ts. */
function nativePath(path: string): string | Buffer {
  if (!hasEscapedBytes(path)) return path;
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? toNativePath(path) : path;
}

function readNames(native: string | Buffer): string[] {
  const names = readdirSync(native, 'utf8');
  if (!names.some((name) => name.includes(REPLACEMENT))) return names;
  return readdirSync(native, 'buffer').map((raw) => toShownName(raw));
}

function stillListed(native: string | Buffer, names: readonly string[]): string[] {
  const listed = new Set(readNames(native));
  return names.filter((name) => listed.has(name));
}

function changesTooFast(folder: string): CrawlerError {
  return new CrawlerError('not_found', `[${folder}] changes faster than it can be listed: the next run tries again.`, {
    subject: folder,
  });
}

function replaced(folder: string): CrawlerError {
  const message = `[${folder}] was replaced by another folder while it was listed: the next run tries again.`;
  return new CrawlerError('not_found', message, { subject: folder });
}

/** What a link leads to, or why it leads to nothing that can be looked at. */
function targetOf(path: string): Stats | 'dangling' | 'circular' | 'unreachable' {
  try {
    return statSync(nativePath(path), { throwIfNoEntry: false }) ?? 'dangling';
  } catch (error) {
    switch (systemCode(error)) {
      case 'ELOOP':
        return 'circular';
      // A part of the way is no folder.
      case 'ENOTDIR':
        return 'dangling';
      default:
        return 'unreachable';
    }
  }
}

/** True when the target of a link is one of the folders that lead to the link: following it would never end. */
function leadsBack(path: string, target: Stats): boolean {
  for (let folder = parentPath(path); folder !== undefined; folder = parentPath(folder)) {
    const above = targetOf(folder);
    if (typeof above !== 'string' && above.ino === target.ino && above.dev === target.dev) return true;
  }
  return false;
}

function toEntry(name: string, path: string, stats: Stats): Entry {
  return {
    name,
    path,
    kind: kindOf(stats),
    size: stats.size,
    modifiedMs: stats.mtimeMs,
    changedMs: stats.ctimeMs,
    createdMs: stats.birthtimeMs,
    accessedMs: stats.atimeMs,
    device: stats.dev,
    inode: stats.ino,
    version: undefined,
  };
}

function withDisk(target: Entry, link: Stats): Entry {
  return target.kind === 'file' && target.device !== link.dev ? { ...target, version: ANOTHER_DISK } : target;
}

function kindOf(stats: Stats): EntryKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'symlink' : 'special';
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_found',
  ELOOP: 'not_found',
  ESTALE: 'unavailable',
  ETIMEDOUT: 'unavailable',
  ENOTCONN: 'unavailable',
  EHOSTDOWN: 'unavailable',
  EMFILE: 'unavailable',
  ENFILE: 'unavailable',
};

/** What is not listed above (EACCES, EPERM, EIO …) concerns this path alone, and trying again at once will not help. */
const OTHERWISE: ErrorCode = 'denied';

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist (any more)',
  ELOOP: 'leads nowhere: it is a symbolic link that leads to itself',
  EACCES: 'may not be read by this user: check its permissions',
  EPERM: 'may not be read by this user: check its permissions',
};

function toCrawlerError(path: string, error: unknown): CrawlerError {
  if (error instanceof CrawlerError) return error;
  const system = systemCode(error) ?? '';
  const code = CODES[system] ?? OTHERWISE;
  const sentence = SENTENCES[system] ?? `cannot be read: ${messageOf(error)}`;
  return new CrawlerError(code, `[${path}] ${sentence}.`, { cause: error, subject: path });
}

async function attempt<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toCrawlerError(path, error);
  }
}
