import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { CrawlerError } from '../../../base/errors.js';
import type { IndexIncident } from '../../index-incidents.js';
import { indexFailure } from '../store/index-failure.js';
import type { AnswerMessage, CallMessage, CallFailure, RepairStep, ThreadData } from '../threads/protocol.js';
import { repairIndex } from './repair-index.js';

/** A thread that repairs an index, a step a call, so that it can be reported and stopped. */
const STEP_MS = 500;

function serve(port: MessagePort, path: string): void {
  let repair: Generator<number, IndexIncident> | undefined;
  port.on('message', (call: Extract<CallMessage, { name: 'repair' | 'close' }>) => {
    if (call.name === 'close') {
      // What is half done is closed by its `finally`.
      repair?.return(NOTHING);
      port.postMessage({ number: call.number, ok: true, response: undefined } satisfies AnswerMessage);
      port.close();
      return;
    }
    try {
      repair ??= repairIndex({ path, ...call.request });
      port.postMessage({ number: call.number, ok: true, response: step(repair) } satisfies AnswerMessage);
    } catch (error) {
      port.postMessage({ number: call.number, ok: false, failure: failureOf(path, error) } satisfies AnswerMessage);
    }
  });
}

function step(repair: Generator<number, IndexIncident>): RepairStep {
  const endMs = performance.now() + STEP_MS;
  for (;;) {
    const { done, value } = repair.next();
    if (done === true) return { recovered: value.recovered, incident: value };
    if (performance.now() > endMs) return { recovered: value, incident: undefined };
  }
}

const NOTHING: IndexIncident = {
  at: '',
  identity: '',
  message: '',
  kept: null,
  documents: null,
  recovered: 0,
  lost: 0,
  lost_documents: [],
};

function failureOf(path: string, error: unknown): CallFailure {
  if (error instanceof CrawlerError) return { code: error.code, message: error.message };
  const { code, message } = indexFailure(path, error);
  return { code, message };
}

if (parentPort !== null) serve(parentPort, (workerData as ThreadData).path);
