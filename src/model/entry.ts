/** What a source says about one name in a folder. Times are milliseconds since the epoch and may have fractions. */
export type EntryKind =
  | 'file'
  | 'folder'
  /** A symbolic link that is not followed. */
  | 'symlink'
  /** A followed link that leads back to a folder above it, … */
  | 'loop'
  /** … to nothing, … */
  | 'dangling'
  /** … to itself, maybe by way of others, … */
  | 'circular'
  /** … or to what may not be looked at. */
  | 'unreachable'
  /** Socket, FIFO, device. */
  | 'special';

export interface Entry {
  readonly name: string;
  /** Full path in the source, with the separator of the source. */
  readonly path: string;
  readonly kind: EntryKind;
  /** Bytes; -1 when the source cannot tell. */
  readonly size: number;
  readonly modifiedMs: number | undefined;
  /** Last change of content *or* inode (ctime); undefined where the source has none. */
  readonly changedMs: number | undefined;
  readonly createdMs: number | undefined;
  readonly accessedMs: number | undefined;
  /** Identity that survives a rename: device and inode of a local file. 0 when the source has none. */
  readonly device: number;
  readonly inode: number;
  /** Opaque version of the content where the source has one (an object store's etag), or `ANOTHER_DISK`. */
  readonly version: string | undefined;
}

/** Stands for the version of a file that a followed link leads to on another disk than its own: that disk can be taken away. */
export const ANOTHER_DISK = 'another disk';

export interface AclEntry {
  readonly principal: string;
  readonly type: 'ALLOW' | 'DENY' | 'AUDIT' | 'ALARM';
  readonly permissions: readonly string[];
  readonly flags: readonly string[];
}

/** Owner, group and permissions of an entry. `permissions` are the octal digits read as decimal: mode 0644 is 644. */
export interface Attributes {
  readonly owner?: string;
  readonly group?: string;
  readonly permissions?: number;
  readonly acl?: readonly AclEntry[];
}
