import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import type { Report } from '../report.js';

/** A file that holds settings of a job. */
export interface SettingsFile {
  /** As messages call it: its path below the job directory. */
  readonly name: string;
  readonly text: string;
}

const SINGLE_FILES = ['_settings.yaml', '_settings.json'] as const;
const FOLDER = '_settings';
const EXTENSIONS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);

/**
 * The settings files of a job directory: `_settings.yaml`, or else `_settings.json`, or else every file of the folder
 * `_settings` in the order of their names. None is no error.
 */
export function readSettingsFiles(jobDirectory: string, report: Report): readonly SettingsFile[] {
  const single = SINGLE_FILES.find((name) => existsSync(join(jobDirectory, name)));
  if (single !== undefined) return readAll(jobDirectory, [single], report);
  const folder = join(jobDirectory, FOLDER);
  if (existsSync(folder) && statSync(folder).isDirectory()) {
    const names = readable(FOLDER, folder, report, () => namesInFolder(folder, report)) ?? [];
    return readAll(jobDirectory, names, report);
  }
  if (existsSync(join(jobDirectory, '_settings.yml'))) {
    report.warning('_settings.yml', 'this file is not read; rename it to _settings.yaml.');
  }
  return [];
}

function namesInFolder(folder: string, report: Report): readonly string[] {
  const names: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() || entry.name.startsWith('.')) continue;
    const name = `${FOLDER}/${entry.name}`;
    if (EXTENSIONS.has(extname(entry.name).toLowerCase())) names.push(name);
    else report.warning(name, 'this file is not read; settings are in .yaml, .yml and .json files.');
  }
  return names.sort();
}

function readAll(jobDirectory: string, names: readonly string[], report: Report): readonly SettingsFile[] {
  return names.flatMap((name) => {
    const path = join(jobDirectory, name);
    const text = readable(name, path, report, () => readFileSync(path, 'utf8'));
    return text === undefined ? [] : [{ name, text }];
  });
}

function readable<T>(name: string, path: string, report: Report, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    report.problem(name, `[${path}] cannot be read: ${messageOf(error)}.`);
    return undefined;
  }
}
