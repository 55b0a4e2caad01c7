import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type DavStep = (request: IncomingMessage, response: ServerResponse) => void;

/** A WebDAV server in this process, for answers that no real one gives on demand: a step a request, the last for ever. */
export class ScriptedWebdav {
  readonly requests: { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[] =
    [];
  readonly #server: Server;

  private constructor(steps: readonly DavStep[]) {
    this.#server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      const step = steps[Math.min(this.requests.length, steps.length - 1)];
      this.requests.push({ method, url, headers });
      request.resume();
      step?.(request, response);
    });
  }

  static async start(...steps: readonly DavStep[]): Promise<ScriptedWebdav> {
    const server = new ScriptedWebdav(steps);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/dav`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** A whole answer to PROPFIND. */
export function multistatus(...responses: readonly string[]): DavStep {
  return (_request, response) => {
    response.writeHead(207, { 'content-type': 'application/xml; charset=utf-8' });
    response.end(document(...responses));
  };
}

export function document(...responses: readonly string[]): string {
  return `<?xml version="1.0" encoding="utf-8"?><d:multistatus xmlns:d="DAV:">${responses.join('')}</d:multistatus>`;
}

export function folder(href: string): string {
  return `<d:response><d:href>${href}</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
}

export function file(href: string, etag = '"1"'): string {
  return (
    `<d:response><d:href>${href}</d:href><d:propstat><d:prop><d:resourcetype/><d:getcontentlength>4</d:getcontentlength>` +
    `<d:getlastmodified>Sat, 02 Mar 2024 10:20:30 GMT</d:getlastmodified><d:getetag>${etag}</d:getetag></d:prop>` +
    '<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>'
  );
}

/** A resource of which nothing is told. */
export function failed(href: string, status: string): string {
  return `<d:response><d:href>${href}</d:href><d:status>HTTP/1.1 ${status}</d:status></d:response>`;
}

export function answer(status: number, headers: Record<string, string> = {}, body = ''): DavStep {
  return (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}
