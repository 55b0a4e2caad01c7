import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.js';
import { RpcPeer, type WireMessage } from '../base/rpc.js';
import { approveDeletions, heldDeletions } from '../crawler/scan/delete-guard.js';
import { Scan } from '../crawler/scan/scan.js';
import type { FileOutcome, IndexedPlace, ScanPort } from '../crawler/scan/scan-port.js';
import { ScanRules } from '../crawler/scan/scan-rules.js';
import { loadPatternEngine } from '../crawler/scan/selection.js';
import type { ScanEnd, ScanRequest, UnfinishedScan } from '../crawler/scan/scan-runner.js';
import { RunTally, Tally } from '../crawler/scan/tally.js';
import { JobWatch } from '../crawler/watch/job-watch.js';
import type { WriteOutcome } from '../engine/engine.js';
import { DocumentRules, type MetadataFile } from '../ingest/document-rules.js';
import type { JobSettings } from '../settings/job-settings.js';
import { openTreeSource } from '../source/registry.js';
import type { WatchReport } from '../source/tree-watch.js';
import { isDamage, openCatalog, replaceCatalog } from '../state/open-catalog.js';

/**
 * Entry of the thread that walks the tree and owns the catalog, so that neither file system calls nor SQLite ever block
 * the service's event loop. Documents are made and written in the main thread: `port` is the way there.
 */
export interface CrawlThreadData {
  readonly settings: JobSettings;
  readonly jobDirectory: string;
  readonly extractorVersion: string;
  readonly staticMetadata: MetadataFile | undefined;
  readonly maxUnderWay: number;
}

const { settings, jobDirectory, extractorVersion, staticMetadata, maxUnderWay } = workerData as CrawlThreadData;

const onDue = (): void => peer.notify('changesDue');
const onEnd = (message: string): void => peer.notify('watchEnded', message);

const handlers = {
  unfinished: (): UnfinishedScan | undefined => {
    const open = catalog.unfinishedScan();
    if (open === undefined) return undefined;
    return { id: open.id, startedMs: open.startedMs, pendingFolders: catalog.folderCounts().pending };
  },
  run: async (request: ScanRequest, indexIdentity: string): Promise<ScanEnd> => {
    await endLook();
    await watch?.refresh();
    // Attempts that follow a lost connection belong to the run that lost it.
    if (!request.resume || request.afterRestart) run = new RunTally(systemClock.now(), request.resume);
    const end = await runScan(request, indexIdentity);
    if (end.kind !== 'failed' || !isDamage(new Error(end.message))) return end;
    // Damage that only showed in the middle: a new catalog is rebuilt from the index, and the scan begins again.
    catalog.close();
    catalog = replaceCatalog(catalogPath, new Error(end.message), (message) => port.log('warn', message));
    return await runScan({ ...request, resume: false }, indexIdentity);
  },
  watch: async (): Promise<WatchReport> => {
    watch = await JobWatch.load({ ...(workerData as CrawlThreadData), rules, catalog: () => catalog, onDue, onEnd });
    return await watch.start();
  },
  look: (indexIdentity: string): Promise<ScanEnd> => {
    looking = look(indexIdentity);
    return looking;
  },
  heldDeletions: () => heldDeletions(catalog),
  approveDeletions: () => approveDeletions(catalog),
  hold: () => scan?.hold(),
  continue: () => scan?.continue(),
  stop: () => scan?.stop(),
  forgetRules: () => catalog.forgetRules(),
  discardProgress: () => catalog.endScan(),
  totals: () => catalog.totals(),
  close: async () => {
    await watch?.close();
    catalog.close();
    await source.close();
    // The reply leaves before the port closes; without listeners the thread then ends by itself.
    setImmediate(() => parentPort?.close());
  },
};

const peer = new RpcPeer((batch) => parentPort?.postMessage(batch), handlers);

const port: ScanPort = {
  ingest: (request) => peer.call('ingest', request) as Promise<FileOutcome>,
  move: (request) => peer.call('move', request) as Promise<FileOutcome>,
  write: (operations) => peer.call('write', operations) as Promise<readonly WriteOutcome[]>,
  indexPage: (which) => peer.call('indexPage', which) as Promise<readonly IndexedPlace[] | undefined>,
  flush: () => peer.notify('flush'),
  logDocument: (level, line) => peer.notify('logDocument', level, line),
  log: (level, message) => peer.notify('log', level, message),
  progress: (progress) => peer.notify('progress', progress),
};

await loadPatternEngine(settings.fs);
const rules = new ScanRules(settings, new DocumentRules(settings, staticMetadata), extractorVersion);
const source = await openTreeSource(settings, {
  configDirectory: dirname(jobDirectory),
  log: (message) => port.log('warn', message),
});
const catalogPath = join(jobDirectory, 'catalog.db');
let catalog = openCatalog(catalogPath, (message) => port.log('warn', message));
let scan: Scan | undefined;
let run = new RunTally();
let watch: JobWatch | undefined;
let looking: Promise<ScanEnd> | undefined;

async function runScan(request: ScanRequest, indexIdentity: string): Promise<ScanEnd> {
  return await withScan({ port, run, indexIdentity }, (each) => each.run(request));
}

async function withScan(
  parts: { readonly port: ScanPort; readonly run?: RunTally; readonly indexIdentity: string },
  work: (scan: Scan) => Promise<ScanEnd>,
): Promise<ScanEnd> {
  const isUnstable = (folder: string, name: string): boolean => watch?.isUnstable(folder, name) === true;
  const deps = { rules, source, catalog, folder: jobDirectory, clock: systemClock, maxUnderWay, isUnstable };
  scan = new Scan({ ...deps, ...parts });
  try {
    return await work(scan);
  } finally {
    scan = undefined;
  }
}

/** What a look does is no progress of a run. */
const lookPort: ScanPort = { ...port, progress: () => undefined };

async function look(indexIdentity: string): Promise<ScanEnd> {
  const request = watch?.take();
  if (request === undefined) return { kind: 'completed', progress: new Tally().snapshot() };
  const end = await withScan({ port: lookPort, indexIdentity }, (each) => each.look(request));
  if (end.kind !== 'completed') watch?.giveBack(request);
  return end;
}

/** A scan goes everywhere; what the look has left pending is part of it. */
async function endLook(): Promise<void> {
  scan?.stop();
  await looking?.catch(() => undefined);
}

parentPort?.on('message', (batch: readonly WireMessage[]) => peer.receive(batch));
