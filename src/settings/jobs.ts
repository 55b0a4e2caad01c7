import { createRequire } from 'node:module';
import { join } from 'node:path';
import type FastGlob from 'fast-glob';

const require = createRequire(import.meta.url);

/** The jobs of a config directory, by name: every folder in it that holds settings. A missing directory has none. */
export function listJobs(configDir: string): readonly string[] {
  // Loaded on demand: it costs more than reading a job's settings, and only `--list` needs it.
  const fastGlob = require('fast-glob') as typeof FastGlob;
  const found = fastGlob.sync(['*/_settings.{yaml,json}', '*/_settings/'], {
    cwd: configDir,
    dot: true,
    onlyFiles: false,
    markDirectories: true,
    suppressErrors: true,
  });
  const names = found.filter(isSettings).map((path) => path.slice(0, path.indexOf('/')));
  return [...new Set(names)].sort();
}

/** `_settings` is a folder, `_settings.yaml` and `_settings.json` are files. */
function isSettings(path: string): boolean {
  return path.endsWith('/_settings/') || /\/_settings\.(?:yaml|json)$/.test(path);
}

export function jobDirectory(configDir: string, job: string): string {
  return join(configDir, job);
}

/** Whether a job can have this name: it must be the name of one folder. */
export function validJobName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name) && Buffer.byteLength(name) <= 255;
}
