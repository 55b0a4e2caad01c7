import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { CrawlerError } from '../base/errors.js';
import { homeFolder } from '../base/home-folder.js';

/** The job that a positional argument means. */
export interface ResolvedJob {
  readonly name: string;
  /** The folder of an ad-hoc job (`crawler ./docs`). */
  readonly root: string | undefined;
}

const DEFAULT_JOB = 'crawler';
/** Jobs of people who come from FSCrawler and never named theirs. */
const PEER_DEFAULT_JOB = 'fscrawler';

export function resolveJob(argument: string | undefined, configDir: string): ResolvedJob {
  if (argument === undefined) return { name: defaultJob(configDir), root: undefined };
  if (!looksLikePath(argument)) return { name: argument, root: undefined };
  const root = resolve(argument.replace(/^~(?=$|\/)/, homeFolder()));
  return { name: adHocName(root, configDir), root };
}

/** Checked only where the folder is needed: a search works without it. */
export function requireFolder(root: string): void {
  const stats = statSync(root, { throwIfNoEntry: false });
  if (stats === undefined) throw new CrawlerError('not_found', `[${root}] does not exist.`, { subject: root });
  if (!stats.isDirectory()) {
    throw new CrawlerError('usage', `[${root}] is not a folder. Give the folder that holds it.`, { subject: root });
  }
}

/** Makes the ad-hoc job an ordinary one that can be listed, edited, and run by its name. */
export function writeAdHocSettings(configDir: string, { name, root }: { name: string; root: string }): void {
  const directory = join(configDir, name);
  if (hasSettings(directory)) return;
  mkdirSync(directory, { recursive: true });
  writeFileSync(
    join(directory, '_settings.yaml'),
    `# Made for the folder below; edit it freely, [crawler help settings] lists every key.
fs:
  url: ${JSON.stringify(root)}
  hash_algorithm: "SHA-256"
  ocr:
    pdf_strategy: auto
`,
  );
}

function defaultJob(configDir: string): string {
  const isOldOnly = existsSync(join(configDir, PEER_DEFAULT_JOB)) && !existsSync(join(configDir, DEFAULT_JOB));
  return isOldOnly ? PEER_DEFAULT_JOB : DEFAULT_JOB;
}

/** A job name is the name of one folder, so a separator, a dot in front, or a drive makes it a path. */
function looksLikePath(argument: string): boolean {
  return /^[.~]$|^\.\.?[/\\]|^~[/\\]|[/\\]|^[A-Za-z]:/.test(argument) || argument === '..';
}

/** The folder's own name, unless another folder has it already: two trees must never share a catalog. */
function adHocName(root: string, configDir: string): string {
  const name = basename(root) || 'root';
  if (isFreeFor(join(configDir, name), root)) return name;
  return `${name}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`;
}

function isFreeFor(directory: string, root: string): boolean {
  if (!hasSettings(directory)) return !existsSync(join(directory, 'catalog.db'));
  const path = join(directory, '_settings.yaml');
  return existsSync(path) && readFileSync(path, 'utf8').includes(`url: ${JSON.stringify(root)}\n`);
}

function hasSettings(directory: string): boolean {
  return ['_settings.yaml', '_settings.json', '_settings'].some((name) => existsSync(join(directory, name)));
}
