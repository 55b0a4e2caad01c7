import type { Readable } from 'node:stream';
import { CrawlerError } from '../../base/errors.js';
import { baseName, joinPath } from '../../base/path.js';
import type { Attributes, Entry } from '../../model/entry.js';
import { ConnectionPool } from '../connection-pool.js';
import { brokenLink, leadsBack, remembered } from '../links.js';
import { RemoteStream } from '../remote-stream.js';
import type { RootProbe, SourceFeatures, TreeSource } from '../source.js';
import type { NamedEntry } from './ftp-entry.js';
import { pathFault } from './ftp-fault.js';
import { addressOf, type FtpServer } from './ftp-server.js';
import { FtpSession } from './ftp-session.js';
import { RecentChanges } from './recent-changes.js';

export interface FtpSourceOptions {
  readonly server: FtpServer;
  readonly followSymlinks: boolean;
  readonly connections?: number;
}

/** Files read at the same time. Servers often allow an address five connections or so; the scan has one of its own. */
const CONNECTIONS = 4;
/** Entries handed over at a time. */
const BATCH = 1000;

/** A folder tree on an FTP server. One transfer occupies one connection; see ftp-session.ts for the protocol. */
export class FtpSource implements TreeSource {
  readonly type = 'ftp';
  readonly features: SourceFeatures;
  readonly #server: FtpServer;
  readonly #followSymlinks: boolean;
  readonly #pool: ConnectionPool<FtpSession>;
  readonly #recent = new RecentChanges();

  constructor({ server, followSymlinks, connections = CONNECTIONS }: FtpSourceOptions) {
    this.features = { identity: false, attributes: true, cheapListing: false, maxConnections: connections };
    this.#server = server;
    this.#followSymlinks = followSymlinks;
    this.#pool = new ConnectionPool({ size: connections, open: (signal) => FtpSession.open(server, signal) });
  }

  async probe(root: string, signal: AbortSignal): Promise<RootProbe> {
    const { length } = await this.#pool.use(signal, (session) => session.list(root, signal));
    return { device: 0, entries: length };
  }

  async stat(path: string, signal: AbortSignal): Promise<Entry> {
    const target = await this.#pool.use(signal, (session) => session.target(path, signal));
    return { ...entryOf(baseName(path), path), ...target };
  }

  /** The listing is complete before the first batch leaves. */
  async *list(folder: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
    const entries = await this.#pool.use(signal, (session) => this.#entries(session, folder, signal));
    for (let from = 0; from < entries.length; from += BATCH) yield entries.slice(from, from + BATCH);
  }

  read(entry: Entry, signal: AbortSignal): Promise<Readable> {
    const { silenceMs } = this.#server.timeouts;
    const address = addressOf(this.#server);
    return this.#pool.use(
      signal,
      async (session, lease) => {
        const body = await session.retrieve(entry.path, entry.size, signal);
        return new RemoteStream(
          {
            next: () => body.next(),
            close: (complete) => {
              body.close(complete);
              lease.giveBack(complete);
            },
          },
          {
            silenceMs,
            signal,
            fault: (error) => pathFault(this.#server, entry.path, error),
            silent: () =>
              new CrawlerError(
                'unavailable',
                `[${entry.path}] on ${address} cannot be read: the transfer has stalled for ${silenceMs / 1000} seconds.`,
                { subject: entry.path },
              ),
          },
        );
      },
      true,
    );
  }

  localPath(): undefined {
    return undefined;
  }

  urlOf(entry: Entry): string {
    return `${addressOf(this.#server)}${entry.path.startsWith('/') ? '' : '/'}${entry.path}`;
  }

  /** FTP has no access control lists. */
  async attributes(entry: Entry, _acl: boolean, signal: AbortSignal): Promise<Attributes> {
    const found = await this.#pool.use(signal, (session) => session.attributesOf(entry.path, signal));
    return {
      ...(found?.owner === undefined ? {} : { owner: found.owner }),
      ...(found?.group === undefined ? {} : { group: found.group }),
      ...(found?.permissions === undefined ? {} : { permissions: found.permissions }),
    };
  }

  close(): Promise<void> {
    this.#pool.close();
    return Promise.resolve();
  }

  async #entries(session: FtpSession, folder: string, signal: AbortSignal): Promise<Entry[]> {
    const found = await session.list(folder, signal);
    const isRecent = await this.#recent.judge(found, (name) => session.modifiedMs(joinPath(folder, name), signal));
    const realPath = remembered((path) => session.realFolder(path, signal));
    const entries: Entry[] = [];
    for (const each of found) {
      const path = joinPath(folder, each.shownName);
      const entry = { ...entryOf(each.shownName, path), ...factsOf(each), version: versionOf(each, isRecent(each)) };
      const followed = each.kind === 'symlink' && this.#followSymlinks;
      entries.push(followed ? await this.#follow(session, entry, realPath, signal) : entry);
    }
    return entries;
  }

  async #follow(
    session: FtpSession,
    link: Entry,
    realPath: (path: string) => Promise<string>,
    signal: AbortSignal,
  ): Promise<Entry> {
    try {
      const target = await session.target(link.path, signal);
      if (target.kind !== 'folder') return { ...link, ...target };
      const real = await realPath(link.path);
      const kind = (await leadsBack(link.path, real, realPath)) ? 'loop' : 'folder';
      return { ...link, ...target, kind };
    } catch (error) {
      const kind = brokenLink(error);
      if (kind !== undefined) return { ...link, kind };
      throw error;
    }
  }
}

function entryOf(name: string, path: string): Entry {
  return {
    name,
    path,
    kind: 'file',
    size: -1,
    modifiedMs: undefined,
    changedMs: undefined,
    createdMs: undefined,
    accessedMs: undefined,
    device: 0,
    inode: 0,
    version: undefined,
  };
}

function factsOf({ kind, size, modifiedMs }: NamedEntry): Pick<Entry, 'kind' | 'size' | 'modifiedMs'> {
  return { kind, size, modifiedMs };
}

/** FTP has no versions: what the date cannot tell stands here, so that a change of it shows. */
function versionOf({ unknownDate }: NamedEntry, recent: boolean): string | undefined {
  return unknownDate ?? (recent ? 'recent' : undefined);
}
