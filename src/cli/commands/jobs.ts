import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CrawlerError } from '../../base/errors.js';
import { makeFolder } from '../../base/make-folder.js';
import { printable } from '../../base/printable.js';
import { crawlerCommand } from '../../settings/crawler-command.js';
import { EXIT_OK } from '../exit-codes.js';
import type { ResolvedJob } from '../jobs/resolve-job.js';

/** `crawler --list` */
export async function listJobsCommand(configDir: string): Promise<number> {
  makeFolder(configDir, 'The config directory');
  const { listJobs } = await import('../../settings/jobs.js');
  const jobs = listJobs(configDir);
  if (jobs.length === 0) {
    console.log(`No job exists in [${configDir}].`);
    console.log("To create your first job, run 'crawler --setup', or index a folder at once: 'crawler ./docs'.");
    return EXIT_OK;
  }
  console.log('Here is the list of existing jobs:');
  jobs.forEach((job, at) => console.log(`[${at + 1}] - ${printable(job)}`));
  return EXIT_OK;
}

/** `crawler [job|folder] --setup` */
export async function setupCommand(configDir: string, { name, root }: ResolvedJob): Promise<number> {
  const [{ setupFileText }, { makeConfigDirectory }, { jobDirectory, settingsPath, validJobName }] = await Promise.all([
    import('../../settings/setup-file.js'),
    import('../../settings/config-directory.js'),
    import('../../settings/jobs.js'),
  ]);
  if (!validJobName(name)) throw new CrawlerError('usage', `[${name}] cannot be the name of a job: it names a folder.`);
  const directory = jobDirectory(configDir, name);
  const existing = settingsPath(configDir, name);
  const path = existing ?? join(directory, '_settings.yaml');
  if (existing === undefined) {
    makeConfigDirectory(configDir);
    makeFolder(directory, 'The folder of the job');
    writeFileSync(path, setupFileText(root), { mode: 0o600 });
    console.log(
      `Created job [${printable(name)}] with [fs.hash_algorithm=SHA-256] in the example settings. Existing jobs without this setting keep MD5. Changing the algorithm later changes every document _id and requires a full reindex.`,
    );
  }
  const run = crawlerCommand({ operands: [name], configDir });
  const todo = root === undefined ? ', where fs.url says what to crawl' : '';
  console.log(`You can edit the settings in [${printable(path)}]${todo}. Then run [${run}].`);
  return EXIT_OK;
}
