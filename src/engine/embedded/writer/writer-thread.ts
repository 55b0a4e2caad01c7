import type { MessagePort } from 'node:worker_threads';
import { RpcPeer, type WireMessage } from '../../../base/rpc.js';
import { serveOnceStarted } from '../../../base/serve-once-started.js';
import { Database } from '../../../base/sqlite.js';
import { markCorrupt } from '../store/corruption-marker.js';
import { corruptionOf } from '../store/index-failure.js';
import { countOverview, keepOverview, keptOverview } from '../store/overview-of.js';
import type { IndexOverview, WriteOutcome } from '../../engine.js';
import type { IndexWriting, OperationMessage, ThreadData } from '../threads/protocol.js';
import { CommitQueue } from './commit-queue.js';
import { IndexWriter } from './index-writer.js';
import { Maintenance } from './maintenance.js';

/**
 * The one thread that writes. Each commit takes everything that has arrived before it (group commit). Maintenance is done when
 * nothing has arrived for a while.
 *
 * synchronous=FULL: the catalog believes what is acknowledged here, so an acknowledged document must survive a power cut.
 */
const CACHE_KIB = 16_384;

/** Pages of write-ahead log (32 MiB) before SQLite brings them into the file: fewer of those pages are then written twice. */
const LOG_PAGES = 4000;

const IDLE_MS = 500;

/** How long closing may take for the sake of checksums, which the next idle time makes up for. */
const CLOSING_MS = 2000;

class WriterThread implements IndexWriting {
  readonly #port: MessagePort;
  readonly #database: Database;
  readonly #writer: IndexWriter;
  readonly #maintenance: Maintenance;
  readonly #queue = new CommitQueue();
  #idle: NodeJS.Timeout | undefined;
  #isCommitting = false;
  /** To be called when everything is committed. */
  #closing: (() => void) | undefined;
  /** Something was written that the maintenance has not seen to. */
  #unkept = false;

  constructor(port: MessagePort, path: string) {
    this.#port = port;
    this.#database = new Database(path, { synchronous: 'FULL', cacheKib: CACHE_KIB });
    this.#database.exec(`PRAGMA wal_autocheckpoint=${LOG_PAGES}`);
    this.#writer = new IndexWriter(this.#database);
    this.#maintenance = new Maintenance(this.#database);
    const peer = new RpcPeer<IndexWriting, object>((batch) => port.postMessage(batch), {});
    peer.serve(this);
    port.on('message', (batch: readonly WireMessage[]) => peer.receive(batch));
  }

  write(operations: readonly OperationMessage[]): Promise<readonly WriteOutcome[]> {
    const outcomes = new Promise<readonly WriteOutcome[]>((answer) => this.#queue.add({ operations, answer }));
    this.#work();
    return outcomes;
  }

  overview(index: string): Promise<IndexOverview> {
    const kept = keptOverview(this.#database, index);
    if (kept !== undefined) return Promise.resolve(kept);
    const overview = countOverview(this.#database, index);
    this.#attempt(() => keepOverview(this.#database, index, overview));
    return Promise.resolve(overview);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#closing = resolve;
      this.#work();
    });
    if (this.#unkept) this.#attempt(() => this.#maintenance.finish(CLOSING_MS));
    this.#port.unref();
    // Closing empties the log; it gives way when another process reads.
    this.#database.exec('PRAGMA busy_timeout=0');
    this.#database.close();
  }

  #work(): void {
    clearTimeout(this.#idle);
    if (this.#isCommitting) return;
    this.#isCommitting = true;
    // When everything has been received that came with it.
    setImmediate(() => this.#commit());
  }

  #commit(): void {
    if (!this.#queue.isEmpty) {
      this.#unkept = true;
      this.#queue.answer(this.#writer.apply(this.#queue.next()));
      // What has arrived meanwhile is taken, and the answers have left by then.
      setImmediate(() => setImmediate(() => this.#commit()));
      return;
    }
    this.#isCommitting = false;
    if (this.#closing === undefined) this.#idle = setTimeout(() => this.#beginMaintenance(), IDLE_MS);
    else this.#closing();
  }

  #beginMaintenance(): void {
    this.#attempt(() => {
      this.#maintenance.begin();
      this.#continueMaintenance();
    });
  }

  #continueMaintenance(): void {
    this.#attempt(() => {
      // A timer rather than a loop: a message that has arrived meanwhile is handled first, and stops the maintenance.
      if (this.#maintenance.step()) this.#idle = setTimeout(() => this.#continueMaintenance(), 0);
      else this.#unkept = false;
    });
  }

  /** Maintenance that fails (a full disk, another writer) is left for the next time: the index is whole without it. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      clearTimeout(this.#idle);
      const corruption = corruptionOf(error);
      if (corruption !== undefined) markCorrupt(this.#database.path, corruption);
    }
  }
}

serveOnceStarted((port, { path }: ThreadData) => new WriterThread(port, path));
