import { CrawlerError, type ErrorCode } from '../../../base/errors.js';
import type { RenderedPicture } from '../../format.js';
import type { OcrEngine } from '../../ocr/ocr-engine.js';
import { feedFrame, MOST_PICTURE_BYTES, requestFrame } from '../channel/broker-messages.js';
import { numbersOf } from '../channel/feed-frames.js';
import type { BrokerRequests } from './broker-requests.js';

/** What the broker tells of the engine that it has found. */
export interface FoundEngine extends Pick<OcrEngine, 'name' | 'version' | 'languages'> {
  readonly number: number;
}

export type OcrReply =
  | { readonly number: number }
  | { readonly number: number; readonly engine: Omit<FoundEngine, 'number'> }
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly error: { readonly code: ErrorCode; readonly message: string } };

/** OCR by the broker: this process may not start programs. */
export class BrokerOcr {
  readonly #requests: BrokerRequests;
  readonly #waiting = new Map<number, (reply: OcrReply) => void>();
  #number = 0;

  constructor(requests: BrokerRequests) {
    this.#requests = requests;
  }

  /** The engine for the OCR options of a document. */
  async find(id: number): Promise<OcrEngine | undefined> {
    const reply = await this.#ask((number) => this.#requests.send(requestFrame.findOcr, numbersOf(number, id)));
    if (!('engine' in reply)) return undefined;
    const { name, version, languages } = reply.engine;
    const recognise: OcrEngine['recognise'] = (picture, _options, signal) => this.#recognise(id, picture, signal);
    return { name, version, languages, recognise };
  }

  /** Takes an answer of the broker. */
  take(kind: number, value: unknown): void {
    if (kind !== feedFrame.ocrEngine && kind !== feedFrame.ocrText) return;
    const reply = value as OcrReply;
    this.#waiting.get(reply.number)?.(reply);
    this.#waiting.delete(reply.number);
  }

  async #recognise(id: number, { bytes, dpi }: RenderedPicture, signal: AbortSignal): Promise<string> {
    if (bytes.length > MOST_PICTURE_BYTES) throw new CrawlerError('corrupt', 'the picture is too large.');
    const resolution = dpi === undefined ? 0 : Math.round(dpi);
    const reply = await this.#ask((number) => {
      this.#requests.send(requestFrame.recognise, numbersOf(number, id, resolution), bytes);
      signal.addEventListener('abort', () => this.#requests.send(requestFrame.stopRecognition, numbersOf(number)));
    });
    if ('error' in reply) throw new CrawlerError(reply.error.code, reply.error.message);
    return 'text' in reply ? reply.text : '';
  }

  #ask(send: (number: number) => void): Promise<OcrReply> {
    const number = this.#number++;
    const reply = new Promise<OcrReply>((resolve) => this.#waiting.set(number, resolve));
    send(number);
    return reply;
  }
}
