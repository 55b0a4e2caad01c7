import { createReadStream, lstatSync, readdirSync, statSync, type Stats } from 'node:fs';
import type { Readable } from 'node:stream';
import { CrawlerError, messageOf, systemCode, throwIfCancelled, type ErrorCode } from '../../base/errors.js';
import { baseName, joinPath, parentPath } from '../../base/path.js';
import type { Attributes, Entry, EntryKind } from '../../model/entry.js';
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
      return toEntry(baseName(path), path, statSync(nativePath(path)));
    });
  }

  async *list(folder: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
    const native = nativePath(folder);
    const names = await attempt(folder, () => readNames(native));
    for (let from = 0; from < names.length; from += BATCH) {
      throwIfCancelled(signal);
      yield await attempt(folder, () => this.#entriesOf(folder, names.slice(from, from + BATCH)));
    }
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

  #entriesOf(folder: string, names: readonly string[]): Entry[] {
    const prefix = joinPath(folder, '');
    const entries: Entry[] = [];
    for (const name of names) {
      const path = prefix + name;
      const stats = lstatSync(nativePath(path), { throwIfNoEntry: false });
      // Gone between readdir and lstat: it is no longer part of the folder.
      if (stats === undefined) continue;
      entries.push(stats.isSymbolicLink() ? this.#linkEntry(name, path, stats) : toEntry(name, path, stats));
    }
    return entries;
  }

  #linkEntry(name: string, path: string, link: Stats): Entry {
    if (!this.#followSymlinks) return toEntry(name, path, link);
    const target = targetOf(path);
    if (typeof target === 'string') return { ...toEntry(name, path, link), kind: target };
    const entry = toEntry(name, path, target);
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
