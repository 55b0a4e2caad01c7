import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatText } from '../../base/file-format.js';
import { grouped } from '../../base/grouped.js';
import { heldDeletions } from '../../crawler/scan/delete-guard.js';
import { toLocalDateTime } from '../../model/dates.js';
import { crawlerCommand } from '../../settings/crawler-command.js';
import { canBeWatched } from '../../source/registry.js';
import type { Catalog } from '../../state/catalog.js';
import { CheckpointFile } from '../../state/checkpoint-file.js';
import type { SqliteCatalog } from '../../state/sqlite-catalog.js';
import type { JobContext } from '../job/job-context.js';
import { isLive } from '../job/next-scan.js';
import { broken, ok, skipped, warning, type Check } from './check.js';

/** Where the job stands. */
export async function runCheck(job: JobContext): Promise<Check> {
  const checkpoint = await new CheckpointFile(job.jobDirectory).load();
  const live = isLive(job);
  if (checkpoint === undefined) {
    return live
      ? ok('run', 'a crawler is running, its first scan has just begun')
      : skipped('run', 'the job has not been run yet');
  }
  const ended = checkpoint.scan_end_time === undefined ? '' : `, last scan ended ${local(checkpoint.scan_end_time)}`;
  const text = `${live ? 'a crawler is running' : 'no crawler is running'}; state ${checkpoint.state}${ended}`;
  const { last_error: lastError, state } = checkpoint;
  if (checkpoint.paused_by === 'user')
    return warning('run', `${text}; paused by a person`, 'Resume it over REST (POST /_crawler/resume).');
  if (state === 'ERROR')
    return broken(
      'run',
      `${text}: ${lastError ?? ''}`,
      'See what it says; the next run resumes where this one stopped.',
    );
  return lastError === undefined
    ? ok('run', text)
    : warning('run', `${text}; ${lastError}`, `[${failuresOf(job)}] lists what failed.`);
}

export function catalogCheck(job: JobContext, catalog: SqliteCatalog | undefined): Check {
  if (catalog === undefined) return skipped('catalog', 'there is none yet: the first run makes it');
  const { files, folders, states } = catalog.reports.totals();
  const counts = { files, folders, indexed: states.indexed ?? 0, failed: states.failed ?? 0 };
  const numbers = Object.entries(counts).map(([name, count]) => `${name} ${grouped(count)}`);
  const text = [...numbers, formatText(catalog.format())].join(', ');
  const held = heldDeletions(catalog);
  if (held !== undefined) return warning('catalog', text, held.message);
  if ((states.failed ?? 0) === 0) return ok('catalog', text);
  return warning('catalog', text, `[${failuresOf(job)}] says why, --retry tries them again.`);
}

function failuresOf({ settings, jobDirectory }: JobContext): string {
  return crawlerCommand({ command: 'failures', operands: [settings.name], configDir: dirname(jobDirectory) });
}

/** Dates of files in the future tell of a clock that is wrong: here, or where the files come from. */
const TOLERANCE_MS = 5 * 60_000;

export function clockCheck(catalog: Pick<Catalog, 'reports'> | undefined, nowMs: number): Check {
  const now = toLocalDateTime(nowMs).slice(0, 19).replace('T', ' ');
  if (nowMs < Date.parse('2024-01-01')) return broken('clock', `it is ${now} here`, 'Set the clock of this machine.');
  const ahead = catalog?.reports.filesDatedAfter(nowMs + TOLERANCE_MS) ?? 0;
  if (ahead === 0) return ok('clock', `it is ${now} here; no file is dated later`);
  return warning(
    'clock',
    `it is ${now} here; files dated later: ${grouped(ahead)}`,
    'Compare the clocks of this machine and of the file server. Changes are found all the same (dates are compared for equality only), but searches by date are misleading.',
  );
}

const INOTIFY = '/proc/sys/fs/inotify/';

/** A watch takes one of the kernel's watches for each folder. */
export function watchCheck({ settings }: JobContext, catalog: Pick<Catalog, 'reports'> | undefined): Check {
  if (!settings.fs.watch) return skipped('watch', 'off (fs.watch): changes are found by the scans');
  if (!canBeWatched(settings.fs.provider))
    return warning(
      'watch',
      `fs.watch has no effect with fs.provider ${settings.fs.provider}`,
      'Changes are found by the scans.',
    );
  const [watches, instances] = [limitOf('max_user_watches'), limitOf('max_user_instances')];
  if (watches === undefined) return skipped('watch', 'this system has no inotify');
  const folders = catalog?.reports.totals().folders ?? 0;
  const text = `folders ${grouped(folders)}; the kernel allows ${grouped(watches)} watches and ${instances ?? 0} instances for this user`;
  if (folders < watches * 0.8) return ok('watch', text);
  const wanted = Math.max(524_288, 2 * folders);
  return warning(
    'watch',
    text,
    `Run [sysctl fs.inotify.max_user_watches=${wanted}]; until then, changes in folders that are not watched are found by the scans.`,
  );
}

function limitOf(name: string): number | undefined {
  try {
    return Number(readFileSync(INOTIFY + name, 'utf8'));
  } catch {
    return undefined;
  }
}

function local(instant: string): string {
  return toLocalDateTime(Date.parse(instant)).slice(0, 19).replace('T', ' ');
}
