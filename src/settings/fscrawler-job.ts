import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { JobSettings } from './job-settings.js';

/**
 * What shows that a job was FSCrawler's, so that the addresses of its REST service (`rest.legacy`) are still answered
 * without a setting: files that only FSCrawler makes, its name for the section `engine`, its default folder of jobs, or the
 * path that its service had.
 */
export interface JobTraces {
  readonly configDir: string;
  readonly jobDirectory: string;
  /** A source of settings speaks of `elasticsearch`, or a variable begins with `FSCRAWLER_`. */
  readonly speaksOfPeer: boolean;
}

/** `_status.json` is renamed when it is migrated to `_checkpoint.json`. */
const MIGRATED_STATUS = '_status.json.migrated';
const FILES = ['_status.json', MIGRATED_STATUS, '_acl_cache.json'];

export function wasFscrawlers({ rest }: JobSettings, { configDir, jobDirectory, speaksOfPeer }: JobTraces): boolean {
  return (
    speaksOfPeer ||
    basename(configDir) === '.fscrawler' ||
    /^\/fscrawler\/*$/.test(new URL(rest.url).pathname) ||
    FILES.some((file) => existsSync(join(jobDirectory, file)))
  );
}
