import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/**
 * A proxy in front of a real server that misbehaves by a script: each step serves the next request that it matches, and
 * what no step matches goes through. Without a target it is an engine that holds nothing.
 */
export interface ProxyStep {
  /** Tested against `METHOD /path?query`; every request when left out. */
  readonly on?: RegExp;
  /** Only requests whose body has more bytes than this. */
  readonly largerThan?: number;
  /** How many requests the step serves; 1 when left out. */
  readonly times?: number;
  readonly act:
    | { readonly kind: 'answer'; readonly status: number; readonly body?: unknown }
    /** The request is not forwarded. */
    | { readonly kind: 'cut_before' }
    /** The request is forwarded, its answer is lost. */
    | { readonly kind: 'cut_after' }
    /** The request is forwarded, only this share of the answer arrives before the connection breaks. */
    | { readonly kind: 'cut_within'; readonly share: number }
    /** The request is forwarded, the answer's text is replaced. */
    | { readonly kind: 'rewrite'; readonly change: (text: string) => string };
}

export interface ProxiedRequest {
  readonly line: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

export interface ProxyOptions {
  readonly target?: string | undefined;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly port?: number;
}

export class ScriptedProxy {
  readonly requests: ProxiedRequest[] = [];
  readonly url: string;
  readonly port: number;
  readonly #server: Server;
  readonly #target: string | undefined;
  #steps: { step: ProxyStep; left: number }[] = [];

  static async start(options: ProxyOptions = {}): Promise<ScriptedProxy> {
    const server = options.tls === undefined ? createServer() : createTlsServer(options.tls);
    server.listen(options.port ?? 0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedProxy(server, options);
  }

  private constructor(server: Server, { target, tls }: ProxyOptions) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    this.url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${this.port}`;
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      void this.#serve(incoming, outgoing);
    });
  }

  script(...steps: readonly ProxyStep[]): void {
    this.#steps.push(...steps.map((step) => ({ step, left: step.times ?? 1 })));
  }

  /** Behaves again, and forgets what it has seen. */
  reset(): void {
    this.#steps = [];
    this.requests.splice(0);
  }

  /** The bodies of the requests whose line matches. */
  bodies(on: RegExp): readonly string[] {
    return this.requests.filter(({ line }) => on.test(line)).map(({ body }) => body);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await readAll(incoming);
    const line = `${incoming.method ?? ''} ${incoming.url ?? ''}`;
    this.requests.push({ line, body: body.toString(), headers: incoming.headers });
    const act = this.#take(line, body.byteLength)?.act;
    if (act?.kind === 'answer') answer(outgoing, act.status, act.body);
    else if (act?.kind === 'cut_before') outgoing.destroy();
    else if (this.#target === undefined) answer(outgoing, 404, noSuchIndex);
    else deliver(outgoing, act, await forward(this.#target, incoming, body));
  }

  #take(line: string, bytes: number): ProxyStep | undefined {
    const found = this.#steps.find(({ step }) => (step.on?.test(line) ?? true) && bytes > (step.largerThan ?? -1));
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left === 0) this.#steps = this.#steps.filter((each) => each !== found);
    return found.step;
  }
}

const noSuchIndex = { error: { type: 'index_not_found_exception', reason: 'no such index' }, status: 404 };

interface Forwarded {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Undefined when the target cannot be reached. */
async function forward(target: string, incoming: IncomingMessage, body: Buffer): Promise<Forwarded | undefined> {
  const outgoing = request(new URL(incoming.url ?? '/', target), {
    method: incoming.method,
    headers: { ...incoming.headers, host: new URL(target).host, 'accept-encoding': 'identity' },
    agent: false,
  });
  outgoing.end(body);
  try {
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
    const contentType = reply.headers['content-type'] ?? 'application/json';
    return { status: reply.statusCode ?? 0, contentType, body: await readAll(reply) };
  } catch {
    return undefined;
  }
}

function deliver(outgoing: ServerResponse, act: ProxyStep['act'] | undefined, reply: Forwarded | undefined): void {
  if (act?.kind === 'cut_after' || reply === undefined) {
    outgoing.destroy();
    return;
  }
  const text = act?.kind === 'rewrite' ? Buffer.from(act.change(reply.body.toString())) : reply.body;
  outgoing.writeHead(reply.status, { 'content-type': reply.contentType, 'content-length': text.byteLength });
  if (act?.kind !== 'cut_within') outgoing.end(text);
  else outgoing.write(text.subarray(0, Math.floor(text.byteLength * act.share)), () => outgoing.destroy());
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function answer(outgoing: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
  const contentType = typeof body === 'string' ? 'text/html' : 'application/json';
  outgoing.writeHead(status, { 'content-type': contentType }).end(text);
}
