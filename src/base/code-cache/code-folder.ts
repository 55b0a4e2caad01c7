import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { homeFolder } from '../home-folder.js';

const OTHERS_MAY_WRITE = 0o022;

/**
 * The folder of the code that was compiled of a library, made where it is missing: `~/.cache/document-crawler/<path of the library>`
 * (XDG_CACHE_HOME for `~/.cache`).
 *
 * @returns undefined when nothing is to be kept, cannot be, or should not: in the home folder of somebody else, as root may have
 * under `sudo`, and in a folder that others may write to, they could have this user run code of theirs
 */
export function codeFolder(library: string): string | undefined {
  const name = encodeURIComponent(library);
  // Windows has no owners and modes that Node could tell.
  if (process.env['NODE_DISABLE_COMPILE_CACHE'] === '1' || process.getuid === undefined || name.length > LONGEST_NAME)
    return undefined;
  try {
    return privateFolder(name);
  } catch {
    return undefined;
  }
}

const LONGEST_NAME = 255;

function privateFolder(name: string): string | undefined {
  const home = homeFolder();
  const wanted = process.env['XDG_CACHE_HOME'];
  const caches = wanted !== undefined && isAbsolute(wanted) ? wanted : join(home, '.cache');
  const ours = join(caches, 'document-crawler');
  const folder = join(ours, name);
  if (home === '/' || !isPrivate(statSync(dirname(caches)))) return undefined;
  const isNew = !existsSync(folder);
  for (const each of [caches, ours, folder]) {
    if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
    if (!isPrivate(statSync(each))) return undefined;
  }
  if (isNew) removeForgotten(ours);
  return folder;
}

function isPrivate({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === process.geteuid?.() && (mode & OTHERS_MAY_WRITE) === 0;
}

/** Of installations that are gone. */
function removeForgotten(folder: string): void {
  for (const name of readdirSync(folder)) {
    const library = decodeURIComponent(name);
    if (isAbsolute(library) && !existsSync(library)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
