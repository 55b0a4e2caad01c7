import type { Readable } from 'node:stream';
import { CrawlerError } from '../../base/errors.js';
import { baseName, joinPath } from '../../base/path.js';
import type { Attributes, Entry } from '../../model/entry.js';
import { RemoteStream, type RemoteBody } from '../remote-stream.js';
import type { RootProbe, SourceFeatures, TreeSource } from '../source.js';
import { membersOf, type FolderAnswer, type Member } from './members.js';
import { MultistatusReader, PROPFIND_BODY, type DavResponse } from './multistatus.js';
import { WebdavClient, type WebdavAnswer } from './webdav-client.js';
import { listingFault, silence, statusFault } from './webdav-fault.js';
import { isFolderHref, requestPaths } from './webdav-path.js';
import type { WebdavServer } from './webdav-server.js';

/** Requests under way, and so files that are read at the same time. */
const CONNECTIONS = 6;
/** Entries handed over at a time. */
const BATCH = 1000;

/**
 * A folder tree on a WebDAV server. A folder is listed by PROPFIND with `Depth: 1`, never deeper: servers refuse that, or
 * take minutes. The version of a file is its ETag; without one, its date and size tell of a change.
 */
export class WebdavSource implements TreeSource {
  readonly type = 'webdav';
  readonly features: SourceFeatures;
  readonly #server: WebdavServer;
  readonly #client: WebdavClient;

  constructor(server: WebdavServer, connections = CONNECTIONS) {
    this.features = { identity: false, attributes: false, cheapListing: false, maxConnections: connections };
    this.#server = server;
    this.#client = new WebdavClient(server, connections);
  }

  async probe(root: string, signal: AbortSignal): Promise<RootProbe> {
    return { device: 0, entries: (await this.#folder(root, signal)).members.length };
  }

  async stat(path: string, signal: AbortSignal): Promise<Entry> {
    const { self } = await this.#propfind(path, '0', false, signal);
    return toEntry(baseName(path), path, self);
  }

  /** The listing is complete before the first batch leaves. */
  async *list(folder: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
    const { members } = await this.#folder(folder, signal);
    const entries = members.flatMap((member) => entryOf(folder, member));
    for (let from = 0; from < entries.length; from += BATCH) yield entries.slice(from, from + BATCH);
  }

  async read(entry: Entry, signal: AbortSignal): Promise<Readable> {
    const { path, size } = entry;
    const answer = await this.#client.ask({ method: 'GET', path, isFolder: false, headers: {} }, signal);
    return new RemoteStream(bodyOf(answer, size), {
      silenceMs: this.#server.timeouts.silenceMs,
      signal,
      fault: (error) => this.#client.fault(path, error, signal),
      silent: () => silence(this.#server, path),
    });
  }

  localPath(): undefined {
    return undefined;
  }

  urlOf({ path }: Entry): string {
    const { origin, pathname } = this.#server.endpoint;
    const [encoded = ''] = requestPaths(pathname.replace(/\/$/, ''), path, false);
    return origin + encoded;
  }

  /** WebDAV knows neither owner nor mode. */
  attributes(): Promise<Attributes> {
    return Promise.resolve({});
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #folder(path: string, signal: AbortSignal): Promise<FolderAnswer> {
    const answer = await this.#propfind(path, '1', true, signal);
    if (answer.self.isFolder) return answer;
    throw new CrawlerError('not_found', `[${path}] is not a folder.`, { subject: path });
  }

  async #propfind(path: string, depth: '0' | '1', isFolder: boolean, signal: AbortSignal): Promise<FolderAnswer> {
    const headers = { depth, 'content-type': 'application/xml; charset=utf-8' };
    const answer = await this.#client.ask({ method: 'PROPFIND', path, isFolder, headers, body: PROPFIND_BODY }, signal);
    const responses = await this.#responses(answer, path, signal);
    const found = this.#attempt(path, () => membersOf(responses, answer.requestPath));
    // Also how a server says that there is more than it tells (507).
    if (found.self.status < 200 || found.self.status >= 300) throw statusFault(this.#server, path, found.self.status);
    return found;
  }

  async #responses({ status, body }: WebdavAnswer, path: string, signal: AbortSignal): Promise<readonly DavResponse[]> {
    if (status !== 207) {
      body.destroy();
      throw listingFault(this.#server, path, new Error(`the server answers [${status}] and no listing`));
    }
    const reader = new MultistatusReader();
    const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const next = (): Promise<IteratorResult<Buffer>> =>
      chunks.next().catch((error: unknown) => {
        throw this.#client.fault(path, error, signal);
      });
    try {
      for (let chunk = await next(); chunk.done !== true; chunk = await next()) {
        const { value } = chunk;
        this.#attempt(path, () => reader.add(value));
      }
      return this.#attempt(path, () => reader.finish());
    } finally {
      body.destroy();
    }
  }

  #attempt<T>(path: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw listingFault(this.#server, path, error);
    }
  }
}

/** Nothing for what has gone since; what the server does not tell about is met when it is opened. */
function entryOf(folder: string, { name, response }: Member): Entry[] {
  const { status } = response;
  if (status === 404 || status === 410) return [];
  return [toEntry(name, joinPath(folder, name), response)];
}

function toEntry(name: string, path: string, response: DavResponse): Entry {
  const known = response.status >= 200 && response.status < 300;
  const isFolder = response.isFolder || (!known && isFolderHref(response.href));
  return {
    name,
    path,
    kind: isFolder ? 'folder' : 'file',
    size: isFolder ? 0 : (response.size ?? -1),
    modifiedMs: response.modifiedMs,
    changedMs: undefined,
    createdMs: response.createdMs,
    accessedMs: undefined,
    device: 0,
    inode: 0,
    version: response.etag,
  };
}

/**
 * The HTTP client refuses an answer that is shorter than announced. One without a length, which ends with its connection,
 * is measured by the listing.
 */
function bodyOf({ headers, body }: WebdavAnswer, size: number): RemoteBody {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const isMeasured = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  let received = 0;
  return {
    next: async () => {
      const chunk = await chunks.next();
      if (chunk.done !== true) {
        received += chunk.value.length;
        return chunk.value;
      }
      if (!isMeasured && received < size) throw new Error('the connection broke off');
      return undefined;
    },
    close: (complete) => {
      if (!complete) body.destroy();
    },
  };
}
