import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The one with a slash at its end is a folder, the others are files. */
const SETTINGS = ['_settings.yaml', '_settings.json', '_settings/'] as const;
/** What a run leaves behind. */
const STATE = ['catalog.db', 'index.db', '_checkpoint.json', '_status.json'] as const;

/** The jobs of a config directory, by name: every folder in it that holds settings. A missing directory has none. */
export function listJobs(configDir: string): readonly string[] {
  return foldersWith(configDir, SETTINGS);
}

/** The same with those that were run without a file of settings, such as by variables of the environment. */
export function knownJobs(configDir: string): readonly string[] {
  return foldersWith(configDir, [...SETTINGS, ...STATE]);
}

/** The folders that hold one of `names`, sorted. What may not be read is passed over: there is no job to show then. */
function foldersWith(configDir: string, names: readonly string[]): readonly string[] {
  return namesIn(configDir)
    .filter((folder) => names.some((name) => exists(join(configDir, folder, name))))
    .sort();
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A path that ends in a slash is that of a folder, any other that of a file. */
function exists(path: string): boolean {
  try {
    const stats = statSync(path);
    return path.endsWith('/') ? stats.isDirectory() : stats.isFile();
  } catch {
    return false;
  }
}

export function jobDirectory(configDir: string, job: string): string {
  return join(configDir, job);
}

export function hasSettings(configDir: string, job: string): boolean {
  return settingsPath(configDir, job) !== undefined;
}

/** The file or folder with the settings of a job, if it has any. */
export function settingsPath(configDir: string, job: string): string | undefined {
  return SETTINGS.map((name) => join(jobDirectory(configDir, job), name))
    .find(exists)
    ?.replace(/\/$/, '');
}

/** Whether the job was ever run. */
export function hasState(configDir: string, job: string): boolean {
  return STATE.some((name) => exists(join(jobDirectory(configDir, job), name)));
}

/** Whether a job can have this name: it must be the name of one folder. */
export function validJobName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name) && Buffer.byteLength(name) <= 255;
}
