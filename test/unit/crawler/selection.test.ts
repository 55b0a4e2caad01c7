import { describe, expect, test } from '@jest/globals';
import { Selection, type SelectionRules } from '../../../src/crawler/scan/selection.js';
import type { Entry, EntryKind } from '../../../src/model/entry.js';

function entry(name: string, kind: EntryKind = 'file', size = 10): Entry {
  const times = { modifiedMs: 1, changedMs: 1, createdMs: 1, accessedMs: 1 };
  return { name, path: `/r/${name}`, kind, size, ...times, device: 1, inode: 1, version: undefined };
}

function judge(rules: Partial<SelectionRules>, one: Entry, virtualPath = `/${one.name}`): unknown {
  const selection = new Selection({
    includes: [],
    excludes: [],
    ignoreAboveBytes: undefined,
    metaFilename: '.meta.yml',
    ...rules,
  });
  const verdict = selection.judge(one, virtualPath);
  return verdict.selected ? true : [verdict.reason, verdict.rule];
}

describe('a file', () => {
  test.each<[string, Partial<SelectionRules>, Entry, unknown]>([
    ['is in without rules', {}, entry('a.txt'), true],
    ['is out by an exclude', { excludes: ['*.tmp', '*/~*'] }, entry('~a.docx'), ['excluded', 'fs.excludes */~*']],
    ['is out when no include matches', { includes: ['*.pdf'] }, entry('a.txt'), ['excluded', 'fs.includes']],
    ['is in when one include matches', { includes: ['*.pdf', '*.TXT'] }, entry('a.txt'), true],
    [
      'is out when both match',
      { includes: ['*.txt'], excludes: ['a.*'] },
      entry('a.txt'),
      ['excluded', 'fs.excludes a.*'],
    ],
    ['is out above the limit', { ignoreAboveBytes: 9 }, entry('a.txt'), ['too_large', 'fs.ignore_above']],
    ['is in at the limit', { ignoreAboveBytes: 10 }, entry('a.txt'), true],
    ['is out as a metadata file', {}, entry('.META.yml'), ['metadata_file', 'tags.meta_filename']],
    ['is in when the feature is off', { metaFilename: '' }, entry('.meta.yml'), true],
    [
      'is out as a password file',
      { excludes: ['*.password', '*/.password'] },
      entry('a.pdf.password'),
      ['excluded', 'fs.excludes *.password'],
    ],
  ])('%s', (_, rules, one, expected) => {
    expect(judge(rules, one)).toEqual(expected);
  });
});

describe('a folder', () => {
  test('is not pruned by includes', () => {
    expect(judge({ includes: ['*.pdf'] }, entry('sub', 'folder'))).toBe(true);
  });

  test.each([
    ['/sub/*', ['excluded', 'fs.excludes /sub/*']],
    ['sub', ['excluded', 'fs.excludes sub']],
    ['/su', true],
  ])('and the exclude %s', (exclude, expected) => {
    expect(judge({ excludes: [exclude] }, entry('sub', 'folder'))).toEqual(expected);
  });
});

test.each<[EntryKind, string]>([
  ['symlink', 'symlink'],
  ['loop', 'symlink_loop'],
  ['special', 'special'],
])('a %s is out', (kind, reason) => {
  expect(judge({}, entry('x', kind))).toEqual([reason, expect.any(String)]);
});

test('a path that a pattern is not decided for is out, with the pattern as the reason', () => {
  const expected = [
    'timed_out',
    expect.stringContaining('The pattern [(?=/)(/?a+)+b] was not decided within') as unknown,
  ];
  const rules = { excludes: ['regex:(?=/)(/?a+)+b'] };
  expect(judge(rules, entry('a'.repeat(200)))).toEqual(expected);
  expect(judge(rules, entry('a'.repeat(200), 'folder'))).toEqual(expected);
});
