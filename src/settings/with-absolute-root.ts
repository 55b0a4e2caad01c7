import { resolve } from 'node:path';
import type { JobSettings } from './job-settings.js';

/** A relative `fs.url` means the folder in which the program was started. */
export function withAbsoluteRoot(settings: JobSettings): JobSettings {
  const { fs } = settings;
  return { ...settings, fs: { ...fs, url: fs.url === '' ? '' : resolve(fs.url) } };
}
