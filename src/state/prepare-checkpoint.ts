import { join } from 'node:path';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { makeFolder } from '../base/make-folder.js';
import type { JobSettings } from '../settings/job-settings.js';
import { CheckpointFile } from './checkpoint-file.js';
import { JobLock } from './job-lock.js';

interface Preparation {
  readonly settings: Pick<JobSettings, 'name'>;
  readonly jobDirectory: string;
  /** Forget the checkpoint. */
  readonly restart: boolean;
  readonly logger: Logger;
}

/** What every start does to the files of earlier lives, whether it makes a run or not. */
export async function prepareCheckpoint(options: Preparation): Promise<CheckpointFile> {
  const { jobDirectory, restart, settings, logger } = options;
  const checkpoints = new CheckpointFile(jobDirectory);
  if (restart) await checkpoints.clearAll();
  try {
    if (await checkpoints.migrateLegacyStatus()) {
      logger.info(
        `Migrated the legacy _status.json of job [${settings.name}] to _checkpoint.json, and kept it as _status.json.migrated.`,
      );
    }
  } catch (error) {
    logger.warn(`Error migrating legacy _status.json: ${messageOf(error)}`);
  }
  return checkpoints;
}

/** A start that makes no run. Throws `conflict` when another process holds the job. */
export async function startWithoutRun(options: Preparation): Promise<void> {
  makeFolder(options.jobDirectory, 'The folder of the job');
  const lock = JobLock.acquire(join(options.jobDirectory, 'job.lock'), options.settings.name);
  try {
    await prepareCheckpoint(options);
  } finally {
    lock.release();
  }
}
