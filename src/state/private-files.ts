import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { homeFolder } from '../base/home-folder.js';

/**
 * The program's files hold the texts of documents that only their owner may read, and secrets of the settings: they are for
 * the user who runs it, 0600 in folders of 0700. What an older release or a person has made is repaired at the start.
 *
 * A config folder with the setgid bit (`chmod g+s`) is shared with its group on purpose: there the group keeps what it has.
 */
export interface OwnFolders {
  readonly configDir: string;
  readonly jobDirectory: string;
  readonly logDirectory: string;
}

/** Of files that are made from now on. Set before anything is written. */
export function maskNewFiles(isShared = false): void {
  process.umask(isShared ? OTHERS : GROUP_AND_OTHERS);
}

export function keepFilesPrivate({ configDir, jobDirectory, logDirectory }: OwnFolders): void {
  const isShared = [configDir, jobDirectory].some((folder) => ((statsOf(folder)?.mode ?? 0) & SET_GROUP_ID) !== 0);
  maskNewFiles(isShared);
  const taken = isShared ? OTHERS : GROUP_AND_OTHERS;
  if (isDedicated(configDir)) takeRights(configDir, taken);
  if (logDirectory === join(configDir, LOGS)) takeRights(logDirectory, taken);
  takeRights(jobDirectory, taken);
  for (const name of namesIn(jobDirectory)) if (OWN_NAME.test(name)) takeRights(join(jobDirectory, name), taken);
  for (const name of namesIn(logDirectory)) if (LOG_NAME.test(name)) takeRights(join(logDirectory, name), taken);
}

const OTHERS = 0o007;
const GROUP_AND_OTHERS = 0o077;
const SET_GROUP_ID = 0o2000;
const STICKY = 0o1000;

const LOGS = 'logs';
const OWN_NAME = /^(?:index\.db|index-(?:summary|incidents)\.json|catalog\.db|job\.lock|_)/;
const LOG_NAME = /^\.?(?:crawler|documents)-.*(?:\.log(?:\.\d+)?(?:\.gz)?|audit\.json)$/;

/** Whether a folder holds nothing but jobs and their logs: one that somebody uses for other things as well is left alone. */
function isDedicated(configDir: string): boolean {
  if (configDir === join(homeFolder(), '.crawler')) return true;
  return namesIn(configDir).every((name) => name === LOGS || isJob(join(configDir, name)));
}

function isJob(folder: string): boolean {
  return namesIn(folder).some((name) => OWN_NAME.test(name));
}

/** Only of what belongs to this user; links are not followed. */
function takeRights(path: string, rights: number): void {
  const stats = statsOf(path);
  if (stats === undefined || stats.isSymbolicLink() || stats.uid !== process.geteuid?.()) return;
  if ((stats.mode & rights) === 0 || (stats.mode & STICKY) !== 0) return;
  try {
    chmodSync(path, stats.mode & 0o7777 & ~rights);
  } catch {
    // A file system without rights.
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
