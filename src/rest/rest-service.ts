import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../base/clock.js';
import { Spool } from '../source/spool.js';
import { Access } from './access/access.js';
import { KeyRing } from './access/key-ring.js';
import { cookieName } from './access/session-cookie.js';
import { Sessions } from './access/sessions.js';
import { BaseUrl } from './base-url.js';
import { answerBrokenRequest } from './broken-request.js';
import { Connections } from './connections.js';
import { listenError, parseListenAddress } from './listen-address.js';
import type { ListenAddress } from './listen-address.js';
import { createRestApp } from './rest-app.js';
import type { RestOptions } from './rest-options.js';

export type { RestOptions } from './rest-options.js';

const SILENCE_MS = 60_000;
/** The headers of a request must be complete after this, a body after that: large uploads over slow lines are fine. */
const HEADERS_MS = 60_000;
const REQUEST_MS = 6 * 60 * 60_000;
/** Longer than the idle connections of usual proxies live, so that it is never us who close one that is being used. */
const KEEP_ALIVE_MS = 75_000;
/** For telling those who waited in vain. */
const LAST_WORDS_MS = 500;

/** The HTTP service over one crawler, one ingester and one engine. It owns its server and its spool, nothing else. */
export class RestService {
  readonly #options: RestOptions;
  readonly #giveUp = new AbortController();
  #server: Server | undefined;
  #connections: Connections | undefined;

  constructor(options: RestOptions) {
    this.#options = options;
  }

  /**
   * Listens. `url` is the base address without a trailing slash, with the port that the system chose for port 0; where the
   * service listens on all addresses, the one on this machine. `listening` names the address as it was given. Throws
   * `settings_invalid`, `conflict` or `denied` with a sentence about `rest.url`.
   */
  async start(): Promise<{ readonly url: string; readonly listening: string }> {
    const address = await parseListenAddress(this.#options.url);
    const spool = new Spool(this.#options.spoolDirectory, 'requests');
    await spool.prepare();
    const server = createServer({
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
    });
    const port = await listen(server, address);
    const url = `http://${reachableHost(address)}:${port}${address.prefix}`;
    const app = createRestApp(
      {
        silenceMs: SILENCE_MS,
        ...this.#options,
        baseUrl: new BaseUrl({ own: url, prefix: address.prefix, listensEverywhere: address.everywhere }),
        access: accessOf(this.#options, port),
        loopback: address.loopback,
        spool,
        stopping: this.#giveUp.signal,
      },
      address,
    );
    server.on('request', app);
    // Whoever reads the body tells the sender to continue.
    server.on('checkContinue', (request, response) => server.emit('request', request, response));
    this.#connections = new Connections(server);
    server.on('clientError', answerBrokenRequest);
    server.on('error', (error) => this.#options.logger.error('The REST service met a network fault', { error }));
    this.#server = server;
    this.#warn(address);
    return { url, listening: `http://${address.host}:${port}${address.prefix}` };
  }

  /** Takes no new connection, finishes what is in flight, and gives it up after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.#connections?.drain();
    let cut: NodeJS.Timeout | undefined;
    const end = setTimeout(() => {
      this.#giveUp.abort(new Error('The service stops.'));
      cut = setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS);
    }, graceMs);
    await closed;
    clearTimeout(end);
    clearTimeout(cut);
  }

  #warn({ loopback, host }: ListenAddress): void {
    const { apiKeys, readKeys } = this.#options;
    if (loopback || apiKeys.length + readKeys.length > 0) return;
    this.#options.logger.warn(
      `The REST service listens on ${host}, beyond this machine, and requires no API key: anyone who can reach it may read, add and delete documents. Set rest.api_keys.`,
    );
  }
}

function accessOf({ allowedHosts, ...keys }: RestOptions, port: number): Access {
  const sessions = new Sessions(systemClock);
  return new Access({ keys: new KeyRing(keys), sessions, cookie: cookieName(port), allowedHosts });
}

function reachableHost({ host, everywhere }: ListenAddress): string {
  if (!everywhere) return host;
  return host.startsWith('[') ? '[::1]' : '127.0.0.1';
}

async function listen(server: Server, address: ListenAddress): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, address)));
    server.listen({ host: address.address, port: address.port }, resolve);
  });
  server.removeAllListeners('error');
  return (server.address() as AddressInfo).port;
}
