import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cutToBytes } from '../../base/cut-to-bytes.js';
import { CrawlerError } from '../../base/errors.js';
import { makeFolder } from '../../base/make-folder.js';
import { makeConfigDirectory } from '../../settings/config-directory.js';
import { isCommand } from '../../settings/crawler-command.js';
import { hasSettings, hasState, jobDirectory, validJobName } from '../../settings/jobs.js';
import { withoutPlaceholders } from '../../settings/placeholders.js';
import { looksLikePath } from './looks-like-path.js';
import { statsOf } from './stats-of.js';

/** Checked only where the folder is needed: a search works without it. */
export function requireFolder(root: string): void {
  const stats = statsOf(root);
  if (stats === undefined) throw new CrawlerError('not_found', `[${root}] does not exist.`, { subject: root });
  if (!stats.isDirectory()) {
    throw new CrawlerError('usage', `[${root}] is not a folder. Give the folder that holds it.`, { subject: root });
  }
}

/** Makes the ad-hoc job an ordinary one that can be listed, edited, and run by its name. */
export function writeAdHocSettings(configDir: string, { name, root }: { name: string; root: string }): void {
  const directory = jobDirectory(configDir, name);
  makeConfigDirectory(configDir);
  makeFolder(directory, 'The folder of the job');
  writeFileSync(
    join(directory, '_settings.yaml'),
    `# Made for the folder below; edit it freely, [crawler help settings] lists every key.
fs:
  url: ${JSON.stringify(withoutPlaceholders(root))}
  hash_algorithm: "SHA-256"
  ocr:
    pdf_strategy: auto
`,
    { mode: 0o600 },
  );
}

/**
 * The name of a new job for a folder: that of the folder, unless another job has it or it means something else on the
 * command line. Then a digest of the path is added: two trees must never share a catalog.
 */
export function adHocName(root: string, configDir: string): string {
  const [last, ...others] = adHocNames(root).toReversed();
  return others.find((name) => isFree(configDir, name)) ?? last ?? '';
}

/** The names that a job for the folder may have been given, the shorter one first. */
export function adHocNames(root: string): readonly string[] {
  const name = basename(root) || 'root';
  const mark = createHash('sha256').update(root).digest('hex').slice(0, 8);
  const cleaned = name.replace(/[\\/:~\p{Cc}]/gu, '_');
  const marked = `${cutToBytes(cleaned, 255 - 1 - mark.length)}-${mark}`;
  return isUsable(name) ? [name, marked] : [marked];
}

/** `logs` is where the logs are. */
function isUsable(name: string): boolean {
  return validJobName(name) && !looksLikePath(name) && !isCommand(name) && name !== 'logs' && !/\p{Cc}/u.test(name);
}

/** A folder that a killed start has left empty is free. */
function isFree(configDir: string, name: string): boolean {
  return !hasSettings(configDir, name) && !hasState(configDir, name);
}
