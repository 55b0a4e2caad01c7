import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CrawlerError } from '../../../src/base/errors.js';
import { FtpListing } from '../../../src/source/ftp/ftp-listing.js';
import { parseListLine } from '../../../src/source/ftp/parse-list.js';
import { parseMlsdLine } from '../../../src/source/ftp/parse-mlsd.js';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const refuse = (why: string): CrawlerError => new CrawlerError('denied', why);

function entryOf(line: string): unknown {
  const parsed = parseListLine(line, NOW);
  if (parsed.kind !== 'entry') return parsed.kind;
  const { name, kind, size, modifiedMs, owner, group, permissions } = parsed.entry;
  const date = modifiedMs === undefined ? undefined : new Date(modifiedMs).toISOString().slice(0, 16);
  return [name, kind, size, date, owner, group, permissions];
}

describe('LIST', () => {
  test.each([
    [
      '-rw-r--r--    1 1000     staff        1024 Nov 21 08:51 report.pdf',
      ['report.pdf', 'file', 1024, '2026-11-21T08:51', '1000', 'staff', 644],
    ],
    // A date in the future is one of last year; a day is left for zones.
    ['-rw-r--r-- 1 a b 1 Nov 22 09:59 x', ['x', 'file', 1, '2026-11-22T09:59', 'a', 'b', 644]],
    ['-rw-r--r-- 1 a b 1 Nov 23 10:00 x', ['x', 'file', 1, '2025-11-23T10:00', 'a', 'b', 644]],
    [
      'drwxr-xr-x   2 owner    group   4096 Jan  5  2024 sub',
      ['sub', 'folder', 4096, '2024-01-05T00:00', 'owner', 'group', 755],
    ],
    ['-rwsr-x--T 1 a b 7 5 Jan 2024 x', ['x', 'file', 7, '2024-01-05T00:00', 'a', 'b', 750]],
    [
      '-rw-r--r--+ 1 DOMAIN\\user Domain Users 7 2024-01-05 10:11 x',
      ['x', 'file', 7, '2024-01-05T10:11', 'DOMAIN\\user', 'Domain Users', 644],
    ],
    [
      '-rw-r--r-- 1 owner 7 Jan  5  2024 no group',
      ['no group', 'file', 7, '2024-01-05T00:00', 'owner', undefined, 644],
    ],
    [
      '-rw-r--r-- 1 a b 7 Jan  5  2024  leading blank',
      [' leading blank', 'file', 7, '2024-01-05T00:00', 'a', 'b', 644],
    ],
    ['lrwxrwxrwx 1 a b 3 Jan  5  2024 a -> b -> sub', ['a -> b', 'symlink', 3, '2024-01-05T00:00', 'a', 'b', 777]],
    ['prw-r--r-- 1 a b 0 Jan  5  2024 pipe', ['pipe', 'special', 0, '2024-01-05T00:00', 'a', 'b', 644]],
    ['crw-r--r-- 1 a b 1, 3 Jan  5  2024 null', ['null', 'special', -1, '2024-01-05T00:00', 'a', 'b', 644]],
    [
      '11-21-26  08:51AM       <DIR>          sub',
      ['sub', 'folder', 0, '2026-11-21T08:51', undefined, undefined, undefined],
    ],
    [
      '11-21-2026  12:51PM                 1024 a b.pdf',
      ['a b.pdf', 'file', 1024, '2026-11-21T12:51', undefined, undefined, undefined],
    ],
    ['total 12', 'nothing'],
    ['drwxr-xr-x 2 a b 4096 Jan  5  2024 .', 'self'],
    ['drwxr-xr-x 2 a b 4096 Jan  5  2024 ..', 'nothing'],
    ['-rw-r--r-- 1 a b 7 Jan  5  2024 ../../etc/passwd', 'unknown'],
    ['ls: cannot open directory', 'unknown'],
  ])('%s', (line, expected) => {
    expect(entryOf(line)).toEqual(expected);
  });

  test('lines of thousands of blanks or numbers are soon judged', () => {
    for (const filler of [' ', '1', '1 ', 'Jan 1 ', '1, 1 ', '1 Jan 1 ']) {
      const line = `-rw-r--r-- 1 ${filler.repeat(Math.floor(4000 / filler.length))}`;
      for (let time = 0; time < 200; time += 1) expect(parseListLine(line, NOW).kind).toBe('unknown');
    }
  });

  test('no line is a crash, and no name leaves its folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (rest) => {
        const parsed = parseListLine(`-rw-r--r-- 1 a b 7 Jan  5  2024 ${rest}`, NOW);
        expect(parsed.kind === 'entry' ? /\/|^\.\.?$/.test(parsed.entry.name) : false).toBe(false);
      }),
    );
  });
});

describe('MLSD', () => {
  test.each([
    [
      'modify=20240131120501;size=1024;type=file;UNIX.mode=0644;UNIX.owner=1000;UNIX.group=50; a; b=c.pdf',
      {
        name: 'a; b=c.pdf',
        kind: 'file',
        size: 1024,
        modifiedMs: Date.UTC(2024, 0, 31, 12, 5, 1),
        owner: '1000',
        group: '50',
        permissions: 644,
      },
    ],
    [
      'Type=dir;Modify=20240131120501.250; sub',
      { name: 'sub', kind: 'folder', modifiedMs: Date.UTC(2024, 0, 31, 12, 5, 1, 250) },
    ],
    ['type=OS.unix=slink:/target; link', { name: 'link', kind: 'symlink' }],
    ['type=OS.unix=pipe; pipe', { name: 'pipe', kind: 'special' }],
    ['type=file; name of unknown size', { name: 'name of unknown size', size: -1, modifiedMs: undefined }],
  ])('%s', (line, expected) => {
    expect(parseMlsdLine(line)).toMatchObject({ kind: 'entry', entry: expected });
  });

  test.each([
    ['type=cdir; /whole/path', 'self'],
    ['type=pdir; ..', 'nothing'],
    ['type=file; ../up', 'unknown'],
    ['no facts at all', 'unknown'],
    ['size=5; no type', 'unknown'],
  ])('%s is %s', (line, kind) => {
    expect(parseMlsdLine(line).kind).toBe(kind);
  });
});

describe('a listing', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `type=file;size=${at}; name ${at} é.txt\r\n`).join('');

  test('is the same however it is cut into pieces', () => {
    const bytes = Buffer.from(lines);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
        const listing = new FtpListing(true, NOW, refuse);
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        for (const [index, from] of at.slice(0, -1).entries()) listing.add(bytes.subarray(from, at[index + 1]));
        expect(listing.finish().map(({ size }) => size)).toEqual(Array.from({ length: 40 }, (_, each) => each));
      }),
    );
  });

  test('that ends in the middle of a line is [unavailable]', () => {
    const listing = new FtpListing(true, NOW, refuse);
    listing.add(Buffer.from(lines.slice(0, -5)));
    expect(() => listing.finish()).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });

  test('whose line never ends is refused before it fills the memory', () => {
    const listing = new FtpListing(true, NOW, refuse);
    const endless = (): void => {
      for (let time = 0; time < 1000; time += 1) listing.add(Buffer.alloc(1000, 'x'));
    };
    expect(endless).toThrow('a line without end');
  });
});
