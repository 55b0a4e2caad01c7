import { homedir } from 'node:os';

/** The home folder of this user. `/` for one that the system does not know, as containers start programs with any number. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}

/** A path in which `~` in front is the home folder. */
export function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? homeFolder() + path.slice(1) : path;
}
