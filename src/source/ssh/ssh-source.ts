import type { Readable } from 'node:stream';
import { baseName, joinPath } from '../../base/path.js';
import type { Attributes, Entry, EntryKind } from '../../model/entry.js';
import { ConnectionPool } from '../connection-pool.js';
import { unlessAborted } from '../deadline.js';
import { brokenLink, leadsBack, remembered } from '../links.js';
import { RemoteStream } from '../remote-stream.js';
import type { RootProbe, SourceFeatures, TreeSource } from '../source.js';
import { SftpFile } from './sftp-file.js';
import type { SftpAttributes } from './sftp-packets.js';
import { SftpSession } from './sftp-session.js';
import { SshConnection } from './ssh-connection.js';
import { pathFault } from './ssh-fault.js';
import { addressOf } from './ssh-address.js';
import type { SshServer } from './ssh-server.js';

export interface SshSourceOptions {
  readonly server: SshServer;
  readonly followSymlinks: boolean;
  readonly connections?: number;
}

/** Channels, and so files that are read at the same time. OpenSSH allows ten on a connection. */
const CONNECTIONS = 6;
/** Entries handed over, and links looked at, at a time. */
const BATCH = 1000;
const LINKS_AT_ONCE = 32;

/** A folder tree behind SSH, by SFTP. The channels share one connection, so there is one login however many files are read. */
export class SshSource implements TreeSource {
  readonly type = 'ssh';
  readonly features: SourceFeatures;
  readonly #server: SshServer;
  readonly #followSymlinks: boolean;
  readonly #pool: ConnectionPool<SftpSession>;
  readonly #closing = new AbortController();
  #connection: Promise<SshConnection> | undefined;

  constructor({ server, followSymlinks, connections = CONNECTIONS }: SshSourceOptions) {
    this.features = { identity: false, attributes: true, cheapListing: false, maxConnections: connections };
    this.#server = server;
    this.#followSymlinks = followSymlinks;
    this.#pool = new ConnectionPool({ size: connections, open: (signal) => this.#openSession(signal) });
  }

  async probe(root: string, signal: AbortSignal): Promise<RootProbe> {
    const { length } = await this.#pool.use(signal, (session) => session.readFolder(root, signal));
    return { device: 0, entries: length };
  }

  async stat(path: string, signal: AbortSignal): Promise<Entry> {
    const attributes = await this.#pool.use(signal, (session) => session.stat(path, signal));
    return toEntry(baseName(path), path, attributes, '');
  }

  /** The listing is complete before the first batch leaves. */
  async *list(folder: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
    const entries = await this.#pool.use(signal, (session) => this.#entries(session, folder, signal));
    for (let from = 0; from < entries.length; from += BATCH) yield entries.slice(from, from + BATCH);
  }

  read(entry: Entry, signal: AbortSignal): Promise<Readable> {
    return this.#pool.use(
      signal,
      async (session, lease) => {
        const handle = await session.openFile(entry.path, signal);
        return new RemoteStream(new SftpFile(session, handle, entry.size, (reusable) => lease.giveBack(reusable)), {
          silenceMs: this.#server.timeouts.silenceMs,
          signal,
          fault: (error) => pathFault(this.#server, entry.path, error),
          silent: () => session.silence(entry.path),
        });
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

  /** Owner and group by number: SFTP knows no names. It has no access control lists either. */
  async attributes(entry: Entry, _acl: boolean, signal: AbortSignal): Promise<Attributes> {
    const { userId, groupId, mode } = await this.#pool.use(signal, (session) => session.stat(entry.path, signal));
    return {
      ...(userId === undefined ? {} : { owner: String(userId) }),
      ...(groupId === undefined ? {} : { group: String(groupId) }),
      ...(mode === undefined ? {} : { permissions: Number((mode & 0o777).toString(8)) }),
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#pool.close();
    const connection = await this.#connection?.catch(() => undefined);
    connection?.close();
  }

  async #openSession(signal: AbortSignal): Promise<SftpSession> {
    const connection = await this.#connect(signal);
    return await SftpSession.open(this.#server, connection, signal);
  }

  /** The connection that is there, or a new one. Whoever waits for it may give up without ending it for the others. */
  async #connect(signal: AbortSignal): Promise<SshConnection> {
    for (;;) {
      const opening = this.#connection ?? this.#openConnection();
      const connection = await unlessAborted(opening, signal);
      if (connection.alive) return connection;
      if (this.#connection === opening) this.#connection = undefined;
    }
  }

  /** A failure is reported to those who wait for it; whoever comes later gets an attempt of its own. */
  #openConnection(): Promise<SshConnection> {
    const opening = SshConnection.open(this.#server, this.#closing.signal);
    this.#connection = opening;
    opening.catch(() => {
      if (this.#connection === opening) this.#connection = undefined;
    });
    return opening;
  }

  async #entries(session: SftpSession, folder: string, signal: AbortSignal): Promise<Entry[]> {
    const found = await session.readFolder(folder, signal);
    const entries = found.map(({ name, attributes, typeLetter }) =>
      toEntry(name, joinPath(folder, name), attributes, typeLetter),
    );
    if (!this.#followSymlinks) return entries;
    const links = [...entries.entries()].filter(([, { kind }]) => kind === 'symlink');
    const realPath = remembered((path) => session.realPath(path, signal));
    for (let from = 0; from < links.length; from += LINKS_AT_ONCE) {
      const some = links.slice(from, from + LINKS_AT_ONCE);
      const followed = await Promise.all(some.map(([, link]) => follow(session, link, realPath, signal)));
      for (const [index, [at, link]] of some.entries()) entries[at] = followed[index] ?? link;
    }
    return entries;
  }
}

async function follow(
  session: SftpSession,
  link: Entry,
  realPath: (path: string) => Promise<string>,
  signal: AbortSignal,
): Promise<Entry> {
  try {
    const target = toEntry(link.name, link.path, await session.stat(link.path, signal), '');
    if (target.kind !== 'folder') return target;
    const real = await realPath(link.path);
    return (await leadsBack(link.path, real, realPath)) ? { ...target, kind: 'loop' } : target;
  } catch (error) {
    const kind = brokenLink(error);
    if (kind !== undefined) return { ...link, kind };
    throw error;
  }
}

function toEntry(name: string, path: string, attributes: SftpAttributes, typeLetter: string): Entry {
  const { size, modified, accessed, mode } = attributes;
  return {
    name,
    path,
    kind: kindOf(mode, typeLetter),
    size: size ?? -1,
    modifiedMs: modified === undefined ? undefined : modified * 1000,
    changedMs: undefined,
    createdMs: undefined,
    accessedMs: accessed === undefined ? undefined : accessed * 1000,
    device: 0,
    inode: 0,
    version: undefined,
  };
}

const MODE_KINDS: Readonly<Partial<Record<number, EntryKind>>> = {
  0o100000: 'file',
  0o040000: 'folder',
  0o120000: 'symlink',
};
const LETTER_KINDS: Readonly<Record<string, EntryKind>> = { d: 'folder', l: 'symlink', '-': 'file', '': 'file' };

/** By the mode, or where a server has none, by the first letter of its listing. */
function kindOf(mode: number | undefined, typeLetter: string): EntryKind {
  if (mode !== undefined && (mode & 0o170000) !== 0) return MODE_KINDS[mode & 0o170000] ?? 'special';
  return LETTER_KINDS[typeLetter] ?? 'special';
}
