import { readFileSync } from 'node:fs';
import { isWithin } from '../../../base/path.js';

/**
 * File systems whose changes this machine may not see, since they are made elsewhere: on a server or below another layer.
 * `/proc/self/mountinfo` has one line a mount:
 *
 *   36 35 98:0 /from /mnt/point rw,noatime master:1 - ext3 /dev/root rw
 *                    5th field: where        after " - ": type, source
 *
 * Blanks and the like in paths are escaped as octal numbers (`\040`). Later lines cover earlier ones. Only paths and types
 * are read: to ask a file system itself could wait for a server that is away.
 */
export interface Mount {
  readonly path: string;
  readonly type: string;
}

const REMOTE: Readonly<Record<string, string>> = {
  '9p': 'a share of the host',
  afs: 'a network file system',
  beegfs: 'a network file system',
  ceph: 'a network file system',
  cifs: 'a Windows share',
  fakeowner: 'a share of the host',
  fuse: 'a file system in user space',
  gfs2: 'a cluster file system',
  glusterfs: 'a network file system',
  gpfs: 'a cluster file system',
  lustre: 'a network file system',
  nfs: 'a network file system',
  nfs4: 'a network file system',
  ocfs2: 'a cluster file system',
  prl_fs: 'a share of the host',
  smb3: 'a Windows share',
  smbfs: 'a Windows share',
  vboxsf: 'a share of the host',
  virtiofs: 'a share of the host',
  vmhgfs: 'a share of the host',
};

/** Undefined where the system has no such list. */
export function readMounts(): readonly Mount[] | undefined {
  try {
    return parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return undefined;
  }
}

export function parseMounts(text: string): Mount[] {
  const byPath = new Map<string, Mount>();
  for (const line of text.split('\n')) {
    const [before = '', after] = line.split(' - ');
    const path = before.split(' ')[4];
    const type = after?.split(' ')[0];
    if (path === undefined || type === undefined) continue;
    const shown = path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
    byPath.set(shown, { path: shown, type });
  }
  return [...byPath.values()];
}

/** Why no events come from a file system of this type; undefined when they do. */
export function whyWithoutEvents(type: string): string | undefined {
  // `fuse.sshfs`, `fuse.rclone` …; a disk driver in user space (`fuseblk`) is a disk of this machine.
  const kind = REMOTE[type.split('.')[0] ?? type];
  return kind === undefined ? undefined : `${type} is ${kind}`;
}

/** The mount that a path is on. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  let found: Mount | undefined;
  for (const mount of mounts)
    if (isWithin(mount.path, path) && mount.path.length >= (found?.path.length ?? 0)) found = mount;
  return found;
}
