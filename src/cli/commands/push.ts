import { resolve } from 'node:path';
import type { Logger } from '../../base/logger.js';
import { pushIndex, type PushSummary } from '../../operations/push/push.js';
import { jobDirectory } from '../../settings/jobs.js';
import { withoutCredentials } from '../../settings/without-credentials.js';
import { EXIT_FAILURE, EXIT_OK } from '../exit-codes.js';
import { loadJob } from '../jobs/inspected-job.js';
import { JobLocations } from '../jobs/job-locations.js';
import { resolveJob } from '../jobs/resolve-job.js';
import type { PushOptions } from '../options.js';
import { stoppable } from '../stoppable.js';

const PROGRESS_MS = 2_000;

/** `crawler push <job|folder> --to <url>`: exit code 1 when the engine refused a document. */
export async function push(argument: string, options: PushOptions): Promise<number> {
  const configDir = resolve(options.config_dir);
  const overrides = [...options.set, 'engine.provider=elasticsearch', `engine.urls=${options.to}`];
  const { settings, warnings } = loadJob(configDir, resolveJob(argument, new JobLocations(configDir, options.set)), {
    overrides,
    purpose: 'search',
  });
  for (const warning of warnings) consoleLogger.warn(warning);
  const summary = await stoppable(
    (signal) =>
      pushIndex({
        settings,
        jobDirectory: jobDirectory(configDir, settings.name),
        logger: consoleLogger,
        signal,
        onProgress: progressLines(),
      }),
    'The copy was stopped. The same command resumes it.',
  );
  printSummary(summary, withoutCredentials(options.to));
  return summary.rejected === 0 ? EXIT_OK : EXIT_FAILURE;
}

function progressLines(): (done: number, total: number) => void {
  let shownMs = performance.now();
  return (done, total) => {
    const now = performance.now();
    if (now - shownMs < PROGRESS_MS) return;
    shownMs = now;
    console.log(`${done} of ${total} documents`);
  };
}

function printSummary({ copied, rejected, reasons, resumedAt }: PushSummary, to: string): void {
  const resumed = resumedAt === 0 ? '' : ` (${resumedAt} of them by an earlier, interrupted run)`;
  console.log(`${copied} documents copied to [${to}]${resumed}, ${rejected} rejected.`);
  for (const [reason, documents] of Object.entries(reasons)) console.error(`Rejected, ${documents} times: ${reason}`);
}

/** What the engine has to say while it is waited for. */
const consoleLogger: Logger = {
  error: (message) => console.error(message),
  warn: (message) => console.error(message),
  info: (message) => console.log(message),
  debug: () => undefined,
  trace: () => undefined,
  isEnabled: (level) => level !== 'debug' && level !== 'trace',
};
