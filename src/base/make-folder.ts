import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CrawlerError, messageOf, systemCode } from './errors.js';

/**
 * Makes a folder with those above it. Not the recursive mode of mkdir, which tries for ever where a file system refuses new
 * folders in a way that it does not expect (`/proc`).
 * @throws CrawlerError `denied` with a sentence
 */
export function makeFolder(path: string): void {
  try {
    make(path);
  } catch (error) {
    throw new CrawlerError('denied', `The folder [${path}] can not be made: ${reasonOf(error)}.`, {
      cause: error,
      subject: path,
    });
  }
}

function make(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const above = dirname(path);
  if (above !== path) make(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else was quicker.
    if (systemCode(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a file is in the way',
  EEXIST: 'a file is in the way',
};

function reasonOf(error: unknown): string {
  return REASONS[systemCode(error) ?? ''] ?? messageOf(error);
}
