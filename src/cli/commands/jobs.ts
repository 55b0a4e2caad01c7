import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CrawlerError } from '../../base/errors.js';
import { EXIT_OK } from '../exit-codes.js';

/** `crawler --list` */
export async function listJobsCommand(configDir: string): Promise<number> {
  const { listJobs } = await import('../../settings/jobs.js');
  const jobs = listJobs(configDir);
  if (jobs.length === 0) {
    console.log(`No job exists in [${configDir}].`);
    console.log("To create your first job, run 'crawler --setup', or index a folder at once: 'crawler ./docs'.");
    return EXIT_OK;
  }
  console.log('Here is the list of existing jobs:');
  jobs.forEach((job, at) => console.log(`[${at + 1}] - ${job}`));
  return EXIT_OK;
}

/** `crawler [job] --setup` */
export async function setupCommand(configDir: string, job: string): Promise<number> {
  const [{ setupFileText }, { jobDirectory, validJobName }] = await Promise.all([
    import('../../settings/setup-file.js'),
    import('../../settings/jobs.js'),
  ]);
  if (!validJobName(job)) throw new CrawlerError('usage', `[${job}] can not be the name of a job: it names a folder.`);
  const directory = jobDirectory(configDir, job);
  const path = join(directory, '_settings.yaml');
  if (!existsSync(path)) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(path, setupFileText());
    console.log(
      `Created job [${job}] with [fs.hash_algorithm=SHA-256] in the example settings. Existing jobs without this setting keep MD5. Changing the algorithm later changes every document _id and requires a full reindex.`,
    );
  }
  console.log(`You can edit the settings in [${path}]. Then, you can run again crawler without the --setup option.`);
  return EXIT_OK;
}
