import { homeFolder } from '../../base/home-folder.js';
import { resolve } from 'node:path';

/** A job name is the name of one folder, so a separator, a dot in front of one, or a drive makes it a path. */
export function looksLikePath(argument: string): boolean {
  return /^[.~]$|^\.\.$|^\.\.?[/\\]|^~[/\\]|[/\\]|^[A-Za-z]:/.test(argument);
}

/** The path that was meant, absolute. */
export function pathOf(argument: string): string {
  return resolve(argument.replace(/^~(?=$|[/\\])/, homeFolder()));
}
