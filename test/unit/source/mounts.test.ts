import { describe, expect, test } from '@jest/globals';
import { mountOf, parseMounts, whyWithoutEvents } from '../../../src/source/local/watch/mounts.js';

const MOUNTS = parseMounts(
  [
    '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard',
    '30 27 0:33 / /data rw shared:1 master:2 - nfs4 server:/export rw,vers=4.2',
    '31 27 0:34 / /data/local\\040disk rw - xfs /dev/sdb1 rw',
    '32 27 0:35 / /data rw - cifs //server/share rw',
    'not a mount',
  ].join('\n'),
);

describe('mounts', () => {
  test('are read with their types, escapes in their paths, and the last one of a place', () => {
    expect(MOUNTS).toEqual([
      { path: '/', type: 'ext4' },
      { path: '/data', type: 'cifs' },
      { path: '/data/local disk', type: 'xfs' },
    ]);
  });

  test.each([
    ['/home/me', 'ext4'],
    ['/data', 'cifs'],
    ['/data/x/y', 'cifs'],
    ['/database', 'ext4'],
    ['/data/local disk/x', 'xfs'],
  ])('%s is on %s', (path, type) => {
    expect(mountOf(path, MOUNTS)?.type).toBe(type);
  });
});

test.each([
  ['nfs', 'nfs is a network file system'],
  ['cifs', 'cifs is a Windows share'],
  ['smb3', 'smb3 is a Windows share'],
  ['fuse.sshfs', 'fuse.sshfs is a file system in user space'],
  ['fuse', 'fuse is a file system in user space'],
  ['9p', '9p is a share of the host'],
  ['fuseblk', undefined],
  ['ext4', undefined],
  ['btrfs', undefined],
  ['tmpfs', undefined],
])('a file system of type %s: %s', (type, why) => {
  expect(whyWithoutEvents(type)).toBe(why);
});
