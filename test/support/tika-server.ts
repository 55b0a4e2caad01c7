import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { silentLogger, type Logger } from '../../src/base/logger.js';
import { defaultLimits, type DocumentLimits } from '../../src/extract/limits.js';
import { TikaExtractor } from '../../src/extract/tika/tika-extractor.js';
import { TikaServer } from '../../src/extract/tika/tika-server.js';
import { missingForTika, startTika, type RunningTika } from '../engines/start-tika.mjs';

export interface OwnTika {
  server: RunningTika;
}

/**
 * Runs a suite against a real Tika server of its own, which it may kill and start again. Where that is not possible the suite
 * is skipped under a name that says what is missing.
 */
export function describeTika(
  name: string,
  suite: (tika: OwnTika) => void,
  options: { readonly watched?: boolean } = {},
): void {
  const missing = missingForTika();
  if (missing !== undefined) process.stderr.write(`Skipped: ${name} needs ${missing}.\n`);
  const describeOrSkip = missing === undefined ? describe : describe.skip;
  describeOrSkip(`${name} (Tika server)`, () => {
    const tika = {} as OwnTika;
    beforeAll(async () => {
      tika.server = await startTika({ heapMb: 512, ...options });
    }, 300_000);
    suite(tika);
    afterAll(() => tika.server.kill());
  });
}

export interface TikaSettings {
  readonly retries?: number;
  readonly firstPauseMs?: number;
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  readonly limits?: Partial<DocumentLimits>;
  readonly logger?: Logger;
}

/** An extractor with short pauses. */
export function tikaExtractor(url: string, settings: TikaSettings = {}): TikaExtractor {
  const { retries = 5, firstPauseMs = 5, concurrency = 4, timeoutMs = 60_000, logger = silentLogger } = settings;
  return new TikaExtractor({
    server: new TikaServer({ url, retries, firstPauseMs, logger }),
    tikaVersion: '0',
    concurrency,
    timeoutMs,
    limits: { ...defaultLimits.document, ...settings.limits },
    logger,
  });
}

export interface TikaRequestSeen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a scripted server does with a document: an answer, or whatever it likes with the response. */
export type Reaction = { readonly status?: number; readonly json?: unknown } | ((response: ServerResponse) => void);

/** A server that plays Tika, well or badly: what it does with each document is in the hands of the test. */
export class ScriptedTika {
  readonly documents: TikaRequestSeen[] = [];
  /** Of `GET /version`. */
  version: { readonly status: number; readonly text: string } = { status: 200, text: 'Apache Tika 9.9.9' };
  /** What `GET` of other paths answers: parsers, detectors, types. */
  lists: Readonly<Record<string, unknown>> = {};
  readonly listed: string[] = [];
  /** Most documents that were under way at the same time. */
  most = 0;
  #underWay = 0;
  readonly #react: (request: TikaRequestSeen, count: number) => Reaction | Promise<Reaction>;
  #server = this.#create();

  /** @param react is told how often this document has come until now */
  constructor(react: (request: TikaRequestSeen, count: number) => Reaction | Promise<Reaction>) {
    this.#react = react;
  }

  /** Also after `stop`. */
  async start(port = 0): Promise<string> {
    if (this.#server.listening) return this.url;
    this.#server = this.#create();
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this.url;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #create(): Server {
    return createServer((request, response) => {
      void this.#handle(request, response);
    });
  }

  #tell(path: string, response: ServerResponse): void {
    this.listed.push(path);
    if (path in this.lists) response.end(JSON.stringify(this.lists[path]));
    else response.writeHead(this.version.status).end(this.version.text);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      this.#tell(request.url ?? '', response);
      return;
    }
    this.#underWay += 1;
    this.most = Math.max(this.most, this.#underWay);
    response.on('close', () => {
      this.#underWay -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    const seen = { method, path, headers, body: Buffer.concat(chunks).toString() };
    const count = this.documents.filter(({ body }) => body === seen.body).length;
    this.documents.push(seen);
    const reaction = await this.#react(seen, count);
    if (typeof reaction === 'function') reaction(response);
    else response.writeHead(reaction.status ?? 200).end(JSON.stringify(reaction.json ?? []));
  }
}

/** The answer of a server that read a document well. */
export function answerWith(text: string, metadata: Readonly<Record<string, unknown>> = {}): Reaction {
  return { json: [{ 'Content-Type': 'text/plain', 'X-TIKA:Parsed-By': ['P'], 'X-TIKA:content': text, ...metadata }] };
}
