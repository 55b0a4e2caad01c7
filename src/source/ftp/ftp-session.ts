import type { Client } from 'basic-ftp';
import { CrawlerError, messageOf } from '../../base/errors.js';
import { baseName, parentPath } from '../../base/path.js';
import type { EntryKind } from '../../model/entry.js';
import type { PooledConnection } from '../connection-pool.js';
import { within } from '../deadline.js';
import { RemoteNames } from '../remote-names.js';
import type { RemoteBody } from '../remote-stream.js';
import type { FtpEntry, NamedEntry } from './ftp-entry.js';
import { pathFault, replyKindOf } from './ftp-fault.js';
import { FtpListing } from './ftp-listing.js';
import { logIn, quotedPath, type FtpLogin } from './ftp-login.js';
import { addressOf, type FtpServer } from './ftp-server.js';
import { FtpTransfer } from './ftp-transfer.js';
import { parseListLine } from './parse-list.js';
import { parseMlsdLine, parseTimeValue } from './parse-mlsd.js';

/** What a path leads to, links followed. */
export interface FtpTarget {
  readonly kind: EntryKind;
  readonly size: number;
  readonly modifiedMs: number | undefined;
}

type Refuse = (why: string) => CrawlerError;

/** One control connection: one command or transfer at a time. What it throws are CrawlerErrors. */
export class FtpSession implements PooledConnection {
  readonly #server: FtpServer;
  readonly #client: Client;
  readonly #home: string;
  readonly #names: RemoteNames;
  #mlsd: boolean;
  /** `-a` shows names that begin with a dot; not every server knows it. */
  #listCommand = 'LIST -a';
  /** Whether a listing of this server shows the folder itself, so that it is never blank. */
  #showsSelf: boolean | undefined;

  private constructor(server: FtpServer, { client, abilities, home }: FtpLogin) {
    this.#server = server;
    this.#client = client;
    this.#home = home;
    this.#mlsd = abilities.mlsd;
    this.#names = new RemoteNames(!abilities.utf8);
  }

  static async open(server: FtpServer, signal: AbortSignal): Promise<FtpSession> {
    return new FtpSession(server, await logIn(server, signal));
  }

  get alive(): boolean {
    return !this.#client.closed;
  }

  rest(): void {
    this.#client.ftp.socket.unref();
  }

  wake(): void {
    this.#client.ftp.socket.ref();
  }

  close(): void {
    this.#client.close();
  }

  /** The whole folder. MLSD takes a path; LIST would take one for a pattern, so the folder is entered first. */
  async list(folder: string, signal: AbortSignal): Promise<readonly NamedEntry[]> {
    const refuse = (why: string): CrawlerError =>
      new CrawlerError('denied', `[${folder}] on ${addressOf(this.#server)} cannot be listed: ${why}.`, {
        subject: folder,
      });
    const entries = await this.#onPath(folder, signal, async (wire) => {
      const listed = this.#mlsd ? await this.#machineListing(wire, refuse, signal) : undefined;
      if (listed !== undefined) return listed;
      await this.#send(`CWD ${wire}`, signal);
      return await this.#listWorkingFolder(refuse, signal);
    });
    return entries.map((entry) => ({ ...entry, shownName: this.#decoded(entry.name) }));
  }

  /**
   * Begins to read a file. Rejects with `not_found` or `denied`; the session is free again when the body is closed.
   * @param size bytes that the listing promised, or -1
   */
  async retrieve(path: string, size: number, signal: AbortSignal): Promise<RemoteBody> {
    const transfer = await this.#onPath(path, signal, (wire) =>
      this.#withTimeout(FtpTransfer.start(this.#client, `RETR ${wire}`), signal),
    );
    let received = 0;
    return {
      next: async () => {
        const chunk = await transfer.next();
        received += chunk?.length ?? 0;
        if (chunk === undefined && received < size) await this.#confirmSize(path, received, signal);
        return chunk;
      },
      close: (complete) => {
        if (!complete) this.close();
      },
    };
  }

  /** Links are followed. Throws `not_found` or `denied`. */
  target(path: string, signal: AbortSignal): Promise<FtpTarget> {
    return this.#onPath(path, signal, async (wire) => {
      const size = await this.#ask(`SIZE ${wire}`, signal);
      const bytes = /^213 (\d+)/.exec(size ?? '')?.[1];
      if (bytes !== undefined) {
        return { kind: 'file', size: Number(bytes), modifiedMs: await this.#modifiedMs(wire, signal) };
      }
      await this.#send(`CWD ${wire}`, signal);
      const modifiedMs = this.#mlsd ? (await this.#facts(wire, signal))?.modifiedMs : undefined;
      return { kind: 'folder', size: 0, modifiedMs };
    });
  }

  /** Where a folder really lies, links resolved by the server. */
  realFolder(path: string, signal: AbortSignal): Promise<string> {
    return this.#onPath(path, signal, async (wire) => {
      await this.#send(`CWD ${wire}`, signal);
      const { message } = await this.#send('PWD', signal);
      const real = quotedPath(message);
      return real === undefined ? path : this.#decoded(real);
    });
  }

  /** UTC, to the second; undefined when the server does not tell. */
  modifiedMs(path: string, signal: AbortSignal): Promise<number | undefined> {
    return this.#onPath(path, signal, (wire) => this.#modifiedMs(wire, signal));
  }

  /** Owner, group and permissions of one path, where the server shows them. */
  attributesOf(path: string, signal: AbortSignal): Promise<FtpEntry | undefined> {
    return this.#onPath(path, signal, async (wire) => {
      if (this.#mlsd) return await this.#facts(wire, signal);
      const name = wire.slice(wire.lastIndexOf('/') + 1);
      // The path is a pattern here, and the names in the answer may be whole paths.
      const listing = await this.#lines(`LIST -a ${wire}`, signal);
      for (const line of listing) {
        const parsed = parseListLine(
          line.replace(` ${wire}`, () => ` ${name}`),
          Date.now(),
        );
        if (parsed.kind === 'entry' && parsed.entry.name === name) return parsed.entry;
      }
      return undefined;
    });
  }

  /** Fewer bytes came than were listed: the file has become shorter, or a proxy has closed the connection in an orderly way. */
  async #confirmSize(path: string, received: number, signal: AbortSignal): Promise<void> {
    const { size } = await this.target(path, signal);
    if (size <= received) return;
    throw new CrawlerError(
      'unavailable',
      `[${path}] on ${addressOf(this.#server)} cannot be read: the transfer ended after ${received} of ${size} bytes.`,
      { subject: path },
    );
  }

  /** Undefined when the server does not know MLSD although it said so. */
  async #machineListing(wire: string, refuse: Refuse, signal: AbortSignal): Promise<readonly FtpEntry[] | undefined> {
    try {
      const listing = await this.#listing(`MLSD ${wire}`, refuse, signal);
      if (listing.isBlank) await this.#doubtBlank('MLSD /', refuse, signal);
      return listing.finish();
    } catch (error) {
      if (replyKindOf(error) !== 'unsupported') throw error;
      this.#mlsd = false;
      return undefined;
    }
  }

  async #listWorkingFolder(refuse: Refuse, signal: AbortSignal): Promise<readonly FtpEntry[]> {
    const listing = await this.#listing(this.#listCommand, refuse, signal).catch((error: unknown) => {
      // Some servers call an empty folder a failure.
      if (/no files|is empty/i.test(messageOf(error))) return undefined;
      throw error;
    });
    if (listing === undefined) return [];
    if (!listing.isBlank || this.#listCommand === 'LIST') return listing.finish();
    // A blank answer may mean that `-a` was taken for a name.
    const plain = (await this.#listing('LIST', refuse, signal)).finish();
    if (plain.length > 0) this.#listCommand = 'LIST';
    else await this.#doubtBlank('LIST -a /', refuse, signal);
    return plain;
  }

  /**
   * Some servers show nothing of a folder that they may not read, and call that a success. Where a readable folder shows
   * at least itself, a blank listing is a refusal. The top folder tells whether it does.
   */
  async #doubtBlank(listTop: string, refuse: Refuse, signal: AbortSignal): Promise<void> {
    this.#showsSelf ??= (await this.#listing(listTop, refuse, signal)).showsSelf;
    if (this.#showsSelf) throw refuse('the server shows nothing of it, not even itself. It may not be readable');
  }

  async #listing(command: string, refuse: Refuse, signal: AbortSignal): Promise<FtpListing> {
    const listing = new FtpListing(command.startsWith('MLSD'), Date.now(), refuse);
    const reply = await this.#receive(command, signal, (chunk) => listing.add(chunk));
    // vsftpd answers 226 to a folder that it could not open, and shows nothing.
    if (/fail/i.test(reply)) throw refuse(`the server answers [${reply.trim()}]`);
    if (listing.showsSelf) this.#showsSelf = true;
    return listing;
  }

  async #lines(command: string, signal: AbortSignal): Promise<string[]> {
    const chunks: Buffer[] = [];
    await this.#receive(command, signal, (chunk) => chunks.push(chunk));
    return Buffer.concat(chunks).toString('latin1').split(/\r?\n/);
  }

  /**
   * Returns the last reply. Anything but a refusal that happens before the transfer is complete leaves the connection in an
   * unknown state: it is closed.
   */
  async #receive(command: string, signal: AbortSignal, take: (chunk: Buffer) => void): Promise<string> {
    const transfer = await this.#withTimeout(FtpTransfer.start(this.#client, command), signal);
    try {
      for (;;) {
        const chunk = await this.#withTimeout(transfer.next(), signal);
        if (chunk === undefined) return await transfer.reply();
        take(chunk);
      }
    } catch (error) {
      if (replyKindOf(error) === undefined) this.close();
      throw error;
    }
  }

  async #facts(wire: string, signal: AbortSignal): Promise<FtpEntry | undefined> {
    const answer = await this.#ask(`MLST ${wire}`, signal);
    const line = answer?.split('\n').find((each) => each.startsWith(' '));
    // MLST names the whole path, which is no name of a listing.
    const parsed = line === undefined ? undefined : parseMlsdLine(line.trim().replace(/; .*$/s, '; it'));
    return parsed?.kind === 'entry' ? parsed.entry : undefined;
  }

  async #modifiedMs(wire: string, signal: AbortSignal): Promise<number | undefined> {
    const answer = await this.#ask(`MDTM ${wire}`, signal);
    return answer === undefined ? undefined : parseTimeValue(answer.slice('213 '.length));
  }

  /** The reply, or undefined when the server refuses. */
  async #ask(command: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      return (await this.#send(command, signal)).message;
    } catch (error) {
      if (replyKindOf(error) === undefined) throw error;
      return undefined;
    }
  }

  async #send(command: string, signal: AbortSignal): Promise<{ readonly message: string }> {
    return await this.#withTimeout(this.#client.send(command), signal);
  }

  async #withTimeout<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    const { silenceMs } = this.#server.timeouts;
    const address = addressOf(this.#server);
    try {
      return await within(
        work,
        silenceMs,
        signal,
        () => new CrawlerError('unavailable', `${address} has been silent for ${silenceMs / 1000} seconds.`),
      );
    } catch (error) {
      if (error instanceof CrawlerError) this.close();
      throw error;
    }
  }

  /** Tries the encodings of a path until the server knows one. */
  async #onPath<T>(path: string, signal: AbortSignal, work: (wire: string) => Promise<T>): Promise<T> {
    let refused: unknown;
    if (/[\r\n\0]/.test(path)) {
      throw new CrawlerError('denied', `[${path}] has a line break in its name, which FTP cannot request.`);
    }
    for (const encoding of this.#names.encodings(path)) {
      try {
        return await work(this.#absolute(encoding.toString('latin1')));
      } catch (error) {
        const kind = replyKindOf(error);
        if (kind !== 'not_found' && kind !== 'unsure') throw this.#fault(path, error);
        refused = error;
      }
    }
    const sure = replyKindOf(refused) === 'unsure' && (await this.#isListed(path, signal)) ? 'denied' : undefined;
    throw pathFault(this.#server, path, refused, sure);
  }

  /** A server that says the same of a missing and of a forbidden path: what its folder shows tells them apart. */
  async #isListed(path: string, signal: AbortSignal): Promise<boolean> {
    const folder = parentPath(path);
    if (folder === undefined || path === '/') return false;
    const name = baseName(path);
    try {
      return (await this.list(folder, signal)).some(({ shownName }) => shownName === name);
    } catch (error) {
      if (error instanceof CrawlerError && !error.retryable && error.code !== 'cancelled') return false;
      throw error;
    }
  }

  #fault(path: string, error: unknown): CrawlerError {
    if (replyKindOf(error) === undefined && !(error instanceof CrawlerError)) this.close();
    return pathFault(this.#server, path, error);
  }

  /** The working folder changes as we go, so a relative path is made a whole one. */
  #absolute(wire: string): string {
    return wire.startsWith('/') ? wire : `${this.#home.replace(/\/$/, '')}/${wire}`;
  }

  #decoded(wire: string): string {
    return this.#names.decode(Buffer.from(wire, 'latin1'));
  }
}
