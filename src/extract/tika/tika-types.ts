import { CrawlerError } from '../../base/errors.js';
import type { ExtractionRequest } from '../extraction.js';
import { UNKNOWN } from '../detect/type-names.js';
import { openUpload } from './document-upload.js';
import { nameParameter } from './request-headers.js';
import { TikaServerInfo } from './tika-server-info.js';
import type { TikaServer } from './tika-server.js';

/** Enough of a file for the server to tell its type. */
const HEAD_BYTES = 64 * 1024;
const DETECTION = { timeoutMs: 30_000, mostAnswerBytes: 4 * 1024 } as const;

/** Which types are worth sending to a server. Asked from it once, when the first document wants to know. */
export class TikaTypes {
  readonly #server: TikaServer;
  readonly #url: string;
  #info: Promise<TikaServerInfo> | undefined;

  constructor(server: TikaServer, url: string, known?: TikaServerInfo) {
    this.#server = server;
    this.#url = url;
    this.#info = known === undefined ? undefined : Promise.resolve(known);
  }

  /**
   * Whether the server may find text in a document of this type. It knows the beginnings of far more formats, so it is asked
   * what a file is that has no known type.
   * @throws CrawlerError `unavailable` when the server cannot be asked
   */
  async includes(type: string, request: ExtractionRequest, signal: AbortSignal): Promise<boolean> {
    const info = await this.#answered(signal);
    return info.knows(type === UNKNOWN ? await this.#detect(request, signal) : type);
  }

  async #answered(signal: AbortSignal): Promise<TikaServerInfo> {
    await this.#server.expectReady(signal);
    if (this.#info === undefined) await this.#server.untilReady(signal);
    this.#info ??= TikaServerInfo.ask(this.#url);
    try {
      return await this.#info;
    } catch (error) {
      this.#info = undefined;
      throw error;
    }
  }

  async #detect(request: ExtractionRequest, signal: AbortSignal): Promise<string> {
    const document = await openUpload(request.content);
    try {
      const end = await this.#server.send(
        {
          method: 'PUT',
          path: 'detect/stream',
          headers: { accept: 'text/plain', 'content-disposition': `attachment; ${nameParameter(request.name)}` },
          body: document.stream(HEAD_BYTES),
          ...DETECTION,
        },
        signal,
      );
      if (end.kind !== 'answer') throw new CrawlerError('unavailable', 'The Tika server became unavailable.');
      return end.status === 200 ? end.body.toString().trim() : UNKNOWN;
    } finally {
      await document.close();
    }
  }
}
