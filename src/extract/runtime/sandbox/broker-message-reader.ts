import { CrawlerError, type ErrorCode } from '../../../base/errors.js';
import type { ExtractionOptions } from '../../extraction.js';
import { feedFrame, type GroupToExtract } from '../channel/broker-messages.js';
import { documentIn } from '../channel/feed-frames.js';
import { FrameReader } from '../../frames/frames.js';
import { poolFrame } from '../channel/messages.js';
import type { BrokerOcr } from './broker-ocr.js';
import type { BrokerRequests } from './broker-requests.js';
import { FedDocument } from './fed-document.js';
import type { SandboxContent, SandboxDocument, SandboxMessage, SandboxMessageReader } from './sandbox-input.js';

interface Announced {
  readonly name: string;
  readonly options: ExtractionOptions;
}

/**
 * Decodes what the broker sends. A document is announced with its name and options, and then its beginning follows. The broker
 * is trusted, so nothing is checked.
 */
export class BrokerMessageReader implements SandboxMessageReader {
  readonly #frames = new FrameReader(() => Number.POSITIVE_INFINITY);
  readonly #requests: BrokerRequests;
  readonly #ocr: BrokerOcr;
  readonly #announced = new Map<number, Announced>();

  constructor(requests: BrokerRequests, ocr: BrokerOcr) {
    this.#requests = requests;
    this.#ocr = ocr;
  }

  read(chunk: Buffer, take: (message: SandboxMessage) => void): void {
    this.#frames.add(chunk);
    for (let frame = this.#frames.next(); frame !== undefined; frame = this.#frames.next()) {
      const { kind, bytes } = frame;
      if (kind === feedFrame.document) this.#takeDocument(bytes, take);
      else this.#takeJson(kind, JSON.parse(bytes.toString()), take);
    }
  }

  #takeJson(kind: number, value: unknown, take: (message: SandboxMessage) => void): void {
    switch (kind) {
      case poolFrame.extract:
        this.#announce(value as GroupToExtract);
        break;
      case poolFrame.drop: {
        const ids = value as readonly number[];
        take({ kind: 'drop', ids, forgotten: ids.filter((id) => this.#announced.delete(id)) });
        break;
      }
      case poolFrame.pages:
        take({ kind: 'pages', atOnce: value as number });
        break;
      case feedFrame.unreadable: {
        const { id, code, message } = value as { id: number; code: ErrorCode; message: string };
        this.#pass(id, { kind: 'unreadable', error: new CrawlerError(code, message) }, take);
        break;
      }
      default:
        this.#ocr.take(kind, value);
    }
  }

  #announce({ ocr: all, documents }: GroupToExtract): void {
    for (const { id, name, options, ocr: index } of documents) {
      const ocr = all[index];
      if (ocr === undefined) throw new CrawlerError('internal', 'A document arrived without its OCR options.');
      this.#announced.set(id, { name, options: { ...options, ocr } });
    }
  }

  #takeDocument(bytes: Buffer, take: (message: SandboxMessage) => void): void {
    const { id, size, head } = documentIn(bytes);
    const { checksum } = this.#announced.get(id)?.options ?? {};
    const document = new FedDocument(this.#requests, size, head, checksum);
    this.#pass(id, { kind: 'opened', document, findOcr: () => this.#ocr.find(id) }, take);
  }

  #pass(id: number, content: SandboxContent, take: (message: SandboxMessage) => void): void {
    const announced = this.#announced.get(id);
    if (announced === undefined) return;
    this.#announced.delete(id);
    const document: SandboxDocument = { id, request: { ...announced, content } };
    take({ kind: 'extract', documents: [document] });
  }
}
