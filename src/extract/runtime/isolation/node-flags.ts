import { statSync } from 'node:fs';
import type { ReadablePath } from './readable-paths.js';

/**
 * The permission model of Node: no files but these, no programs, no threads, no native code. It holds against code that a
 * document makes a parser run in JavaScript, and not against native code.
 */
export function nodeFlags(paths: readonly ReadablePath[]): readonly string[] {
  const known = process.allowedNodeEnvironmentFlags;
  const optional = ['--no-addons', '--no-experimental-sqlite', '--no-experimental-ffi', '--disable-sigusr1'];
  const names = new Set(paths.flatMap(({ source, path }) => [source, path]));
  return [
    known.has('--permission') ? '--permission' : '--experimental-permission',
    '--no-warnings',
    ...optional.filter((flag) => known.has(flag)),
    // Not the folder itself as well: Node 20 cannot take both.
    ...[...names].map((path) => `--allow-fs-read=${isFolder(path) ? `${path}/*` : path}`),
  ];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
