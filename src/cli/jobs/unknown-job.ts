import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cwd } from 'node:process';
import { CrawlerError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { commandNames, crawlerCommand } from '../../settings/crawler-command.js';
import { knownJobs, validJobName } from '../../settings/jobs.js';
import { statsOf } from './stats-of.js';

/** Words that people try, and what they will have meant. */
const INSTEAD: Readonly<Record<string, string>> = {
  status: 'crawler doctor',
  check: 'crawler doctor',
  errors: 'crawler failures',
  explain: 'crawler why',
  diff: 'crawler verify',
  find: 'crawler search',
  query: 'crawler search',
  grep: 'crawler search',
  list: 'crawler --list',
  jobs: 'crawler --list',
  setup: 'crawler --setup',
  init: 'crawler --setup',
  version: 'crawler --version',
  help: 'crawler --help',
  index: 'crawler ./folder',
  crawl: 'crawler ./folder',
  run: 'crawler ./folder',
  start: 'crawler ./folder',
  watch: 'crawler ./folder --watch',
  rest: 'crawler ./folder --rest',
  serve: 'crawler ./folder --rest',
  ...Object.fromEntries(commandNames.map((name) => [name, `crawler ${name}`])),
};

/** For the words above that say little of the command that is meant. */
const PURPOSES: Readonly<Record<string, string>> = {
  status: 'which checks a job and the machine',
  check: 'which checks a job and the machine',
  explain: 'which says why a file is in the index, or why it is not',
  diff: 'which compares tree, catalog and index',
};

/**
 * The error for a name that is no job: it names what was probably meant, be it a folder, a job or a command.
 * @param code `usage` for a run, `not_found` for a command that looks at a job
 */
export function unknownJob(name: string, configDir: string, code: 'usage' | 'not_found' = 'usage'): CrawlerError {
  const what = code === 'usage' ? `There is neither a command nor a job [${name}]` : `There is no job [${name}]`;
  return new CrawlerError(code, `${what} in [${configDir}]. ${advice(name, configDir, code === 'usage')}`, {
    subject: name,
  });
}

/** The error for more than one name. The first of them may have been meant as a command. */
export function tooMany(name: string, excess: readonly string[]): CrawlerError {
  const command = nearest(name, commandNames);
  const meant = command === undefined ? '' : ` Did you mean [${crawlerCommand({ command, operands: excess })}]?`;
  return new CrawlerError(
    'usage',
    `There are too many arguments: a run takes one job, so [${excess.join(' ')}] is not expected.${meant}`,
  );
}

function advice(name: string, configDir: string, mayBeCommand: boolean): string {
  const meant = nearestMeaning(name, configDir, mayBeCommand);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  const jobs = knownJobs(configDir);
  const made = crawlerCommand({ operands: ['./folder'], configDir });
  if (jobs.length === 0) return `There are no jobs yet: [${made}] makes one for a folder and indexes it.`;
  return `The jobs are: ${listed(jobs)}. [${made}] makes one for a folder.`;
}

/** What somebody will have meant by a name that is no job: a folder of exactly this name, else the nearest of all. */
export function nearestMeaning(name: string, configDir: string, mayBeCommand: boolean): string | undefined {
  const command = mayBeCommand ? nearest(name, Object.keys(INSTEAD)) : undefined;
  const job = nearest(name, knownJobs(configDir));
  if (isFolderHere(name)) return folderText(name, configDir);
  const folder = nearest(name, folders());
  const found = nearest(
    name,
    [command, job, folder].filter((each) => each !== undefined),
  );
  if (found === undefined) return undefined;
  if (found === job) return `the job [${job}]`;
  return found === command ? commandText(command) : folderText(found, configDir);
}

function commandText(word: string): string {
  const purpose = PURPOSES[word];
  return `[${INSTEAD[word] ?? ''}]${purpose === undefined ? '' : `, ${purpose}`}`;
}

function folderText(name: string, configDir: string): string {
  const path = `./${name}`;
  return `the folder ${path} here: [${crawlerCommand({ operands: [path], configDir })}]`;
}

function isFolderHere(name: string): boolean {
  return validJobName(name) && statsOf(join(cwd(), name))?.isDirectory() === true;
}

const MOST_FOLDERS = 1000;

function folders(): readonly string[] {
  try {
    const entries = readdirSync(cwd(), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return entries.slice(0, MOST_FOLDERS).map(({ name }) => name);
  } catch {
    return [];
  }
}

const MOST_SHOWN = 10;

export function listed(jobs: readonly string[]): string {
  const shown = jobs.slice(0, MOST_SHOWN).join(', ');
  return jobs.length <= MOST_SHOWN ? shown : `${shown} and ${jobs.length - MOST_SHOWN} more`;
}
