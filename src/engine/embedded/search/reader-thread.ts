import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { CrawlerError } from '../../../base/errors.js';
import { Database } from '../../../base/sqlite.js';
import { markCorrupt } from '../store/corruption-marker.js';
import { indexFailure } from '../store/index-failure.js';
import type { AnswerMessage, CallMessage, CallFailure, ReadMessage, ThreadData } from '../threads/protocol.js';
import { WorkLimit } from '../store/work-limit.js';
import { Searcher } from './searcher.js';

/** A thread that reads: one call after the other. */
const CACHE_KIB = 16_384;

function serve(port: MessagePort, { path, cancelled }: ThreadData): void {
  const database = new Database(path, { readOnly: true, cacheKib: CACHE_KIB });
  const limit = new WorkLimit(new Int32Array(cancelled));
  limit.register(database);
  const searcher = new Searcher(database, limit);
  port.on('message', (call: ReadMessage | Extract<CallMessage, { name: 'close' }>) => {
    if (call.name === 'close') {
      database.close();
      port.postMessage({ number: call.number, ok: true, response: undefined } satisfies AnswerMessage);
      port.close();
    } else {
      port.postMessage(answer(call));
    }
  });

  function answer(call: ReadMessage): AnswerMessage {
    const { number } = call;
    limit.begin(number);
    try {
      return { number, ok: true, response: searcher.answer(call) };
    } catch (error) {
      return { number, ok: false, failure: limit.failure ?? failureOf(path, error) };
    }
  }
}

function failureOf(path: string, error: unknown): CallFailure {
  if (error instanceof CrawlerError) return { code: error.code, message: error.message };
  const { code, message, corruption } = indexFailure(path, error);
  if (corruption !== undefined) markCorrupt(path, corruption);
  return { code, message };
}

if (parentPort !== null) serve(parentPort, workerData as ThreadData);
