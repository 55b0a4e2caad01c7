import { FTPError, type Client, type FTPResponse } from 'basic-ftp';

/**
 * One transfer from the server to us: a file or a listing.
 *
 * It is complete when two things have happened, in any order: the data connection was closed by the server, and the
 * control connection has answered 226. A closed data connection alone says nothing: that is also what a transfer looks like
 * that was cut off.
 */
export class FtpTransfer {
  readonly #client: Client;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #reply: Promise<FTPResponse>;
  #failed = false;
  #failWaiting: ((error: unknown) => void) | undefined;

  private constructor(client: Client, chunks: AsyncIterator<Buffer>, reply: Promise<FTPResponse>) {
    this.#client = client;
    this.#chunks = chunks;
    this.#reply = reply;
    // The client removes the listeners of the data connection when the control connection breaks: it would never end.
    reply.catch((error: unknown) => {
      this.#failed = true;
      this.#failWaiting?.(error);
    });
  }

  /** Resolves when the server has accepted the command. Rejects with its refusal, and the connection is free again. */
  static async start(client: Client, command: string): Promise<FtpTransfer> {
    const { ftp } = client;
    await client.prepareTransfer(ftp);
    const data = ftp.dataSocket;
    if (data === undefined) throw new Error('there is no data connection');
    if (client.closed) {
      // Given up while the data connection was being made, which the client did not know of yet.
      data.destroy();
      throw new Error('the connection has been closed');
    }
    // A server that refuses the command may reset the data connection before its answer arrives. The client would take
    // that for the end of everything; here it is met by whoever reads.
    for (const event of ['error', 'close', 'timeout']) data.removeAllListeners(event);
    data.on('error', () => undefined);
    const chunks = data[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    let accept: () => void = () => undefined;
    const accepted = new Promise<void>((resolve) => {
      accept = resolve;
    });
    const reply = ftp.handle(command, (response, task) => {
      // A number is the code of a reply; failed connections have names for codes, or none.
      const code = 'code' in response && typeof response.code === 'number' ? response.code : Infinity;
      if (code < 200) accept();
      else if (code < 300) task.resolve(response);
      else task.reject(toError(response));
    }) as Promise<FTPResponse>;
    // The reader gets the failure; until it asks, the rejection must not count as unhandled.
    reply.catch(() => undefined);
    try {
      await Promise.race([accepted, reply]);
    } catch (error) {
      ftp.dataSocket = undefined;
      throw error;
    }
    return new FtpTransfer(client, chunks, reply);
  }

  /** Undefined when the transfer is complete. */
  async next(): Promise<Buffer | undefined> {
    const chunk = await this.#nextChunk();
    if (chunk.done !== true) return chunk.value;
    await this.#reply;
    this.#client.ftp.dataSocket = undefined;
    return undefined;
  }

  #nextChunk(): Promise<IteratorResult<Buffer>> {
    return new Promise((resolve, reject) => {
      this.#failWaiting = reject;
      if (this.#failed) this.#reply.catch(reject);
      else this.#chunks.next().then(resolve, reject);
    });
  }

  /** The final reply of the server about the transfer. */
  async reply(): Promise<string> {
    return (await this.#reply).message;
  }
}

/** What the client hands over is an error already, but for replies that ask for something that we do not have. */
function toError(response: Error | FTPResponse): Error {
  return 'stack' in response ? response : new FTPError(response as FTPResponse);
}
