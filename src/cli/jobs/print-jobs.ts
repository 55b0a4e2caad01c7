import { printable } from '../../base/printable.js';
import { crawlerCommand } from '../../settings/crawler-command.js';
import { listJobs } from '../../settings/jobs.js';
import { ReportLines } from '../report-lines.js';
import { JobLocations } from './job-locations.js';
import { defaultJob } from './resolve-job.js';

/** What there is to run: for somebody who has typed nothing but the name of the program. */
export async function printJobs(configDir: string): Promise<void> {
  const lines = new ReportLines();
  const jobs = listJobs(configDir);
  if (jobs.length === 0) {
    lines.add(`There are no jobs in [${printable(configDir)}] yet. The first example above makes one.`);
  } else {
    lines.add(`Jobs in [${printable(configDir)}]:`);
    const { all } = new JobLocations(configDir, []);
    const rootOf = (name: string): string => all.find(({ job }) => job === name)?.root ?? '';
    lines.addTable(jobs.map((job) => [printable(job), printable(rootOf(job))]));
    const job = jobs.find((each) => each === defaultJob(configDir)) ?? jobs[0] ?? '';
    lines.add('', `[${crawlerCommand({ operands: [job], configDir })}] runs the job [${printable(job)}].`);
  }
  await lines.flush();
}
