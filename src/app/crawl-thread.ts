import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriorityOfThread } from '../base/background-priority.js';
import { RpcPeer, type WireMessage } from '../base/rpc.js';
import type { ScanThread, ScanThreadData, ScanThreadHost } from '../crawler/scan-thread/scan-thread.js';
import { ScanWorker } from '../crawler/scan-thread/scan-worker.js';

/** Entry of the thread that walks the tree and owns the catalog. */
const peer = new RpcPeer<ScanThread, ScanThreadHost>((batch) => parentPort?.postMessage(batch), {
  flush: true,
  logDocument: true,
  log: true,
  progress: true,
  changesDue: true,
  watchEnded: true,
});
void serve(workerData as ScanThreadData);

/** What throws here ends the thread. */
async function serve(data: ScanThreadData): Promise<void> {
  if (data.inBackground) lowerPriorityOfThread();
  // Without listeners the thread then ends by itself.
  peer.serve(await ScanWorker.open(data, peer.remote, () => parentPort?.close()));
  parentPort?.on('message', (batch: readonly WireMessage[]) => peer.receive(batch));
}
