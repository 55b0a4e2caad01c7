import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriorityOfThread } from '../base/background-priority.js';
import { systemClock } from '../base/clock.js';
import { ScanRules } from '../crawler/scan/scan-rules.js';
import { DocumentRules } from '../ingest/document-rules.js';
import { readCatalog } from '../operations/job/read-catalog.js';
import type { RunWorkThreadData } from '../operations/monitor/run-work-count.js';
import { countRunWork } from '../operations/monitor/run-work.js';
import { openTreeSource } from '../source/registry.js';

/** Entry of the thread that counts what a run has to do: listing is synchronous work, and the scan must not wait for it. */
lowerPriorityOfThread();
void count(workerData as RunWorkThreadData);

async function count(data: RunWorkThreadData): Promise<void> {
  const { settings, jobDirectory, extractorVersion, staticMetadata, sinceMs } = data;
  const rules = new ScanRules(settings, new DocumentRules(settings, staticMetadata), extractorVersion);
  const source = await openTreeSource(settings, { configDirectory: dirname(jobDirectory), log: () => undefined });
  const catalog = readCatalog(jobDirectory);
  const control = new AbortController();
  const { signal } = control;
  // The only message: nobody waits for the number any more.
  parentPort?.once('message', () => control.abort());
  try {
    parentPort?.postMessage(await countRunWork({ rules, source, catalog, signal }, sinceMs, systemClock.now()));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    catalog?.close();
    await source.close();
    parentPort?.close();
  }
}
