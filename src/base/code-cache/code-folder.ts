import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { homeFolder } from '../home-folder.js';
import { makeFolder } from '../make-folder.js';

const OTHERS_MAY_WRITE = 0o022;

/**
 * The folder of the code that was compiled of a library: `~/.cache/document-crawler/<path of the library>` (XDG_CACHE_HOME for
 * `~/.cache`). It may have to be made.
 *
 * @returns undefined when nothing is to be kept, or should not: in the home folder of somebody else, as root may have under `sudo`,
 * and in a folder that others may write to, they could have this user run code of theirs
 */
export function codeFolder(library: string): string | undefined {
  // Windows has no owners and modes that Node could tell.
  if (process.env['NODE_DISABLE_COMPILE_CACHE'] === '1' || process.getuid === undefined) return undefined;
  const home = homeFolder();
  const wanted = process.env['XDG_CACHE_HOME'];
  const caches = wanted !== undefined && isAbsolute(wanted) ? wanted : join(home, '.cache');
  const folder = join(caches, 'document-crawler', encodeURIComponent(library));
  if (home === '/' || !isPrivate(dirname(caches)) || !present(folder).every(isPrivate)) return undefined;
  return folder;
}

/** Throws where that is not possible. */
export function makeCodeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(folder, 'The folder of compiled code');
  removeForgotten(dirname(folder));
}

/** Of the folder of all caches, that of ours, and that of the library. */
function present(folder: string): string[] {
  return [dirname(dirname(folder)), dirname(folder), folder].filter((each) => existsSync(each));
}

function isPrivate(folder: string): boolean {
  try {
    const { uid, mode } = statSync(folder);
    return uid === process.geteuid?.() && (mode & OTHERS_MAY_WRITE) === 0;
  } catch {
    return false;
  }
}

/** Of installations that are gone. */
function removeForgotten(folder: string): void {
  for (const name of readdirSync(folder)) {
    const library = decodeURIComponent(name);
    if (isAbsolute(library) && !existsSync(library)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
