import { throwIfCancelled } from '../base/errors.js';
import { silentLogger } from '../base/logger.js';
import type { JobContext } from '../operations/job/job-context.js';
import { Job } from './job.js';

/** Makes one run of a job in this process, of which only warnings and errors are logged. */
export async function runOnce({ settings, jobDirectory, logger, signal }: JobContext): Promise<void> {
  const job = await Job.start({
    settings,
    jobDirectory,
    loops: 1,
    rest: false,
    restart: false,
    debug: false,
    logger: { ...silentLogger, warn: (message) => logger.warn(message), error: (message) => logger.error(message) },
    documentLog: silentLogger,
    onProgress: () => undefined,
    signal,
  });
  try {
    await job.ended();
  } finally {
    await job.stop();
  }
  throwIfCancelled(signal);
}
