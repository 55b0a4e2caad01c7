import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { systemCode } from '../../base/errors.js';
import type { AclEntry, Attributes } from '../../model/entry.js';

const run = promisify(execFile);

/** Owner and group by name, permissions as octal digits, and the POSIX ACL when asked for and `getfacl` is installed. */
export async function readAttributes(
  path: string | Uint8Array,
  acl: boolean,
  signal: AbortSignal,
): Promise<Attributes> {
  const stats = statSync(path as string | Buffer);
  const attributes = {
    owner: users().get(stats.uid) ?? String(stats.uid),
    group: groups().get(stats.gid) ?? String(stats.gid),
    permissions: Number.parseInt((stats.mode & 0o777).toString(8), 10),
  };
  if (!acl || typeof path !== 'string') return attributes;
  const entries = await readAcl(path, signal);
  return entries.length === 0 ? attributes : { ...attributes, acl: entries };
}

const users = namesById('/etc/passwd');
const groups = namesById('/etc/group');

/** id → name of a passwd-style file, read once. Unknown ids stay numbers. */
function namesById(file: string): () => ReadonlyMap<number, string> {
  let names: Map<number, string> | undefined;
  return () => {
    names ??= readNames(file);
    return names;
  };
}

function readNames(file: string): Map<number, string> {
  const names = new Map<number, string>();
  try {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [name, , id] = line.split(':');
      if (name !== undefined && id !== undefined && id !== '') names.set(Number(id), name);
    }
  } catch {
    // No such file (Windows, minimal containers): ids are shown as numbers.
  }
  return names;
}

let getfaclMissing = false;

async function readAcl(path: string, signal: AbortSignal): Promise<AclEntry[]> {
  if (getfaclMissing) return [];
  try {
    const { stdout } = await run('getfacl', ['--omit-header', '--absolute-names', '--', path], { signal });
    return parseAcl(stdout);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') getfaclMissing = true;
    return [];
  }
}

/** What the three POSIX letters allow, in the names that an NTFS-shaped ACL uses for files. */
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  r: ['READ_ATTRIBUTES', 'READ_DATA'],
  w: ['APPEND_DATA', 'WRITE_DATA'],
  x: ['EXECUTE'],
};

/** `user:alice:rw-`, `group::r--`, `default:user:bob:r-x` … Entries without a name are the owner's, named `owner@` and so on. */
export function parseAcl(text: string): AclEntry[] {
  const entries: AclEntry[] = [];
  for (const line of text.split('\n')) {
    const parts = (line.split('#')[0] ?? '').trim().split(':');
    const inherited = parts[0] === 'default';
    const [kind, name, letters] = inherited ? parts.slice(1) : parts;
    if (kind === undefined || letters === undefined || kind === 'mask') continue;
    const permissions = letters
      .split('')
      .flatMap((letter) => LETTERS[letter] ?? [])
      .sort();
    if (permissions.length === 0) continue;
    const principal = principalOf(kind, name ?? '');
    entries.push({
      principal,
      type: 'ALLOW',
      permissions,
      flags: inherited ? ['DIRECTORY_INHERIT', 'FILE_INHERIT', 'INHERIT_ONLY'] : [],
    });
  }
  return entries;
}

function principalOf(kind: string, name: string): string {
  if (kind === 'other') return 'EVERYONE@';
  if (name !== '') return kind === 'group' ? `group:${name}` : name;
  return kind === 'group' ? 'GROUP@' : 'OWNER@';
}
