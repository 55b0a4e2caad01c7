import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A web server with the habits, good and bad, that a fetch meets. */
export interface OriginServer {
  readonly url: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** The Authorization headers that came with them. */
  readonly credentials: (string | undefined)[];
  /** Paths whose answer was cut off by the client. */
  readonly abandoned: string[];
  close(): Promise<void>;
}

type Page = (request: IncomingMessage, response: ServerResponse) => void;

function redirect(location: string, status = 302): Page {
  return (_request, response) => response.writeHead(status, { location }).end();
}

function text(body: string, headers: Record<string, string> = {}): Page {
  return (_request, response) => response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(body);
}

const PAGES: Readonly<Record<string, Page>> = {
  '/': text('the root'),
  '/doc.txt': text('fetched words', { 'last-modified': 'Wed, 04 Jan 2017 21:01:08 GMT', etag: '"v1"' }),
  '/na%C3%AFve.txt': text('umlaut'),
  '/named': text('named', { 'content-disposition': "attachment; filename=x; filename*=UTF-8''r%C3%A9sum%C3%A9.txt" }),
  '/path-named': text('named', { 'content-disposition': 'attachment; filename="../../../etc/passwd"' }),
  '/folder/': text('a folder'),
  '/gzip.txt': (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked')),
  '/gzip-bomb': (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000))),
  '/compress': text('x', { 'content-encoding': 'compress' }),
  '/redirect': redirect('/doc.txt'),
  '/redirect-307': redirect('/redirect', 307),
  '/redirect-loop': redirect('/redirect-loop'),
  '/redirect-nowhere': (_request, response) => response.writeHead(302).end(),
  '/to-file': redirect('file:///etc/hostname'),
  '/to-ftp': redirect('ftp://127.0.0.1/x'),
  '/to-metadata': redirect('http://169.254.169.254/latest/meta-data/'),
  '/to-metadata-by-number': redirect('http://2852039166/latest/meta-data/'),
  '/to-nonsense': redirect('http://['),
  '/missing': (_request, response) => response.writeHead(404).end('no'),
  '/forbidden': (_request, response) => response.writeHead(403).end('no'),
  '/broken': (_request, response) => response.writeHead(500).end('no'),
  '/hangs': () => undefined,
  '/stalls': (_request, response) => void response.writeHead(200, { 'content-length': '100' }).write('only a bit'),
  '/cut': (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('only a bit');
    setTimeout(() => response.socket?.destroy(), 20);
  },
  '/big': text('x'.repeat(200_000), { 'content-length': '200000' }),
  '/drips': (_request, response) => {
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/endless': (_request, response) => {
    const chunk = Buffer.alloc(65_536, 'x');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  },
};

export async function startOriginServer(): Promise<OriginServer> {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const abandoned: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    credentials.push(request.headers.authorization);
    response.on('close', () => {
      if (!response.writableFinished) abandoned.push(path);
    });
    const elsewhere = /^\/to\?(.*)$/.exec(path)?.[1];
    if (elsewhere !== undefined) return redirect(decodeURIComponent(elsewhere))(request, response);
    const page = PAGES[path];
    if (page === undefined) response.writeHead(404).end();
    else page(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    credentials,
    abandoned,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
