import type { Socket } from 'node:net';
import type { ProgramIsolation } from '../isolation/sandbox-backend.js';
import { brokerFrame, type GroupToOpen } from '../channel/broker-messages.js';
import { FrameReader } from '../../frames/frames.js';
import { poolFrame } from '../channel/messages.js';
import { DocumentFeed } from './document-feed.js';
import { FeedBuffer } from './feed-buffer.js';
import { OcrService } from './ocr-service.js';
import { RequestReader, type ProcessRequest } from './request-reader.js';

export interface BrokerChannels {
  readonly pool: Socket;
  readonly process: Socket;
  readonly requests: Socket;
  readonly processId: number;
  /** How programs are isolated; undefined when they are not. */
  readonly programs: ProgramIsolation | undefined;
}

/**
 * Opens and reads documents for a sandbox process, and starts programs for it, so that the process itself needs no right to do
 * either. It never looks into a document. The process may be under the control of one: a request that the program would not make
 * ends both.
 */
export class Broker {
  readonly #channels: BrokerChannels;
  readonly #buffer: FeedBuffer;
  readonly #feed: DocumentFeed;
  readonly #ocr: OcrService;
  readonly #frames = new FrameReader(() => Number.POSITIVE_INFINITY);
  #contents: Uint8Array[] = [];

  constructor(channels: BrokerChannels) {
    this.#channels = channels;
    this.#ocr = new OcrService(channels.process, channels.programs);
    this.#buffer = new FeedBuffer(channels.process);
    this.#feed = new DocumentFeed(this.#buffer, channels.requests);
  }

  run(): void {
    const { pool, process: sandbox, requests } = this.#channels;
    const reader = new RequestReader();
    pool.on('data', (chunk: Buffer) => this.#fromPool(chunk));
    requests.on('data', (chunk: Buffer) => {
      this.#orEnd(() => reader.read(chunk, (request) => this.#answer(request)));
    });
    // The process sends nothing here; reading is how its end is noticed.
    sandbox.resume();
    for (const socket of [pool, sandbox, requests]) {
      socket.on('error', () => undefined);
      socket.on('close', () => this.#end());
    }
  }

  #fromPool(chunk: Buffer): void {
    this.#frames.add(chunk);
    for (let frame = this.#frames.next(); frame !== undefined; frame = this.#frames.next()) {
      const { kind, bytes } = frame;
      if (kind === brokerFrame.content) this.#contents.push(bytes);
      else if (kind === brokerFrame.open) this.#open(JSON.parse(bytes.toString()) as GroupToOpen);
      else this.#passOn(kind, bytes);
    }
    this.#buffer.flush();
  }

  #open(group: GroupToOpen): void {
    this.#ocr.announce(group);
    this.#feed.add(group, this.#contents);
    this.#contents = [];
  }

  /** What is for the process is not looked into further than necessary. */
  #passOn(kind: number, bytes: Buffer): void {
    if (kind === poolFrame.drop) this.#feed.drop(JSON.parse(bytes.toString()) as readonly number[]);
    if (kind === poolFrame.pages) this.#ocr.allow(JSON.parse(bytes.toString()) as number);
    this.#buffer.pass(kind, bytes);
  }

  #answer(request: ProcessRequest): void {
    switch (request.kind) {
      case 'bytes':
      case 'digest':
      case 'done':
        this.#feed.answer(request);
        break;
      case 'find_ocr':
      case 'recognise':
      case 'stop_recognition':
        this.#ocr.answer(request);
    }
  }

  #orEnd(work: () => void): void {
    try {
      work();
    } catch {
      this.#end();
    }
  }

  /** The process ends as soon as it notices; one in an endless loop would never. */
  #end(): never {
    const { process: sandbox, processId } = this.#channels;
    if (!sandbox.closed && processId > 1) endGroup(processId);
    endGroup(process.pid);
    process.exit(0);
  }
}

/** Ends a process with all programs that it has started: its process group, if it leads one. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
