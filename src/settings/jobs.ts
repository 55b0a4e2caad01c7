import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The one with a slash at its end is a folder, the others are files. */
const SETTINGS = ['_settings.yaml', '_settings.json', '_settings/'] as const;

/** The jobs of a config directory, by name: every folder in it that holds settings. A missing directory has none. */
export function listJobs(configDir: string): readonly string[] {
  return foldersWith(configDir, SETTINGS);
}

/** The folders that hold one of `names`, sorted. What may not be read is passed over: there is no job to show then. */
function foldersWith(configDir: string, names: readonly string[]): readonly string[] {
  return namesIn(configDir)
    .filter((folder) => names.some((name) => exists(join(configDir, folder, name), name.endsWith('/'))))
    .sort();
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function exists(path: string, asFolder: boolean): boolean {
  try {
    const stats = statSync(path);
    return asFolder ? stats.isDirectory() : stats.isFile();
  } catch {
    return false;
  }
}

export function jobDirectory(configDir: string, job: string): string {
  return join(configDir, job);
}

/** Whether a job can have this name: it must be the name of one folder. */
export function validJobName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name) && Buffer.byteLength(name) <= 255;
}
