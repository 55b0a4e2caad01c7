import { realpathSync } from 'node:fs';
import { CrawlerError } from '../../base/errors.js';
import { validJobName } from '../../settings/jobs.js';

/** What a service manager starts: the program by whole paths, since services have no PATH of a person. */
export interface ServiceCommand {
  /** Node, or the program of the standalone folder. */
  readonly program: string;
  /** The script when the program is Node. */
  readonly script: string | undefined;
  readonly job: string | undefined;
}

/** Of the program that is running: its Node, and its own file where a package manager has put it. */
export function thisProgram(job: string | undefined): ServiceCommand {
  if (job !== undefined && (!validJobName(job) || /\p{Cc}/u.test(job)))
    throw new CrawlerError(
      'usage',
      `A service runs a job by its name: [${job}] is none. [crawler --list] shows the jobs.`,
    );
  const [, script = ''] = process.argv;
  return { program: process.execPath, script: realpathSync(script), job };
}

/** How long a manager waits for the end: a clean stop takes at most 30 s. */
export const STOP_SECONDS = 45;

/** How long it waits before it starts the program again after a failure. */
export const RESTART_SECONDS = 30;

/** As a person types it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function wordsOf({ program, script, job }: ServiceCommand): readonly string[] {
  return [program, script, job].filter((word) => word !== undefined);
}
