import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Why a file that a setting names cannot be used, as a sentence; undefined when it can, or none is named. */
export function readableFile(path: string | undefined, subject: (absolute: string) => string): string | undefined {
  if (path === undefined) return undefined;
  const absolute = resolve(path);
  if (!isFile(absolute)) return `${subject(absolute)} does not exist or is not a file.`;
  try {
    accessSync(absolute, constants.R_OK);
    return undefined;
  } catch {
    return `${subject(absolute)} cannot be read.`;
  }
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
