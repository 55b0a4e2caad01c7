import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.js';
import { ScanRules } from '../crawler/scan/scan-rules.js';
import { DocumentRules } from '../ingest/document-rules.js';
import { readCatalog } from '../operations/job/read-catalog.js';
import type { RunWorkThreadData } from '../operations/monitor/run-work-count.js';
import { countRunWork } from '../operations/monitor/run-work.js';
import { openTreeSource } from '../source/registry.js';

/** Entry of the thread that counts what a run has to do: listing is synchronous work, and the scan must not wait for it. */
const { settings, jobDirectory, extractorVersion, staticMetadata, sinceMs } = workerData as RunWorkThreadData;

const rules = new ScanRules(settings, new DocumentRules(settings, staticMetadata), extractorVersion);
const source = await openTreeSource(settings, { configDirectory: dirname(jobDirectory), log: () => undefined });
const catalog = readCatalog(jobDirectory);
const { signal } = new AbortController();
parentPort?.postMessage(await countRunWork({ rules, source, catalog, signal }, sinceMs, systemClock.now()));
catalog?.close();
await source.close();
