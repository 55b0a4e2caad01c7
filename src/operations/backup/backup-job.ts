import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { access, constants, cp, lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CrawlerError, systemCode, throwIfCancelled, messageOf } from '../../base/errors.js';
import { describeFile, type FileFormat } from '../../base/file-format.js';
import { packageVersion } from '../../base/package-root.js';
import { embeddedIndex } from '../../engine/registry.js';
import { catalogFormat } from '../../state/catalog-upgrades.js';
import type { JobContext } from '../job/job-context.js';
import { hasSettings } from '../../settings/jobs.js';
import { catalogPath, notRunYet } from '../job/read-catalog.js';
import { copyDatabase } from './copy-database.js';
import { isEmbedded } from '../../settings/engine-provider.js';

/** `backup.json` of a backup. */
export interface BackupReport {
  readonly job: string;
  readonly created: string;
  /** Version of the program that made the backup. */
  readonly crawler: string;
  /** Undefined where the documents are in a search engine: that one has backups of its own. */
  readonly index: BackedUpFormat | undefined;
  readonly catalog: BackedUpFormat | undefined;
  readonly files: readonly BackedUpFile[];
}

/** Which format a database has, and the version of the program that gave it. */
export interface BackedUpFormat {
  readonly format: number;
  readonly written_by: string | undefined;
}

export interface BackedUpFile {
  /** Below the folder of the backup, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

const REPORT = 'backup.json';
const READ_BYTES = 1024 * 1024;
/** Small files of a job's folder, copied as they are when they exist. */
const PLAIN = [
  '_settings.yaml',
  '_settings.json',
  '_settings',
  '_checkpoint.json',
  '_tika.json',
  // Losses that nobody has acknowledged.
  'index-incidents.json',
  // Show that the job was FSCrawler's (settings/fscrawler-job.ts).
  '_status.json',
  '_status.json.migrated',
  '_acl_cache.json',
];

/**
 * Copies what a job consists of into a new folder, while a crawler may be running on it. The folder can take the place of the
 * job's folder. It gets its name when it is complete and on disk, so a backup that was interrupted is never taken for one.
 *
 * The catalog is copied before the index: a copied catalog that is older than the index makes the next scan repeat work, a
 * newer one would make it take a document for indexed that is not.
 */
export async function backupJob(job: JobContext, folder: string): Promise<BackupReport> {
  await requireJob(job);
  try {
    await refuseExisting(folder);
    const partial = `${folder}.partial`;
    await removeRemains(partial);
    // Settings may hold passwords. The folder above must be there: it may be a disk that is not mounted.
    requireFolder(dirname(folder));
    await mkdir(partial, { mode: 0o700 });
    return await backupInto(partial, folder, job);
  } catch (error) {
    if (error instanceof CrawlerError || systemCode(error) === undefined) throw error;
    const message = `The backup cannot be written to [${folder}]: ${messageOf(error)}.`;
    throw new CrawlerError('unavailable', message, { cause: error, subject: folder });
  }
}

/** A backup with nothing in it would be taken for one. */
async function requireJob(job: JobContext): Promise<void> {
  const { jobDirectory, settings } = job;
  try {
    await access(jobDirectory, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') {
      const message = `The job's folder [${jobDirectory}] may not be read by this user: make the backup as the user that runs the job.`;
      throw new CrawlerError('denied', message, { cause: error, subject: jobDirectory });
    }
  }
  if (!existsSync(catalogPath(jobDirectory)) && !hasSettings(dirname(jobDirectory), settings.name))
    throw notRunYet(job);
}

function requireFolder(path: string): void {
  if (existsSync(path)) return;
  const message = `The folder [${path}], which is to hold the backup, does not exist. Create it, or mount its disk.`;
  throw new CrawlerError('unavailable', message, { subject: path });
}

async function backupInto(partial: string, folder: string, job: JobContext): Promise<BackupReport> {
  try {
    await writeFile(join(partial, REPORT), '{}\n');
    const report = await copyInto(partial, job);
    await writeFile(join(partial, REPORT), `${JSON.stringify(report, undefined, 2)}\n`);
    await writeThrough(partial);
    await rename(partial, folder);
    await flush(dirname(folder));
    return report;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function copyInto(folder: string, { settings, jobDirectory, signal }: JobContext): Promise<BackupReport> {
  const created = new Date().toISOString();
  const catalog = await copyExisting(catalogPath(jobDirectory), folder, signal);
  const index = isEmbedded(settings.engine) && (await copyExisting(embeddedIndex.pathIn(jobDirectory), folder, signal));
  for (const name of PLAIN) {
    const path = join(jobDirectory, name);
    if (existsSync(path)) await cp(path, join(folder, name), { recursive: true, preserveTimestamps: true });
  }
  throwIfCancelled(signal);
  return {
    job: settings.name,
    created,
    crawler: packageVersion(),
    catalog: catalog === false ? undefined : formatOfCopy(catalog, catalogFormat),
    index: index === false ? undefined : formatOfCopy(index, embeddedIndex.format),
    files: await describeFiles(folder),
  };
}

function formatOfCopy(path: string, format: FileFormat): BackedUpFormat | undefined {
  const found = describeFile(path, format);
  return found === undefined ? undefined : { format: found.format, written_by: found.writtenBy };
}

/** The path of the copy, or false for a job that does not have the file yet. */
async function copyExisting(path: string, folder: string, signal: AbortSignal): Promise<string | false> {
  if (!existsSync(path)) return false;
  const copy = join(folder, relative(dirname(path), path));
  await copyDatabase(path, copy, signal);
  return copy;
}

async function describeFiles(folder: string): Promise<readonly BackedUpFile[]> {
  const files: BackedUpFile[] = [];
  for (const path of await filesBelow(folder)) {
    if (path === join(folder, REPORT)) continue;
    const hash = createHash('sha256');
    await pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), hash);
    const { size } = await lstat(path);
    files.push({ path: relative(folder, path).replaceAll(sep, '/'), bytes: size, sha256: hash.digest('hex') });
  }
  return files;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function refuseExisting(folder: string): Promise<void> {
  try {
    await lstat(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  const message = `[${folder}] exists already. A backup gets a folder of its own: name one that does not exist.`;
  throw new CrawlerError('conflict', message, { subject: folder });
}

/** What a backup to the same folder has left behind that was killed. */
async function removeRemains(partial: string): Promise<void> {
  if (!existsSync(partial)) return;
  const marker = await readFile(join(partial, REPORT), 'utf8').catch(() => undefined);
  if (marker !== '{}\n' && (await readdir(partial)).length > 0) {
    const message = `[${partial}] is in the way: the backup is made under this name first. Move it away, or name another folder.`;
    throw new CrawlerError('conflict', message, { subject: partial });
  }
  await rm(partial, { recursive: true });
}

/** SQLite leaves it to the system when a copy reaches the disk; the folder must not get its name before. */
async function writeThrough(folder: string): Promise<void> {
  for (const path of await filesBelow(folder)) await flush(path);
  await flush(folder);
}

/** Not every system can do it for a folder. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => undefined);
  await file?.sync().catch(() => undefined);
  await file?.close();
}
