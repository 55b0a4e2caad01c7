import { join, resolve } from 'node:path';
import { lowerPriorityOfChore } from '../../base/background-priority.js';
import { formatText } from '../../base/file-format.js';
import { printByteSize } from '../../base/units.js';
import type { BackupReport } from '../../operations/backup/backup-job.js';
import { EXIT_OK } from '../exit-codes.js';
import { commandOn, withInspectedJob, type InspectedJobContext } from '../jobs/inspected-job.js';
import type { BackupOptions } from '../options.js';
import { counted, ReportLines } from '../report-lines.js';
import { isEmbedded } from '../../settings/engine-provider.js';

const INSPECTION = {
  command: 'backup',
  purpose: 'catalog',
  stopped: 'The backup was interrupted; nothing was kept.',
} as const;

/** `crawler backup <job|folder> --to <folder>`. */
export function backup(argument: string | undefined, options: BackupOptions): Promise<number> {
  return withInspectedJob(argument, options, INSPECTION, async (job) => {
    const { backupJob } = await import('../../operations/backup/backup-job.js');
    const folder = resolve(options.to);
    // It takes every byte of the index in hand, beside a crawl that has work to do, and nobody waits for it.
    lowerPriorityOfChore();
    const report = await backupJob(job, folder);
    const lines = new ReportLines();
    if (options.json) lines.add(JSON.stringify({ ...report, folder }));
    else addReport(lines, job, report, folder);
    await lines.flush();
    return EXIT_OK;
  });
}

function noteOf(found: BackupReport['catalog']): string {
  return found === undefined ? '' : formatText({ format: found.format, writtenBy: found.written_by });
}

function addReport(lines: ReportLines, context: InspectedJobContext, report: BackupReport, folder: string): void {
  const { job, files, catalog, index } = report;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  lines.add(`Job [${job}]: ${counted(files.length, 'file')} (${printByteSize(bytes)}) in [${folder}].`);
  const notes: Readonly<Record<string, string>> = { 'catalog.db': noteOf(catalog), 'index.db': noteOf(index) };
  lines.addTable(files.map(({ path, bytes: size }) => [printByteSize(size), path, notes[path] ?? '']));
  if (catalog === undefined) lines.add('The job has not been run yet: there is no catalog.');
  if (!isEmbedded(context.settings.engine))
    lines.add('Its documents are in the search engine: take a snapshot there, too.');
  lines.add(`To restore it: stop the crawler, put a copy of the folder in the place of [${context.jobDirectory}],`);
  lines.add(`and run [${commandOn(context, 'verify')}]. [${join(folder, 'backup.json')}] has the checksums.`);
}
