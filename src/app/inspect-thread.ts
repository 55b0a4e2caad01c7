import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriorityOfThread } from '../base/background-priority.js';
import { RpcPeer, type WireMessage } from '../base/rpc.js';
import type { InspectorHost, InspectorThread, InspectorThreadData } from '../operations/inspector/inspector-thread.js';
import { InspectorWorker } from '../operations/inspector/inspector-worker.js';

/** Entry of the thread that answers questions about a job: the service must not wait for SQLite or a tree. */
const peer = new RpcPeer<InspectorThread, InspectorHost>((batch) => parentPort?.postMessage(batch), {
  progress: true,
  warn: true,
});
// It may walk a whole tree.
lowerPriorityOfThread();
peer.serve(new InspectorWorker(workerData as InspectorThreadData, peer.remote, () => parentPort?.close()));
parentPort?.on('message', (batch: readonly WireMessage[]) => peer.receive(batch));
