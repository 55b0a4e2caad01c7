import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { messageOf } from '../../../base/errors.js';
import { Database } from '../../../base/sqlite.js';
import { markCorrupt } from '../store/corruption-marker.js';
import { corruptionOf } from '../store/index-failure.js';
import type { AnswerMessage, CallMessage, ThreadData } from '../threads/protocol.js';
import { CommitQueue } from './commit-queue.js';
import { IndexWriter } from './index-writer.js';
import { Maintenance } from './maintenance.js';

/**
 * The one thread that writes. It drains everything that has arrived before each commit (group commit), and does the maintenance
 * when nothing has arrived for a while.
 *
 * synchronous=FULL: the catalog believes what is acknowledged here, so an acknowledged document must survive a power cut.
 */
const CACHE_KIB = 16_384;

/** Pages of write-ahead log (32 MiB) before SQLite brings them into the file: fewer of those pages are then written twice. */
const LOG_PAGES = 4000;

const IDLE_MS = 500;

/** How long closing may take for the sake of checksums, which the next idle time makes up for. */
const CLOSING_MS = 2000;

class WriterThread {
  readonly #port: MessagePort;
  readonly #database: Database;
  readonly #writer: IndexWriter;
  readonly #maintenance: Maintenance;
  readonly #queue = new CommitQueue();
  #idle: NodeJS.Timeout | undefined;
  #closing: CallMessage | undefined;
  /** Something was written that the maintenance has not seen to. */
  #unkept = false;

  constructor(port: MessagePort, path: string) {
    this.#port = port;
    this.#database = new Database(path, { synchronous: 'FULL', cacheKib: CACHE_KIB });
    this.#database.exec(`PRAGMA wal_autocheckpoint=${LOG_PAGES}`);
    this.#writer = new IndexWriter(this.#database);
    this.#maintenance = new Maintenance(this.#database);
    port.on('message', (message: CallMessage) => this.#work(message));
  }

  #work(message: CallMessage): void {
    clearTimeout(this.#idle);
    this.#accept(message);
    this.#drain();
    while (!this.#queue.isEmpty) {
      this.#unkept = true;
      this.#queue.answer(this.#writer.apply(this.#queue.next()));
      this.#drain();
    }
    if (this.#closing === undefined) this.#idle = setTimeout(() => this.#beginMaintenance(), IDLE_MS);
    else this.#close(this.#closing);
  }

  #drain(): void {
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; next = receiveMessageOnPort(this.#port)) {
      this.#accept(next.message as CallMessage);
    }
  }

  #accept(message: CallMessage): void {
    if (message.name === 'write') {
      const { number, request } = message;
      this.#queue.add({
        operations: request,
        answer: (outcomes) => this.#answer({ number, ok: true, response: outcomes }),
      });
    } else {
      this.#closing = message;
    }
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

  #close(message: CallMessage): void {
    if (this.#unkept) this.#attempt(() => this.#maintenance.finish(CLOSING_MS));
    try {
      // Closing empties the log; it gives way when another process reads.
      this.#database.exec('PRAGMA busy_timeout=0');
      this.#database.close();
      this.#answer({ number: message.number, ok: true, response: undefined });
    } catch (error) {
      const failure = { code: 'internal', message: messageOf(error) } as const;
      this.#answer({ number: message.number, ok: false, failure });
    }
    this.#port.close();
  }

  #answer(message: AnswerMessage): void {
    this.#port.postMessage(message);
  }
}

if (parentPort !== null) new WriterThread(parentPort, (workerData as ThreadData).path);
