import { once } from 'node:events';
import type { Socket } from 'node:net';
import { CrawlerError, messageOf } from '../../../base/errors.js';
import { errorCodeOf } from './error-code-of.js';
import type { ExtractionContent } from '../../extraction.js';
import {
  feedFrame,
  HEAD_BYTES,
  replyFrame,
  type DocumentToOpen,
  type GroupToOpen,
} from '../channel/broker-messages.js';
import { completeDocument, DOCUMENT_OFFSET } from '../channel/feed-frames.js';
import { bytesFrame, jsonFrame, textFrame } from '../../frames/frames.js';
import { openDocument, type OpenDocument } from '../sandbox/document-bytes.js';
import type { FeedBuffer } from './feed-buffer.js';
import type { ProcessRequest } from './request-reader.js';

interface Waiting extends Omit<DocumentToOpen, 'encodedPath' | 'path' | 'ocr'> {
  readonly content: ExtractionContent;
}

/** After this much of a digest, other messages are handled. */
const DIGEST_TURN_BYTES = 64 * 1024 * 1024;

/**
 * Opens the documents of the pool, one after another, and sends their beginnings to the process. Small ones are sent ahead. A
 * document that has more than a beginning stays open, and no other is opened, until the process is done with it: so a drive that
 * does not respond stops the process at the document that is on it.
 */
export class DocumentFeed {
  readonly #buffer: FeedBuffer;
  readonly #requests: Socket;
  #waiting: Waiting[] = [];
  #open: { readonly document: OpenDocument; readonly checksum: string | undefined } | undefined;
  /** Requests for bytes are answered one after another. */
  #answering: Promise<void> = Promise.resolve();

  constructor(buffer: FeedBuffer, requests: Socket) {
    this.#buffer = buffer;
    this.#requests = requests;
  }

  /** @param contents of the documents without a path, in their order */
  add({ documents }: GroupToOpen, contents: readonly Uint8Array[]): void {
    const rest = contents[Symbol.iterator]();
    for (const { id, checksum, path, encodedPath } of documents) {
      const place = path ?? (encodedPath === undefined ? undefined : Buffer.from(encodedPath, 'base64'));
      const content: ExtractionContent =
        place === undefined
          ? { kind: 'bytes', bytes: rest.next().value ?? new Uint8Array() }
          : { kind: 'path', path: place };
      this.#waiting.push({ id, checksum, content });
    }
    this.#openNext();
  }

  /** Those that have not been opened will not be. */
  drop(ids: readonly number[]): void {
    const dropped = new Set(ids);
    this.#waiting = this.#waiting.filter(({ id }) => !dropped.has(id));
  }

  answer(request: Extract<ProcessRequest, { kind: 'bytes' | 'digest' | 'done' }>): void {
    if (this.#open === undefined) throw new CrawlerError('corrupt', 'no document is open');
    if (request.kind === 'done') {
      this.#open.document.close();
      this.#open = undefined;
      this.#openNext();
      return;
    }
    const { document, checksum } = this.#open;
    this.#answering = this.#answering.then(async () => {
      try {
        if (request.kind === 'bytes') await this.#sendBytes(document, request.from, request.to);
        else await this.#sendDigest(document, checksum);
        this.#reply(bytesFrame(replyFrame.end, new Uint8Array()));
      } catch (error) {
        this.#reply([jsonFrame(replyFrame.failed, { code: errorCodeOf(error), message: messageOf(error) })]);
      }
    });
  }

  #openNext(): void {
    while (this.#open === undefined) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#begin(next);
    }
    this.#buffer.flush();
  }

  #begin({ id, content, checksum }: Waiting): void {
    let document: OpenDocument | undefined;
    try {
      const frame = this.#buffer.space(DOCUMENT_OFFSET + HEAD_BYTES);
      const place = frame.subarray(DOCUMENT_OFFSET);
      document = openDocument(content, place);
      const head = document.first(HEAD_BYTES);
      if (content.kind === 'bytes') place.set(head);
      this.#buffer.added(completeDocument(frame, id, document.size, head.length));
      if (document.size > head.length) this.#open = { document, checksum };
    } catch (error) {
      this.#buffer.add(jsonFrame(feedFrame.unreadable, { id, code: errorCodeOf(error), message: messageOf(error) }));
    }
    if (this.#open === undefined) document?.close();
  }

  async #sendBytes(document: OpenDocument, from: number, to: number): Promise<void> {
    for (const block of document.blocks(from, Math.min(to, document.size))) {
      this.#reply(bytesFrame(replyFrame.block, block));
      if (this.#requests.writableNeedDrain) await once(this.#requests, 'drain');
    }
  }

  async #sendDigest(document: OpenDocument, checksum: string | undefined): Promise<void> {
    if (checksum === undefined) throw new CrawlerError('corrupt', 'no digest was asked for');
    const { createHash } = await import('node:crypto');
    const hash = createHash(checksum);
    let bytes = 0;
    for (const block of document.blocks(0, Number.POSITIVE_INFINITY)) {
      hash.update(block);
      bytes += block.length;
      if (bytes % DIGEST_TURN_BYTES === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#reply([textFrame(replyFrame.block, hash.digest('hex'))]);
  }

  #reply(frames: readonly Uint8Array[]): void {
    for (const frame of frames) this.#requests.write(frame);
  }
}
