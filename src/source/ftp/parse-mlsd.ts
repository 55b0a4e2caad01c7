import type { EntryKind } from '../../model/entry.js';
import { NOTHING, SELF, UNKNOWN, type FtpEntry, type ParsedLine } from './ftp-entry.js';

/**
 * A line of MLSD or MLST (RFC 3659, section 7): facts, each `name=value;`, one space, and the name, which may hold
 * anything else.
 *
 *     modify=20240131120501;size=1024;type=file;UNIX.mode=0644;UNIX.owner=1000; report.pdf
 *
 * Fact names are of either case. Dates are UTC with seconds. `cdir` and `pdir` are the folder itself and the one above.
 */
const LINE = /^((?:[^;= ]+=[^;]*;)+) (.+)$/s;

export function parseMlsdLine(line: string): ParsedLine {
  const [, facts = '', name = ''] = LINE.exec(line) ?? [];
  const values = factsOf(facts);
  const type = values.get('type')?.toLowerCase();
  if (type === 'cdir' || name === '.') return SELF;
  if (type === 'pdir' || name === '..') return NOTHING;
  if (name === '' || type === undefined || name.includes('/')) return UNKNOWN;
  return { kind: 'entry', entry: toEntry(name, type, values) };
}

function toEntry(name: string, type: string, facts: ReadonlyMap<string, string>): FtpEntry {
  return {
    name,
    kind: kindOf(type),
    size: numberOf(facts.get('size')) ?? -1,
    modifiedMs: parseTimeValue(facts.get('modify')),
    unknownDate: undefined,
    minutePrecise: false,
    owner: firstOf(facts, 'unix.ownername', 'unix.owner', 'unix.uid'),
    group: firstOf(facts, 'unix.groupname', 'unix.group', 'unix.gid'),
    permissions: numberOf(facts.get('unix.mode')?.slice(-3)),
  };
}

/** `YYYYMMDDHHMMSS[.sss]`, UTC. */
export function parseTimeValue(text = ''): number | undefined {
  const [, year, month, day, hour, minute, second, fraction] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d+))?/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const whole = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return whole + Math.trunc(Number(`0.${fraction ?? '0'}`) * 1000);
}

function factsOf(text: string): Map<string, string> {
  const facts = new Map<string, string>();
  for (const fact of text.split(';')) {
    const at = fact.indexOf('=');
    if (at > 0) facts.set(fact.slice(0, at).toLowerCase(), fact.slice(at + 1));
  }
  return facts;
}

function firstOf(values: ReadonlyMap<string, string>, ...names: readonly string[]): string | undefined {
  return names.map((name) => values.get(name)).find((value) => value !== undefined);
}

function kindOf(type: string): EntryKind {
  if (type === 'file') return 'file';
  if (type === 'dir') return 'folder';
  return /^os\.unix=s(ym)?link/.test(type) ? 'symlink' : 'special';
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
