import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { logLine, printable, printableText } from '../../../src/base/printable.js';

describe('a name that is printed', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['Übersicht – Größe №5 (2).txt', 'Übersicht – Größe №5 (2).txt'],
    ['👨‍👩‍👧.jpg', '👨‍👩‍👧.jpg'],
    ['می‌خواهم.txt', 'می‌خواهم.txt'],
    ['red\u001b[31m.txt', 'red\\x1b[31m.txt'],
    ['title\u001b]0;x\u0007', 'title\\x1b]0;x\\x07'],
    ['over\rwritten', 'over\\rwritten'],
    ['two\nlines\tand a tab', 'two\\nlines\\tand a tab'],
    ['c1\u009b31m\u0085', 'c1\\x9b31m\\x85'],
    ['del\u007f', 'del\\x7f'],
    ['invoice\u202efdp.exe', 'invoice\\u202efdp.exe'],
    ['\u2066isolated\u2069', '\\u2066isolated\\u2069'],
    ['line\u2028separator', 'line\\u2028separator'],
    ['half \ud83d', 'half \\ud83d'],
  ])('%j', (name, shown) => {
    expect(printable(name)).toBe(shown);
  });

  test('never steers a terminal, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(printable(name)).not.toMatch(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

test('a text of several lines keeps its lines and tabs, and nothing else', () => {
  expect(printableText('one\r\ntwo\tand\u001b[2J\rgone')).toBe('one\ntwo\tand\\x1b[2J\\rgone');
});

describe('a line of a log', () => {
  test('is one line', () => {
    expect(logLine('[/docs/a\n12:00:00 ERROR forged]')).toBe('[/docs/a\\n12:00:00 ERROR forged]');
  });

  test('keeps the beginning and the end of what is far too long', () => {
    const path = `/first/${'d'.repeat(5000)}/last`;
    const line = logLine(`Error listing files in [${path}]: ENAMETOOLONG: name too long, scandir '${path}'`);
    expect(line.length).toBeLessThanOrEqual(2000);
    expect(line).toMatch(/^Error listing files in \[\/first\/d+…d+\/last\]: ENAMETOOLONG: name too long, scandir '/);
    expect(logLine('a word '.repeat(1000))).toMatch(/^a word .*….* word $/);
  });
});
