import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CrawlerError } from '../../base/errors.js';
import { approveDeletions, type HeldDeletions } from '../../crawler/scan/delete-guard.js';
import { CheckpointFile } from '../../state/checkpoint-file.js';
import { JobLock } from '../../state/job-lock.js';
import { openCatalog } from '../../state/open-catalog.js';

export interface Approval {
  /** Undefined when nothing was held. */
  readonly held: HeldDeletions | undefined;
  readonly effect: ApprovalEffect;
}

/**
 * When the deletions are carried out: by a run that begins now, by the running scan, when a person resumes the crawler, or
 * by the next run that somebody starts.
 */
export type ApprovalEffect = 'now' | 'scan_at_work' | 'on_resume' | 'next_run';

/**
 * Lets through what is held for a job. The catalog is shared with a crawler that is running on the job; `next_check` of its
 * checkpoint tells it to begin a run, as a person may.
 */
export async function approveJob(jobDirectory: string, log: (message: string) => void): Promise<Approval> {
  const path = join(jobDirectory, 'catalog.db');
  if (!existsSync(path)) return { held: undefined, effect: 'next_run' };
  const catalog = openCatalog(path, log);
  try {
    const approval = approveDeletions(catalog);
    if (approval.kind === 'scanning') throw notYet();
    const held = approval.kind === 'approved' ? approval.held : undefined;
    return { held, effect: held === undefined ? 'next_run' : await beginRun(jobDirectory) };
  } finally {
    catalog.close();
  }
}

function notYet(): CrawlerError {
  return new CrawlerError(
    'conflict',
    'A scan that has not ended has found other files gone, or some of those that are held again: nothing was approved. Approve when it has ended.',
  );
}

async function beginRun(jobDirectory: string): Promise<ApprovalEffect> {
  if (!JobLock.isHeld(join(jobDirectory, 'job.lock'))) return 'next_run';
  const checkpoints = new CheckpointFile(jobDirectory);
  const checkpoint = await checkpoints.load();
  if (checkpoint?.paused_by === 'user') return 'on_resume';
  if (checkpoint?.state === 'RUNNING') return 'scan_at_work';
  if (checkpoint?.next_check === undefined) return 'on_resume';
  await checkpoints.save({ ...checkpoint, next_check: new Date(0).toISOString() });
  return 'now';
}
