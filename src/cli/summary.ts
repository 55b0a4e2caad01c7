import type { Job, JobRunSummary } from '../app/job.js';
import { printable } from '../base/printable.js';
import { grouped } from '../base/grouped.js';
import { searchOverview } from '../engine/search-overview.js';
import { crawlerCommand } from '../settings/crawler-command.js';
import type { JobSettings } from '../settings/job-settings.js';
import { counted } from './report-lines.js';

const ENGINE_TIMEOUT_MS = 10_000;
/** Documents that took at least this long are worth knowing. */
const SLOW_MS = 5000;
const MOST_SLOW = 3;

export interface Summary {
  readonly lines: readonly string[];
  /** Why the run failed, if it did. */
  readonly failure?: string;
}

/**
 * What the last run was good for: what the index holds, what it does not hold and why, what took long; and why the run failed
 * if it did.
 */
export async function summarise(
  job: Job,
  {
    settings,
    configDir,
    failed,
  }: { readonly settings: JobSettings; readonly configDir: string; readonly failed: boolean },
): Promise<Summary> {
  const held = await indexLine(job, settings.engine.index);
  const problems = await problemLine(job, settings.name, configDir);
  const lines = [held, problems, ...slowLines(job)].filter((line) => line !== undefined);
  return failed ? { lines, failure: failureLine(job.runSummary()) } : { lines };
}

export function printSummary(summary: Summary | undefined): void {
  for (const line of summary?.lines ?? []) console.log(line);
  if (summary?.failure !== undefined) console.error(summary.failure);
}

function failureLine(summary: JobRunSummary | undefined): string {
  const { hasSeen = false, lastError = 'the reason is in the log.', run } = summary ?? {};
  if (!hasSeen) return `Nothing was scanned: ${lastError}`;
  const failures = run?.failed ?? 0;
  if (failures === 0) return `The run did not complete: ${lastError}`;
  const them = failures === 1 ? '1 file or folder' : `${grouped(failures)} files or folders`;
  return `The run failed: ${them} could not be indexed.`;
}

async function indexLine(job: Job, index: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(ENGINE_TIMEOUT_MS);
  const asked = job.engine.overview?.(index, signal) ?? searchOverview(job.engine, index, signal);
  const overview = await asked.catch(() => undefined);
  if (overview === undefined) return undefined;
  const shown = overview.extensions.map(({ extension, documents }) => `${documents} ${extension}`).join(', ');
  return printable(`The index holds ${counted(overview.documents, 'document')}${shown === '' ? '' : `: ${shown}`}.`);
}

async function problemLine(job: Job, name: string, configDir: string): Promise<string | undefined> {
  const reasons = await job.reasons().catch(() => undefined);
  const counts = Object.entries(reasons ?? {}).sort(([, left], [, right]) => right - left);
  if (counts.length === 0) return undefined;
  const shown = counts.map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`).join(', ');
  return `Left out, or indexed without all of their text: ${shown}. See: ${crawlerCommand({ command: 'failures', operands: [name], configDir })}`;
}

function slowLines(job: Job): readonly string[] {
  return job
    .activity()
    .slowest.filter(({ elapsedMs }) => elapsedMs >= SLOW_MS)
    .slice(0, MOST_SLOW)
    .map(({ document, elapsedMs }) => `Took ${Math.round(elapsedMs / 1000)} s: ${printable(document)}`);
}
