import { mkdirSync, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CrawlerError, messageOf, systemCode } from './errors.js';

/**
 * Makes a folder that only this user may enter, with all that are missing above it. One that exists stays as it is.
 *
 * `mkdir` with `recursive` is not used: on a file system that refuses new folders with "no such file" (/proc), Node 20
 * tries again for ever.
 *
 * @param purpose what the folder is for, at the beginning of the sentence: `The config directory`
 * @throws CrawlerError `denied` with a sentence that names the folder and what is in the way
 */
export function makeFolder(path: string, purpose: string): void {
  const missing: string[] = [];
  let folder = resolve(path);
  let stats = statsOf(folder, path, purpose);
  while (stats === undefined && dirname(folder) !== folder) {
    missing.unshift(folder);
    folder = dirname(folder);
    stats = statsOf(folder, path, purpose);
  }
  if (stats?.isDirectory() === false) throw refusal(path, purpose, `[${folder}] is not a folder`);
  for (const each of missing) makeOne(each, path, purpose);
}

/** Undefined for what is not there; what stands on the way to it is found when the folder above is looked at. */
function statsOf(folder: string, path: string, purpose: string): Stats | undefined {
  try {
    return statSync(folder);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw refusal(path, purpose, reasonOf(error, folder), error);
  }
}

function makeOne(folder: string, path: string, purpose: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in this moment.
    if (systemCode(error) === 'EEXIST' && statsOf(folder, path, purpose)?.isDirectory() === true) return;
    throw refusal(path, purpose, reasonOf(error, folder), error);
  }
}

const REASONS: Readonly<Record<string, (folder: string) => string>> = {
  EACCES: (folder) => `this user may not write to [${dirname(folder)}]`,
  EPERM: (folder) => `this user may not write to [${dirname(folder)}]`,
  EROFS: (folder) => `the file system of [${dirname(folder)}] is read-only`,
  ENOSPC: (folder) => `the disk of [${dirname(folder)}] is full`,
  ENOENT: (folder) => `no folder can be made in [${dirname(folder)}]`,
  ENAMETOOLONG: () => 'its name is too long',
  ELOOP: (folder) => `a symbolic link in [${folder}] leads back to itself`,
  EEXIST: (folder) => `[${folder}] is a link that leads nowhere`,
};

function reasonOf(error: unknown, folder: string): string {
  return REASONS[systemCode(error) ?? '']?.(folder) ?? messageOf(error);
}

function refusal(path: string, purpose: string, reason: string, cause?: unknown): CrawlerError {
  return new CrawlerError('denied', `${purpose} [${path}] cannot be made: ${reason}. Choose another folder.`, {
    subject: path,
    cause,
  });
}
