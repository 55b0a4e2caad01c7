import type { MessagePort } from 'node:worker_threads';
import { CrawlerError } from '../../../base/errors.js';
import { RpcPeer, type WireMessage } from '../../../base/rpc.js';
import { serveOnceStarted } from '../../../base/serve-once-started.js';
import { Database } from '../../../base/sqlite.js';
import { markCorrupt } from '../store/corruption-marker.js';
import { indexFailure } from '../store/index-failure.js';
import type { IndexReading, ThreadData } from '../threads/protocol.js';
import { WorkLimit } from '../store/work-limit.js';
import { Searcher } from './searcher.js';

/** A thread that reads: one call after the other. */
const CACHE_KIB = 16_384;

function serve(port: MessagePort, { path, cancelled }: ThreadData): void {
  const database = new Database(path, { readOnly: true, cacheKib: CACHE_KIB });
  const limit = new WorkLimit(new Int32Array(cancelled));
  limit.register(database);
  const searcher = new Searcher(database, limit);
  const peer = new RpcPeer<IndexReading, object>((batch) => port.postMessage(batch), {});

  function answer<Result>(work: () => Result): Promise<Result> {
    limit.begin(peer.answering);
    try {
      return Promise.resolve(searcher.atOneMoment(work));
    } catch (error) {
      return Promise.reject(limit.failure ?? failureOf(path, error));
    }
  }

  peer.serve({
    search: (request) => answer(() => searcher.search(request)),
    listHits: (request) => answer(() => searcher.listHits(request)),
    readHits: (request) => answer(() => searcher.readHits(request)),
    count: (request) => answer(() => searcher.count(request)),
    get: (index, id) => answer(() => searcher.get(index, id)),
    scan: (request) => answer(() => searcher.scan(request)),
    indices: () => answer(() => searcher.indices()),
    check: (cursor, limits) => answer(() => searcher.check(cursor, limits)),
    mapping: (index) => answer(() => searcher.mapping(index)),
    close: () => {
      database.close();
      port.unref();
      return Promise.resolve();
    },
  });
  port.on('message', (batch: readonly WireMessage[]) => peer.receive(batch));
}

function failureOf(path: string, error: unknown): CrawlerError {
  if (error instanceof CrawlerError) return error;
  const { code, message, corruption } = indexFailure(path, error);
  if (corruption !== undefined) markCorrupt(path, corruption);
  return new CrawlerError(code, message);
}

serveOnceStarted(serve);
