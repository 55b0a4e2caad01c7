import { CrawlerError } from '../../base/errors.js';
import { withTimeout } from '../../base/with-timeout.js';
import { loadFormatNames } from '../../extract/index.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { CheckpointFile } from '../../state/checkpoint-file.js';
import { InspectedJob, type OpenedJobContext } from '../job/inspected-job.js';
import { explain } from './explain.js';
import type { Explanation } from './explanation.js';
import { ruleOrigin, type RuleOrigin } from './rule-origin.js';

export interface PathAnswer extends Explanation {
  readonly job: string;
  readonly origin?: RuleOrigin;
  /** A crawler is running on the job. */
  readonly live: boolean;
  /** When it looks again, as far as it has said. */
  readonly nextScan?: string;
}

/** A tree or an engine that is away is said so, not waited for. */
const TIMEOUT_MS = 5000;

/** `crawler why`. */
export async function explainPath(
  context: OpenedJobContext,
  path: string,
  originOf: (setting: string) => string,
): Promise<PathAnswer> {
  return await withTimeout(context.signal, TIMEOUT_MS, async (signal) => {
    const job = await InspectedJob.open({ ...context, signal });
    try {
      return await answerFor(job, path, originOf);
    } catch (error) {
      if (context.signal.aborted || !signal.aborted) throw error;
      throw new CrawlerError('timed_out', `Tree or search engine did not answer within ${TIMEOUT_MS / 1000} s.`);
    } finally {
      await job.close();
    }
  });
}

async function answerFor(job: InspectedJob, path: string, originOf: (setting: string) => string): Promise<PathAnswer> {
  const { rules, source, catalog, settings, jobDirectory, signal } = job;
  const formatNameOf = await loadFormatNames();
  const explanation = await explain(
    {
      rules,
      source,
      catalog,
      signal,
      engine: () => job.engine(),
      metaFilename: settings.tags.metaFilename,
      ignoreAboveBytes: settings.fs.ignoreAboveBytes,
      extractorOf: (contentType) => extractorOf(formatNameOf(contentType), settings),
      repairCommand: job.command('verify', ['--fix']),
    },
    path,
  );
  const origin = explanation.rule === undefined ? undefined : ruleOrigin(explanation.rule.text, originOf, jobDirectory);
  const live = job.isLive();
  const nextScan = live ? await nextScanOf(jobDirectory) : undefined;
  return {
    job: settings.name,
    ...explanation,
    ...(origin === undefined ? {} : { origin }),
    live,
    ...(nextScan === undefined ? {} : { nextScan }),
  };
}

function extractorOf(formatName: string | undefined, { extractor }: JobSettings): string | undefined {
  if (extractor.provider === 'tika') return 'tika';
  return formatName ?? (extractor.provider === 'auto' ? 'tika' : undefined);
}

async function nextScanOf(jobDirectory: string): Promise<string | undefined> {
  const checkpoint = await new CheckpointFile(jobDirectory).load().catch(() => undefined);
  return checkpoint?.state === 'RUNNING' ? undefined : checkpoint?.next_check;
}
