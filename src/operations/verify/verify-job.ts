import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '../../base/clock.js';
import { digestName } from '../../base/digest.js';
import { CrawlerError, messageOf } from '../../base/errors.js';
import { silentLogger } from '../../base/logger.js';
import { heldDeletions } from '../../crawler/scan/delete-guard.js';
import { readIncidents, type IndexIncident } from '../../engine/index-incidents.js';
import { openExtractor } from '../../extract/index.js';
import type { MetadataFile } from '../../ingest/document-rules.js';
import type { Entry } from '../../model/entry.js';
import { SqliteCatalog } from '../../state/sqlite-catalog.js';
import { isEmbedded } from '../../settings/engine-provider.js';
import { contentOf } from '../../source/content.js';
import { InspectedJob } from '../job/inspected-job.js';
import type { JobContext } from '../job/job-context.js';
import { scanNow, type RunOnce } from '../job/next-scan.js';
import { catalogPath } from '../job/read-catalog.js';
import type { ContentCheckDeps, ExpectedContent } from './content-check.js';
import type { Finding, Verification } from './findings.js';
import { Repairer } from './repairer.js';
import { VerifyRecorder, writeVerifyRecord, type VerifyRecord } from './verify-record.js';
import { Verify } from './verify.js';

export interface VerifyOptions {
  readonly deep: boolean;
  readonly onFinding: (finding: Finding) => void;
  readonly settle: () => Promise<void>;
  readonly onProgress: (files: number, documents: number) => void;
}

export interface VerifyAnswer extends Verification {
  /** What has happened to the index, and nobody has acknowledged. */
  readonly incidents: readonly IndexIncident[];
  /** A crawler is running on the job. */
  readonly live: boolean;
  /** What `--deep` compared: checksums, texts, or nothing, since the documents hold neither. */
  readonly comparedBy: 'checksum' | 'text' | 'nothing' | undefined;
}

export interface RecordedVerifyAnswer {
  readonly answer: VerifyAnswer;
  /** As it stands in the job's folder now. */
  readonly record: VerifyRecord;
}

const REFRESH_MS = 1500;

/** `crawler verify`: compares, and changes nothing but the note of its result (verify-record.ts). */
export async function verifyJob(place: JobContext, options: VerifyOptions): Promise<RecordedVerifyAnswer> {
  const recorder = new VerifyRecorder(systemClock.now());
  const onFinding = (finding: Finding): void => {
    recorder.add(finding);
    options.onFinding(finding);
  };
  const answer = await withJob(place, (job) => verify(job, { ...options, onFinding }, undefined));
  const record = recorder.record(answer, systemClock.now());
  await note(place, record);
  return { answer, record };
}

/** What was found out counts also where it cannot be written down. */
async function note({ jobDirectory, logger }: JobContext, record: VerifyRecord): Promise<void> {
  try {
    await writeVerifyRecord(jobDirectory, record);
  } catch (error) {
    logger.warn(`The result could not be noted in [${jobDirectory}]: ${messageOf(error)}.`);
  }
}

/** `crawler verify --fix`: compares, marks what differs, lets one scan run. What is left after that is for another verify. */
export async function fixJob(place: JobContext, options: VerifyOptions, runOnce: RunOnce): Promise<VerifyAnswer> {
  const startedMs = systemClock.now();
  const answer = await withJob(place, async (job) => {
    job.requireCatalog();
    const catalog = new SqliteCatalog(catalogPath(place.jobDirectory));
    try {
      const { rules, signal } = job;
      const engine = await job.engine();
      await engine.prepare(signal);
      const repairer = new Repairer({ catalog, engine, rules, signal });
      const found = await verify(job, options, repairer);
      await repairer.finish();
      return found;
    } finally {
      catalog.close();
    }
  });
  if (Object.keys(answer.differences).length > 0) {
    await scanNow(place, runOnce);
    // A server shows others what was written with its next refresh.
    if (!isEmbedded(place.settings.engine)) await systemClock.sleep(REFRESH_MS, place.signal);
  } else await note(place, new VerifyRecorder(startedMs).record(answer, systemClock.now()));
  return answer;
}

async function withJob<T>(place: JobContext, work: (job: InspectedJob) => Promise<T>): Promise<T> {
  const job = await InspectedJob.open(place);
  try {
    return await work(job);
  } finally {
    await job.close();
  }
}

async function verify(
  job: InspectedJob,
  options: VerifyOptions,
  repairer: Repairer | undefined,
): Promise<VerifyAnswer> {
  const { rules, source, signal, documents } = job;
  const catalog = job.requireCatalog();
  const engine = await job.engine();
  // Says at once, and in a sentence, when there is no engine.
  await engine.identity(signal);
  const live = job.isLive();
  const deep = options.deep ? await openContentProbe(job) : undefined;
  try {
    const verification = await new Verify({
      rules,
      source,
      catalog,
      signal,
      engine,
      clock: systemClock,
      live,
      holdsDeletions: heldDeletions(catalog) !== undefined,
      placeless: documents.structured !== undefined && !job.settings.fs.addAsInnerObject,
      content: deep?.probe,
      onFinding: (finding) => {
        repairer?.add(finding);
        options.onFinding(finding);
      },
      settle: async () => {
        await repairer?.settle();
        await options.settle();
      },
      onProgress: options.onProgress,
      deep: options.deep,
    }).run();
    const comparedBy = options.deep ? (deep?.probe.by ?? 'nothing') : undefined;
    return { ...verification, incidents: readIncidents(job.jobDirectory), live, comparedBy };
  } finally {
    await deep?.close();
  }
}

interface ContentProbe {
  readonly probe: Pick<ContentCheckDeps, 'by' | 'expect' | 'concurrency'>;
  close(): Promise<void>;
}

/**
 * With fs.checksum each document holds the digest of its file, so that reading the file is enough. Without it the text is
 * extracted again. Undefined where documents hold neither (fs.index_content off, json and xml jobs).
 */
async function openContentProbe(job: InspectedJob): Promise<ContentProbe | undefined> {
  const { fs } = job.settings;
  if (!fs.indexContent || job.documents.structured !== undefined) return undefined;
  const algorithm = fs.checksum === undefined ? undefined : digestName(fs.checksum);
  if (algorithm !== undefined) {
    const expect = (entry: Entry): Promise<ExpectedContent> => checksumOf(job, entry, algorithm);
    return { probe: { by: 'checksum', expect, concurrency: 4 }, close: () => Promise.resolve() };
  }
  return await openTextProbe(job);
}

async function checksumOf({ source, signal }: InspectedJob, entry: Entry, algorithm: string): Promise<ExpectedContent> {
  try {
    const hash = createHash(algorithm);
    await pipeline(await source.read(entry, signal), hash);
    return { kind: 'checksum', checksum: hash.digest('hex') };
  } catch (error) {
    return failed(error);
  }
}

async function openTextProbe(job: InspectedJob): Promise<ContentProbe> {
  const [{ DocumentBuilder }, { openPasswords }, { Spool }] = await Promise.all([
    import('../../ingest/document-builder.js'),
    import('../../passwords/registry.js'),
    import('../../source/spool.js'),
  ]);
  const { settings, source, signal, documents, rules } = job;
  const extractor = await openExtractor(settings, silentLogger, { signal });
  const builder = new DocumentBuilder({
    rules: documents,
    extractor,
    passwords: openPasswords(settings, silentLogger),
    spool: new Spool(settings.fs.tempDir, 'crawl'),
    now: () => systemClock.now(),
    logger: silentLogger,
  });
  const expect = async (entry: Entry, metadata: MetadataFile | undefined): Promise<ExpectedContent> => {
    try {
      const built = await builder.build(
        {
          entry,
          content: contentOf(source, entry),
          place: { filename: entry.name, real: entry.path, virtual: rules.virtualPath(entry.path) },
          origin: 'crawl',
          ...(metadata === undefined ? {} : { folderMetadata: metadata }),
        },
        signal,
      );
      if (built.kind !== 'document') return { kind: 'failed', message: built.problem.message };
      return { kind: 'text', text: built.document.content };
    } catch (error) {
      return failed(error);
    }
  };
  return { probe: { by: 'text', concurrency: 2 * extractor.concurrency, expect }, close: () => extractor.close() };
}

function failed(error: unknown): ExpectedContent {
  if (error instanceof CrawlerError && error.code === 'cancelled') throw error;
  return { kind: 'failed', message: messageOf(error) };
}
