import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CrawlerError } from '../../base/errors.js';
import { CheckpointFile } from '../../state/checkpoint-file.js';
import type { Checkpoint } from '../../state/checkpoint.js';
import { JobLock } from '../../state/job-lock.js';
import type { JobContext } from './job-context.js';

/** Makes one run of the job in this process. Given by app/, which alone can build a whole job. */
export type RunOnce = (options: JobContext) => Promise<void>;

/** A crawler looks at its checkpoint every five seconds; a scan of a large tree takes its time. */
const POLL_MS = 500;
const START_TIMEOUT_MS = 30_000;

/**
 * Makes the job's next scan happen now, and resolves when it is over: in this process, or by the crawler that is running
 * on the job, which learns of it through the `next_check` of its checkpoint, as a person would do it.
 */
export async function scanNow(options: JobContext, runOnce: RunOnce): Promise<void> {
  if (isLive(options)) await requestScan(options);
  else await runOnce(options);
}

export function isLive({ jobDirectory }: Pick<JobContext, 'jobDirectory'>): boolean {
  return JobLock.isHeld(join(jobDirectory, 'job.lock'));
}

/** Asks the running crawler for a scan, and waits for its end. A scan that is running already may have passed the place. */
async function requestScan(options: JobContext): Promise<void> {
  const checkpoints = new CheckpointFile(options.jobDirectory);
  const before = await untilIdle(options, checkpoints);
  await triggerScan(options, checkpoints, before);
  const started = Date.now();
  for (;;) {
    await pause(options.signal);
    if (!isLive(options)) throw new CrawlerError('conflict', 'The crawler ended before its next scan did.');
    const now = await checkpoints.load();
    if (now !== undefined && now.scan_id !== before?.scan_id && isBetweenScans(now)) return;
    const hasBegun = now?.scan_id !== before?.scan_id;
    if (!hasBegun && Date.now() - started > START_TIMEOUT_MS) {
      throw new CrawlerError(
        'timed_out',
        `The crawler of job [${options.settings.name}] does not begin its next scan. It may have no further run (--loop): ask it over REST, or run the command after it has ended.`,
      );
    }
  }
}

/** Lets the running crawler begin its next scan at once; does not wait for it. */
export async function requestNextScan(options: JobContext): Promise<void> {
  const checkpoints = new CheckpointFile(options.jobDirectory);
  await triggerScan(options, checkpoints, await checkpoints.load());
}

async function triggerScan(
  { settings }: JobContext,
  checkpoints: CheckpointFile,
  checkpoint: Checkpoint | undefined,
): Promise<void> {
  if (checkpoint?.paused_by === 'user') {
    throw new CrawlerError(
      'conflict',
      `The crawler of job [${settings.name}] was paused by a person. Resume it first.`,
    );
  }
  // While a scan is running the next one follows by itself, and the crawler writes this file.
  if (checkpoint === undefined || !isBetweenScans(checkpoint)) return;
  await checkpoints.save({ ...checkpoint, next_check: new Date(0).toISOString() });
}

async function untilIdle(options: JobContext, checkpoints: CheckpointFile): Promise<Checkpoint | undefined> {
  for (;;) {
    const checkpoint = await checkpoints.load();
    if (checkpoint === undefined || isBetweenScans(checkpoint) || checkpoint.paused_by === 'user') return checkpoint;
    if (!isLive(options)) throw new CrawlerError('conflict', 'The crawler ended in the middle of its scan.');
    await pause(options.signal);
  }
}

function isBetweenScans({ state }: Checkpoint): boolean {
  return state === 'COMPLETED' || state === 'ERROR';
}

async function pause(signal: AbortSignal): Promise<void> {
  try {
    await delay(POLL_MS, undefined, { signal });
  } catch (error) {
    throw new CrawlerError('cancelled', 'The work was cancelled.', { cause: error });
  }
}
