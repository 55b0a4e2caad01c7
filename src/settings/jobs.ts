import { createRequire } from 'node:module';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type FastGlob from 'fast-glob';

const require = createRequire(import.meta.url);

const SETTINGS = ['_settings.yaml', '_settings.json', '_settings'] as const;
/** What a run leaves behind. */
const STATE = ['catalog.db', 'index.db', '_checkpoint.json', '_status.json'] as const;

/** The jobs of a config directory, by name: every folder in it that holds settings. A missing directory has none. */
export function listJobs(configDir: string): readonly string[] {
  return foldersWith(configDir, ['_settings.{yaml,json}', '_settings/']);
}

/** The same with those that were run without a file of settings, such as by variables of the environment. */
export function knownJobs(configDir: string): readonly string[] {
  return foldersWith(configDir, ['_settings.{yaml,json}', '_settings/', `{${STATE.join(',')}}`]);
}

function foldersWith(configDir: string, names: readonly string[]): readonly string[] {
  // Loaded on demand: it costs more than reading a job's settings, and few commands need it.
  const fastGlob = require('fast-glob') as typeof FastGlob;
  const found = fastGlob.sync(
    names.map((name) => `*/${name}`),
    { cwd: configDir, dot: true, onlyFiles: false, markDirectories: true, suppressErrors: true },
  );
  const jobs = found.filter(isRightKind).map((path) => path.slice(0, path.indexOf('/')));
  return [...new Set(jobs)].sort();
}

/** `_settings` is a folder, everything else is a file. */
function isRightKind(path: string): boolean {
  return path.endsWith('/') ? path.endsWith('/_settings/') : !path.endsWith('/_settings');
}

export function jobDirectory(configDir: string, job: string): string {
  return join(configDir, job);
}

export function hasSettings(configDir: string, job: string): boolean {
  return settingsPath(configDir, job) !== undefined;
}

/** The file or folder with the settings of a job, if it has any. */
export function settingsPath(configDir: string, job: string): string | undefined {
  return SETTINGS.map((name) => join(jobDirectory(configDir, job), name)).find(isSettings);
}

/** `_settings` is a folder, the others are files. */
function isSettings(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory() === path.endsWith('_settings');
}

/** Whether the job was ever run. */
export function hasState(configDir: string, job: string): boolean {
  return STATE.some((name) => existsSync(join(jobDirectory(configDir, job), name)));
}

/** Whether a job can have this name: it must be the name of one folder. */
export function validJobName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name) && Buffer.byteLength(name) <= 255;
}
