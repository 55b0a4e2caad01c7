import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSmallTextNames } from '../extract/index.js';
import type { JobSettings } from '../settings/job-settings.js';

/** Entries that are looked at. */
const MOST_ENTRIES = 32;
const MOST_FOLDERS = 4;

/**
 * Whether the tree begins with plain texts alone, for which no process is needed (crawler/scan/local-texts.ts): the root, the first
 * folder in it, and so on. Nothing is certain: at worst a process is started that is not used, or a moment later.
 */
export async function beginsWithTexts(settings: JobSettings): Promise<boolean> {
  const { url, provider } = settings.fs;
  const isTextName = provider === 'local' ? await loadSmallTextNames(settings) : undefined;
  if (isTextName === undefined) return false;
  let folder: string | undefined = url;
  for (let depth = 0; folder !== undefined && depth < MOST_FOLDERS; depth += 1) {
    const first: Beginning = await beginningOf(folder, isTextName);
    if (first.hasOthers) return false;
    folder = first.folder === undefined ? undefined : join(folder, first.folder);
  }
  return true;
}

interface Beginning {
  /** Something that is neither a plain text nor a folder. */
  readonly hasOthers: boolean;
  /** The name of the first folder. */
  readonly folder: string | undefined;
}

async function beginningOf(path: string, isTextName: (name: string) => boolean): Promise<Beginning> {
  const directory = await opendir(path).catch(() => undefined);
  if (directory === undefined) return { hasOthers: true, folder: undefined };
  let folder: string | undefined;
  let entries = 0;
  for await (const entry of directory) {
    if (entry.isDirectory()) folder ??= entry.name;
    else if (!entry.isFile() || !isTextName(entry.name)) return { hasOthers: true, folder };
    if (++entries === MOST_ENTRIES) break;
  }
  return { hasOthers: false, folder };
}
