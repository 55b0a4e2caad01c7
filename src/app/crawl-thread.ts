import { lowerPriorityOfThread } from '../base/background-priority.js';
import { RpcPeer, type WireMessage } from '../base/rpc.js';
import { serveOnceStarted } from '../base/serve-once-started.js';
import type { ScanThread, ScanThreadData, ScanThreadHost } from '../crawler/scan-thread/scan-thread.js';
import { ScanWorker } from '../crawler/scan-thread/scan-worker.js';

/** Entry of the thread that walks the tree and owns the catalog. */
serveOnceStarted((port, data: ScanThreadData) => {
  if (data.inBackground) lowerPriorityOfThread();
  const peer = new RpcPeer<ScanThread, ScanThreadHost>((batch) => port.postMessage(batch), {
    flush: true,
    logDocument: true,
    log: true,
    progress: true,
    changesDue: true,
    watchEnded: true,
  });
  const open = ScanWorker.open(data, peer.remote, () => port.close()).then((worker) => peer.serve(worker));
  port.on('message', (batch: readonly WireMessage[]) => void open.then(() => peer.receive(batch)));
});
