import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/**
 * The part of a server that keeps templates, for versions and licences that no test can have. A template is readable only
 * after `readableAfter` reads at it, as in a cluster where the news have to travel.
 */
export class TemplateServer {
  readonly templates = new Map<string, unknown>();
  readonly requests: string[] = [];
  readonly url: string;
  readableAfter = 0;
  /** Answers 404 this often before it tells its licence. */
  licenceAfter = 0;
  readonly #server: Server;
  readonly #root: unknown;
  readonly #licence: string;
  readonly #reads = new Map<string, number>();

  static async start(root: unknown, licence: string): Promise<TemplateServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TemplateServer(server, root, licence);
  }

  private constructor(server: Server, root: unknown, licence: string) {
    this.#server = server;
    this.#root = root;
    this.#licence = licence;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (incoming, outgoing) => {
      void this.#answer(incoming).then(([status, body]) => {
        outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(incoming: IncomingMessage): Promise<[number, unknown]> {
    const path = decodeURIComponent(incoming.url ?? '');
    const method = incoming.method ?? '';
    this.requests.push(`${method} ${path}`);
    if (path === '/') return [200, this.#root];
    if (path === '/_license') return this.#tellLicence();
    if (!/^\/_(index|component)_template\//.test(path)) return [404, { error: { type: 'index_not_found_exception' } }];
    if (method === 'PUT') this.templates.set(path, await json(incoming));
    if (method === 'DELETE') this.templates.delete(path);
    return this.#isReadable(method, path) ? [200, {}] : [404, {}];
  }

  #tellLicence(): [number, unknown] {
    this.licenceAfter -= 1;
    return this.licenceAfter >= 0 ? [404, {}] : [200, { license: { type: this.#licence } }];
  }

  #isReadable(method: string, path: string): boolean {
    if (method !== 'GET') return true;
    if (!this.templates.has(path)) return false;
    const reads = (this.#reads.get(path) ?? 0) + 1;
    this.#reads.set(path, reads);
    return reads > this.readableAfter;
  }
}
