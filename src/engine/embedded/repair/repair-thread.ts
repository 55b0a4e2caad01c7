import type { MessagePort } from 'node:worker_threads';
import { CrawlerError } from '../../../base/errors.js';
import { RpcPeer, type WireMessage } from '../../../base/rpc.js';
import { serveOnceStarted } from '../../../base/serve-once-started.js';
import type { IndexIncident } from '../../index-incidents.js';
import { indexFailure } from '../store/index-failure.js';
import type { IndexRepairing, RepairStep, ThreadData } from '../threads/protocol.js';
import { repairIndex } from './repair-index.js';

/** A thread that repairs an index, a step a call, so that it can be reported and stopped. */
const STEP_MS = 500;

function serve(port: MessagePort, { path }: ThreadData): void {
  let repair: Generator<number, IndexIncident> | undefined;
  const peer = new RpcPeer<IndexRepairing, object>((batch) => port.postMessage(batch), {});
  peer.serve({
    repair: (request) => {
      try {
        repair ??= repairIndex({ path, ...request });
        return Promise.resolve(step(repair));
      } catch (error) {
        return Promise.reject(failureOf(path, error));
      }
    },
    close: () => {
      // What is half done is closed by its `finally`.
      repair?.return(NOTHING);
      port.unref();
      return Promise.resolve();
    },
  });
  port.on('message', (batch: readonly WireMessage[]) => peer.receive(batch));
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

function failureOf(path: string, error: unknown): CrawlerError {
  if (error instanceof CrawlerError) return error;
  const { code, message } = indexFailure(path, error);
  return new CrawlerError(code, message);
}

serveOnceStarted(serve);
