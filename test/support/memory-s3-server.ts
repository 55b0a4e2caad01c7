import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A bucket in this process, for what no file system behind a service can hold (keys with empty parts or control
 * characters) and for answers that no service gives on demand. It looks at no signature.
 */
export interface MemoryS3Options {
  readonly objects: Readonly<Record<string, string>>;
  /** Keys and prefixes on a page. */
  readonly pageSize?: number;
  /** Answers instead of the bucket, once each. */
  readonly script?: readonly ((response: ServerResponse) => void)[];
}

export class MemoryS3Server {
  readonly requests: { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[] =
    [];
  readonly #server: Server;
  port = 0;

  private constructor({ objects, pageSize = 1000, script = [] }: MemoryS3Options) {
    const steps = [...script];
    this.#server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      this.requests.push({ method, url, headers });
      const step = steps.shift();
      if (step !== undefined) return step(response);
      const { path, query } = partsOf(url);
      if (path === '') return answerList(response, objects, query, pageSize);
      const content = objects[path];
      if (content === undefined)
        return answerError(response, 404, '<Error><Code>NoSuchKey</Code><Message>gone</Message></Error>');
      response.writeHead(200, {
        'content-length': Buffer.byteLength(content),
        etag: etagOf(content),
        'last-modified': DATE,
      });
      response.end(method === 'HEAD' ? undefined : content);
    });
  }

  static async start(options: MemoryS3Options): Promise<MemoryS3Server> {
    const server = new MemoryS3Server(options);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    server.port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function answerError(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(body);
}

const DATE = 'Sat, 02 Mar 2024 10:20:30 GMT';

/** The key, and the query. The bucket is the first part of the path. */
function partsOf(url: string): { path: string; query: URLSearchParams } {
  const [raw = '', query = ''] = url.split('?', 2);
  const path = raw.split('/').slice(2).map(decodeURIComponent).join('/');
  return { path, query: new URLSearchParams(query) };
}

function answerList(
  response: ServerResponse,
  objects: Readonly<Record<string, string>>,
  query: URLSearchParams,
  pageSize: number,
): void {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const rows = new Map<string, string>();
  for (const [key, content] of Object.entries(objects).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!key.startsWith(prefix)) continue;
    const slash = key.indexOf('/', prefix.length);
    const row = slash < 0 ? key : key.slice(0, slash + 1);
    rows.set(slash < 0 ? `o${row}` : `p${row}`, content);
  }
  const left = [...rows].filter(([row]) => row.slice(1) > after);
  const page = left.slice(0, pageSize);
  const more = left.length > page.length;
  const body = page.map(([row, content]) =>
    row.startsWith('p')
      ? `<CommonPrefixes><Prefix>${encoded(row.slice(1))}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${encoded(row.slice(1))}</Key><Size>${Buffer.byteLength(content)}</Size><ETag>${etagOf(content)}</ETag>` +
        '<LastModified>2024-03-02T10:20:30.000Z</LastModified><Owner><ID>x</ID></Owner></Contents>',
  );
  const next = more ? `<NextContinuationToken>${page.at(-1)?.[0].slice(1) ?? ''}</NextContinuationToken>` : '';
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Prefix>${encoded(prefix)}</Prefix>` +
      `<EncodingType>url</EncodingType><IsTruncated>${String(more)}</IsTruncated>${next}${body.join('')}</ListBucketResult>`,
  );
}

/** As forms encode, but for slashes. */
function encoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1).replaceAll('%2F', '/');
}

function etagOf(content: string): string {
  return `&quot;${content.length}-${content.slice(0, 8).replace(/\W/g, '')}&quot;`;
}
