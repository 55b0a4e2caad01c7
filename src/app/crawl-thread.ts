import { parentPort } from 'node:worker_threads';
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
let open: Promise<void> | undefined;
// The first message says what there is to crawl: the thread may have been started before that was known.
parentPort?.on('message', (message: ScanThreadData | readonly WireMessage[] | null) => {
  if (message === null) return parentPort?.close();
  if (open === undefined) open = serve(message as ScanThreadData);
  else void open.then(() => peer.receive(message as readonly WireMessage[]));
});

/** What throws here ends the thread. */
async function serve(data: ScanThreadData): Promise<void> {
  if (data.inBackground) lowerPriorityOfThread();
  peer.serve(await ScanWorker.open(data, peer.remote, () => parentPort?.close()));
}
