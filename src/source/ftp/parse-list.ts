import type { EntryKind } from '../../model/entry.js';
import { NOTHING, SELF, UNKNOWN, type ParsedLine } from './ftp-entry.js';
import { parseDosDate, parseUnixDate, type ListDate } from './list-date.js';

/**
 * A line of LIST, whose form no standard fixes. Two families cover the servers that do not speak MLSD: that of `ls -l`
 *
 *     -rw-r--r--    1 1000     staff        1024 Nov 21 08:51 report.pdf
 *     lrwxrwxrwx    1 1000     staff           3 Nov 21 08:51 latest -> sub
 *
 * (owner or group may be missing, and may hold blanks) and that of DOS
 *
 *     11-21-26  08:51AM       <DIR>          sub
 *     11-21-26  08:51AM                 1024 report.pdf
 *
 * One blank stands before the name; further ones belong to it.
 */
const UNIX_HEAD = /^([-bcdlpsD])([-rwxsStTlL]{9})[.+@]? *\d+ +/;
/** Sought, not matched from the start: a pattern for the whole line would take the cube of its length to fail. */
const UNIX_TAIL =
  /(?<!\d)(\d+(?:, *\d+)?) +((?:\d{4}-\d\d-\d\d|[A-Za-z]{3,} +\d{1,2}|\d{1,2} +[A-Za-z]{3,}) +(?:\d{4}|\d{1,2}:\d\d(?::\d\d)?)) (.+)$/s;
const DOS = /^(\d\d[-/]\d\d[-/]\d{2,4} +\d\d:\d\d ?(?:[AP]M)?) +(<DIR>|<JUNCTION>|<SYMLINKD?>|\d+) +(.+)$/is;
/** No file system has names for a longer line; it would only cost time. */
const MAX_LENGTH = 4096;

const KINDS: Readonly<Record<string, EntryKind>> = { '-': 'file', d: 'folder', l: 'symlink' };

export function parseListLine(line: string, nowMs: number): ParsedLine {
  if (line.length > MAX_LENGTH) return UNKNOWN;
  if (line.trim() === '' || /^total +\d+\s*$/.test(line)) return NOTHING;
  return parseUnixLine(line, nowMs) ?? parseDosLine(line) ?? UNKNOWN;
}

function parseUnixLine(line: string, nowMs: number): ParsedLine | undefined {
  const [head = '', type, letters] = UNIX_HEAD.exec(line) ?? [];
  if (type === undefined || letters === undefined) return undefined;
  const tail = UNIX_TAIL.exec(line.slice(head.length));
  if (tail === null) return undefined;
  const [, size, dateText = '', rest = ''] = tail;
  const owners = line.slice(head.length, head.length + tail.index);
  const kind = KINDS[type] ?? 'special';
  const name = kind === 'symlink' ? linkName(rest, Number(size)) : rest;
  const [owner, ...group] = owners.split(/ +/).filter(Boolean);
  return entryOf(name, {
    kind,
    size: Number(size),
    dateText,
    date: parseUnixDate(dateText, nowMs),
    owner,
    group: group.length === 0 ? undefined : group.join(' '),
    permissions: permissionsOf(letters),
  });
}

function parseDosLine(line: string): ParsedLine | undefined {
  const [, dateText, size, name] = DOS.exec(line) ?? [];
  if (dateText === undefined || size === undefined || name === undefined) return undefined;
  const kind = /^<DIR>$/i.test(size) ? 'folder' : size.startsWith('<') ? 'symlink' : 'file';
  return entryOf(name, {
    kind,
    size: kind === 'file' ? Number(size) : 0,
    dateText,
    date: parseDosDate(dateText),
    owner: undefined,
    group: undefined,
    permissions: undefined,
  });
}

interface Facts {
  readonly kind: EntryKind;
  readonly size: number;
  readonly dateText: string;
  readonly date: ListDate | undefined;
  readonly owner: string | undefined;
  readonly group: string | undefined;
  readonly permissions: number | undefined;
}

function entryOf(name: string, { kind, size, dateText, date, owner, group, permissions }: Facts): ParsedLine {
  if (name === '.') return SELF;
  if (name === '..') return NOTHING;
  if (name.includes('/')) return UNKNOWN;
  return {
    kind: 'entry',
    entry: {
      name,
      kind,
      size: Number.isNaN(size) ? -1 : size,
      modifiedMs: date?.epochMs,
      unknownDate: date === undefined ? dateText : undefined,
      minutePrecise: date?.minutePrecise ?? false,
      owner,
      group,
      permissions,
    },
  };
}

/** The size of a link is the length of its target, which tells where the name ends even when it holds an arrow. */
function linkName(rest: string, targetLength: number): string {
  const cut = rest.length - targetLength - ARROW.length;
  if (cut > 0 && rest.startsWith(ARROW, cut)) return rest.slice(0, cut);
  const at = rest.indexOf(ARROW);
  return at > 0 ? rest.slice(0, at) : rest;
}

const ARROW = ' -> ';

/** `rwxr-x---` as 750. */
function permissionsOf(letters: string): number {
  const digits = [0, 3, 6].map((at) => {
    const [read, write, execute = '-'] = letters.slice(at, at + 3);
    return (read === 'r' ? 4 : 0) + (write === 'w' ? 2 : 0) + (/[xst]/.test(execute) ? 1 : 0);
  });
  return Number(digits.join(''));
}
