import { opendir } from 'node:fs/promises';
import { loadSmallTextNames } from '../extract/index.js';
import type { JobSettings } from '../settings/job-settings.js';

/** Entries of the root that are looked at. */
const MOST_ENTRIES = 32;

/**
 * Whether the root begins with plain texts alone, for which no process is needed (crawler/scan/local-texts.ts). Nothing is certain:
 * at worst a process is started that is not used, or a moment later.
 */
export async function beginsWithTexts(settings: JobSettings): Promise<boolean> {
  const { url, provider } = settings.fs;
  const isTextName = provider === 'local' ? await loadSmallTextNames(settings) : undefined;
  if (isTextName === undefined) return false;
  const folder = await opendir(url).catch(() => undefined);
  if (folder === undefined) return false;
  let entries = 0;
  for await (const entry of folder) {
    if (!entry.isFile() || !isTextName(entry.name)) return false;
    if (++entries === MOST_ENTRIES) break;
  }
  return true;
}
