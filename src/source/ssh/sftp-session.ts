import type { ClientChannel } from 'ssh2';
import { CrawlerError, messageOf } from '../../base/errors.js';
import type { PooledConnection } from '../connection-pool.js';
import { within } from '../deadline.js';
import { RemoteNames } from '../remote-names.js';
import {
  packet,
  PacketReader,
  PacketSplitter,
  READ_ONLY,
  replyTypes,
  requestTypes,
  statusCodes,
  type Field,
  type SftpAttributes,
  type SftpName,
} from './sftp-packets.js';
import { pathFault, SftpStatusError } from './ssh-fault.js';
import type { SshConnection } from './ssh-connection.js';
import { addressOf } from './ssh-address.js';
import type { SshServer } from './ssh-server.js';

interface Pending {
  readonly resolve: (reply: PacketReader) => void;
  readonly reject: (error: Error) => void;
}

/** A request about a path. */
interface PathQuestion<T> {
  readonly type: number;
  /** Fields after the path. */
  readonly rest?: readonly Field[];
  readonly read: (reply: PacketReader) => T;
  /** Receives an answer that arrives after its request was cancelled. */
  readonly onLate?: (answer: T) => void;
}

const VERSION = 3;
/** READDIR requests under way: the answer to one is on its way while the next is being made. */
const LOOK_AHEAD = 2;

/** A name of a folder, with its attributes; those of a link are its own. */
export interface SftpEntry {
  readonly name: string;
  readonly typeLetter: string;
  readonly attributes: SftpAttributes;
}

/**
 * SFTP over one channel of an SSH connection. Requests carry ids, so that any number of them may be under way. What the
 * methods with a path throw are CrawlerErrors.
 */
export class SftpSession implements PooledConnection {
  readonly #server: SshServer;
  readonly #connection: SshConnection;
  readonly #channel: ClientChannel;
  readonly #names = new RemoteNames(false);
  readonly #splitter = new PacketSplitter();
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #version: Pending | undefined;
  #failure: Error | undefined;
  #closed = false;

  private constructor(server: SshServer, connection: SshConnection, channel: ClientChannel) {
    this.#server = server;
    this.#connection = connection;
    this.#channel = channel;
    connection.wake(this);
    channel.on('data', (chunk: Buffer) => this.#receive(chunk));
    channel.on('error', (error: Error) => this.#fail(error));
    channel.on('close', () => this.#fail(new Error('the connection broke off')));
    // What the server program says on its error output must not fill the window.
    channel.stderr.resume();
  }

  static async open(server: SshServer, connection: SshConnection, signal: AbortSignal): Promise<SftpSession> {
    const session = new SftpSession(server, connection, await connection.openChannel(signal));
    try {
      await session.withTimeout(session.#greet(), '/', signal);
      return session;
    } catch (error) {
      session.close();
      throw pathFault(server, '/', error);
    }
  }

  get alive(): boolean {
    return this.#failure === undefined && this.#connection.alive;
  }

  rest(): void {
    this.#connection.rest(this);
  }

  wake(): void {
    this.#connection.wake(this);
  }

  close(): void {
    this.#fail(new Error('the connection has been closed'));
    if (this.#closed) return;
    this.#closed = true;
    this.#channel.end();
    this.#connection.release(this);
  }

  /** The whole folder, without `.` and `..`. */
  async readFolder(path: string, signal: AbortSignal): Promise<SftpEntry[]> {
    const handle = await this.#openHandle(requestTypes.opendir, [], path, signal);
    const entries: SftpEntry[] = [];
    const ask = (): Promise<readonly SftpName[] | undefined> => this.#namesOf(handle);
    const asked = Array.from({ length: LOOK_AHEAD }, ask);
    for (const each of asked) each.catch(() => undefined);
    try {
      for (let next = asked.shift(); next !== undefined; next = asked.shift()) {
        const names = await this.withTimeout(next, path, signal);
        if (names === undefined) return entries;
        for (const { name, longName, attributes } of names) {
          const shown = this.#names.decode(name);
          const typeLetter = longName.toString('latin1', 0, 1);
          if (shown !== '.' && shown !== '..') entries.push({ name: shown, typeLetter, attributes });
        }
        const further = ask();
        further.catch(() => undefined);
        asked.push(further);
      }
      return entries;
    } catch (error) {
      throw pathFault(this.#server, path, error);
    } finally {
      this.closeHandle(handle);
    }
  }

  /** Links are followed. */
  stat(path: string, signal: AbortSignal): Promise<SftpAttributes> {
    const read = (reply: PacketReader): SftpAttributes => expected(reply, replyTypes.attributes).attributes();
    return this.#onPath({ type: requestTypes.stat, read }, path, signal);
  }

  realPath(path: string, signal: AbortSignal): Promise<string> {
    const read = (reply: PacketReader): string => {
      const [first] = expected(reply, replyTypes.name).names();
      return first === undefined ? path : this.#names.decode(first.name);
    };
    return this.#onPath({ type: requestTypes.realpath, read }, path, signal);
  }

  openFile(path: string, signal: AbortSignal): Promise<Buffer> {
    return this.#openHandle(requestTypes.open, [READ_ONLY, 0], path, signal);
  }

  /** Undefined at the end of the file. Fewer bytes than asked for do not mean the end. */
  async readAt(handle: Buffer, offset: number, length: number): Promise<Buffer | undefined> {
    const reply = await this.#request(requestTypes.read, [handle, BigInt(offset), length]);
    return isEnd(reply) ? undefined : expected(reply, replyTypes.data).bytes();
  }

  /** Nobody waits for the answer: the next request may follow at once. */
  closeHandle(handle: Buffer): void {
    this.#request(requestTypes.close, [handle]).catch(() => undefined);
  }

  /** Waits for an answer, but not for a connection that has fallen silent: that one is given up. */
  async withTimeout<T>(work: Promise<T>, path: string, signal: AbortSignal): Promise<T> {
    return await within(work, this.#server.timeouts.silenceMs, signal, () => this.silence(path));
  }

  /** Nothing has come for too long: about this path alone, or from the server altogether? */
  silence(path: string): CrawlerError {
    const { silenceMs } = this.#server.timeouts;
    const address = addressOf(this.#server);
    const seconds = silenceMs / 1000;
    this.#fail(new Error('the server has been silent'));
    if (this.#connection.silentMs < silenceMs / 2) {
      return new CrawlerError(
        'timed_out',
        `[${path}] on ${address} cannot be read: no answer about it within ${seconds} seconds, while others were answered.`,
        { subject: path },
      );
    }
    this.#connection.close();
    return new CrawlerError('unavailable', `${address} has been silent for ${seconds} seconds.`, { subject: path });
  }

  #openHandle(type: number, rest: readonly Field[], path: string, signal: AbortSignal): Promise<Buffer> {
    const read = (reply: PacketReader): Buffer => Buffer.from(expected(reply, replyTypes.handle).bytes());
    return this.#onPath({ type, rest, read, onLate: (handle) => this.closeHandle(handle) }, path, signal);
  }

  async #namesOf(handle: Buffer): Promise<readonly SftpName[] | undefined> {
    const reply = await this.#request(requestTypes.readdir, [handle]);
    return isEnd(reply) ? undefined : expected(reply, replyTypes.name).names();
  }

  /** Tries the encodings of a path until the server knows one. */
  async #onPath<T>(question: PathQuestion<T>, path: string, signal: AbortSignal): Promise<T> {
    const { type, rest = [], read, onLate } = question;
    let missing: unknown;
    for (const encoding of this.#names.encodings(path)) {
      const answer = this.#request(type, [encoding, ...rest]);
      try {
        return read(await this.withTimeout(answer, path, signal));
      } catch (error) {
        if (signal.aborted) answer.then((late) => onLate?.(read(late))).catch(() => undefined);
        if (!(error instanceof SftpStatusError && error.status === statusCodes.noSuchFile)) {
          throw pathFault(this.#server, path, error);
        }
        missing = error;
      }
    }
    throw pathFault(this.#server, path, missing);
  }

  #greet(): Promise<PacketReader> {
    return new Promise((resolve, reject) => {
      this.#version = { resolve, reject };
      this.#channel.write(packet(requestTypes.init, [VERSION]));
    });
  }

  #request(type: number, fields: readonly Field[]): Promise<PacketReader> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = this.#nextId;
    this.#nextId = (this.#nextId + 1) >>> 0;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#connection.gather();
      this.#channel.write(packet(type, [id, ...fields]));
    });
  }

  #receive(chunk: Buffer): void {
    try {
      for (const bytes of this.#splitter.add(chunk)) this.#answer(new PacketReader(bytes));
    } catch (error) {
      this.#fail(new Error(`the server does not speak SFTP (${messageOf(error)})`));
    }
  }

  #answer(reply: PacketReader): void {
    if (reply.type === replyTypes.version) {
      this.#version?.resolve(reply);
      this.#version = undefined;
      return;
    }
    const id = reply.uint32();
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.resolve(reply);
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#version?.reject(error);
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

/** Throws when the reply is a status that is not OK. */
function refused(reply: PacketReader): PacketReader {
  if (reply.type !== replyTypes.status) return reply;
  const status = reply.uint32();
  if (status !== statusCodes.ok) throw new SftpStatusError(status, reply.optionalText());
  return reply;
}

function expected(reply: PacketReader, type: number): PacketReader {
  const accepted = refused(reply);
  if (accepted.type !== type) throw new Error(`the server answers with a packet of type ${accepted.type}`);
  return accepted;
}

function isEnd(reply: PacketReader): boolean {
  if (reply.type !== replyTypes.status) return false;
  const status = reply.uint32();
  if (status === statusCodes.endOfFile) return true;
  throw new SftpStatusError(status, reply.optionalText());
}
