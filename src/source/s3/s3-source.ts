import type { Readable } from 'node:stream';
import { CrawlerError } from '../../base/errors.js';
import { baseName, joinPath } from '../../base/path.js';
import type { Attributes, Entry } from '../../model/entry.js';
import { RemoteStream, type RemoteBody } from '../remote-stream.js';
import type { RootProbe, SourceFeatures, TreeSource } from '../source.js';
import type { ListedObject, ListPage } from './list-page.js';
import { addressOf, type S3Bucket } from './s3-bucket.js';
import { S3Requests } from './s3-client.js';
import { keyOf, nameOf, prefixOf } from './s3-path.js';

/** Requests under way, and so files that are read at the same time. */
const CONNECTIONS = 8;

/**
 * A bucket as a tree: see s3-path.ts for how keys become paths. The version of an object is its etag, so a change is seen
 * whatever the dates say.
 */
export class S3Source implements TreeSource {
  readonly type = 's3';
  readonly features: SourceFeatures;
  readonly #bucket: S3Bucket;
  readonly #client: S3Requests;

  constructor(bucket: S3Bucket, connections = CONNECTIONS) {
    this.features = { identity: false, attributes: false, cheapListing: false, maxConnections: connections };
    this.#bucket = bucket;
    this.#client = new S3Requests(bucket);
  }

  /** A prefix exists as long as keys begin with it. */
  async probe(root: string, signal: AbortSignal): Promise<RootProbe> {
    const { objects, prefixes } = await this.#page(root, undefined, signal);
    return { device: 0, entries: objects.length + prefixes.length };
  }

  async stat(path: string, signal: AbortSignal): Promise<Entry> {
    const key = keyOf(path);
    if (key !== '') {
      try {
        return toFile(baseName(path), path, await this.#client.head(key, path, signal));
      } catch (error) {
        if (!(error instanceof CrawlerError && error.code === 'not_found')) throw error;
      }
    }
    await this.#page(path, undefined, signal);
    return toFolder(baseName(path), path);
  }

  /** A page at a time. */
  async *list(folder: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
    const prefix = prefixOf(folder);
    let after: string | undefined;
    do {
      const page = await this.#page(folder, after, signal);
      yield entriesOf(folder, prefix, page);
      after = page.next;
    } while (after !== undefined);
  }

  async read(entry: Entry, signal: AbortSignal): Promise<Readable> {
    const body = await this.#client.get(keyOf(entry.path), entry.path, signal);
    return new RemoteStream(bodyOf(body), {
      silenceMs: this.#bucket.timeouts.silenceMs,
      signal,
      fault: (error) => this.#client.fault(entry.path, error, signal),
      silent: () => this.#client.silence(entry.path),
    });
  }

  localPath(): undefined {
    return undefined;
  }

  urlOf(entry: Entry): string {
    return `s3://${this.#bucket.bucket}/${keyOf(entry.path)}`;
  }

  /** Objects have neither owner nor mode. */
  attributes(): Promise<Attributes> {
    return Promise.resolve({});
  }

  close(): Promise<void> {
    this.#client.close();
    return Promise.resolve();
  }

  async #page(folder: string, after: string | undefined, signal: AbortSignal): Promise<ListPage> {
    const prefix = prefixOf(folder);
    const page = await this.#client.list(prefix, after, folder, signal);
    const blank = after === undefined && page.objects.length === 0 && page.prefixes.length === 0;
    if (blank && prefix !== '' && page.next === undefined) {
      throw new CrawlerError(
        'not_found',
        `[${folder}] in ${addressOf(this.#bucket)} does not exist (any more): no key begins with it.`,
        { subject: folder },
      );
    }
    return page;
  }
}

function entriesOf(folder: string, prefix: string, { objects, prefixes }: ListPage): Entry[] {
  const folders = prefixes.map((each) => {
    const name = nameOf(each.slice(prefix.length, -1));
    return toFolder(name, joinPath(folder, name));
  });
  const files = objects.flatMap((object) => {
    const part = object.key.slice(prefix.length);
    // Consoles create an empty object to show a folder that holds nothing yet.
    if (part === '' && object.size === 0) return [];
    const name = nameOf(part);
    return [toFile(name, joinPath(folder, name), object)];
  });
  return [...folders, ...files];
}

function toFile(name: string, path: string, { size, modifiedMs, etag }: ListedObject): Entry {
  return { ...toFolder(name, path), kind: 'file', size, modifiedMs, version: etag };
}

function toFolder(name: string, path: string): Entry {
  return {
    name,
    path,
    kind: 'folder',
    size: 0,
    modifiedMs: undefined,
    changedMs: undefined,
    createdMs: undefined,
    accessedMs: undefined,
    device: 0,
    inode: 0,
    version: undefined,
  };
}

/** An answer that is shorter than announced ends with an error, which the HTTP client raises. */
function bodyOf(body: Readable): RemoteBody {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return {
    next: async () => {
      const chunk = await chunks.next();
      return chunk.done === true ? undefined : chunk.value;
    },
    // A complete one has left its connection to the next request.
    close: (complete) => {
      if (!complete) body.destroy();
    },
  };
}
