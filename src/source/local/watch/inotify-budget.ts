import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * How many folders this user may watch (Linux): `fs.inotify.max_user_watches`, shared by all processes of the user, and the
 * limit of a container's own user namespace (`user.max_inotify_watches`), which may be lower. What is in use is
 * counted in `/proc/<pid>/fdinfo/<n>`, one line `inotify wd:…` a watch; processes of others cannot be seen, nor do they
 * count.
 */
export interface InotifyBudget {
  readonly limit: number;
  readonly inUse: number;
  /** Events that wait while the program is busy; more are lost. */
  readonly queue: number;
}

/** Undefined on systems without inotify. */
export function inotifyBudget(): InotifyBudget | undefined {
  const limit = numberIn('/proc/sys/fs/inotify/max_user_watches');
  if (limit === undefined) return undefined;
  return {
    limit: Math.min(limit, numberIn('/proc/sys/user/max_inotify_watches') ?? Infinity),
    inUse: watchesInUse(),
    queue: numberIn('/proc/sys/fs/inotify/max_queued_events') ?? Infinity,
  };
}

function numberIn(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function watchesInUse(): number {
  let watches = 0;
  for (const pid of namesIn('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    for (const file of namesIn(`/proc/${pid}/fd`)) watches += watchesOf(pid, file);
  }
  return watches;
}

function watchesOf(pid: string, file: string): number {
  try {
    if (!readlinkSync(`/proc/${pid}/fd/${file}`).endsWith('inotify')) return 0;
    return readFileSync(`/proc/${pid}/fdinfo/${file}`, 'utf8').split('\ninotify ').length - 1;
  } catch {
    return 0; // The process or its file is gone.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Another user's process, or one that has ended.
  }
}
