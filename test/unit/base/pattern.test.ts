import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadLinearEngine } from '../../../src/base/pattern/linear-engine.js';
import { Pattern } from '../../../src/base/pattern/pattern.js';

const LINES = { ignoreCase: false, dotAll: false, multiline: true };
const found = (text: string, content: string): boolean => new Pattern(text, 'part', LINES).test(content);

beforeAll(loadLinearEngine);

describe('a pattern as Java reads it', () => {
  test.each([
    ['^chapter [0-9]+$', 'one\nchapter 12\ntwo', true],
    ['^chapter [0-9]+$', 'one\nchapter 12 and\ntwo', false],
    ['(?i)SECRET', 'a secret', true],
    ['(?is)one.*TWO', 'One\ntwo', true],
    ['one.two', 'one\ntwo', false],
    ['one.two', 'one\rtwo', true],
    ['one$', 'one\r\ntwo', false],
    ['(?dmuU)one', 'one', true],
    ['[\\ \\-]x\\_', 'a-x_', true],
    ['\\Qa.b*\\E!', 'a.b*!', true],
    ['\\Qa.b*\\E!', 'axb*!', false],
    ['\\Qé-😀', 'é-😀', true],
    ['\\u00e9\\u{1F600}', 'é😀', true],
    ['\\é', 'é', true],
    ['\\Aone', 'one', true],
    ['\\Aone', '\none', false],
    ['one\\z', 'one', true],
    ['one\\z', 'one\n', false],
    ['\\p{Lu}\\p{Ll}+', 'Äpfel', true],
    ['a{', 'a{', true],
    ['[]]|x', 'x', true],
  ])('%s in %j: %s', (text, content, expected) => {
    expect(found(text, content)).toBe(expected);
  });
});

describe('what only a backtracking engine knows', () => {
  test.each([
    ['(?=.*total)(?!.*draft)^invoice', 'invoice: total 4', true],
    ['(?=.*total)(?!.*draft)^invoice', 'invoice: draft, total 4', false],
    ['(?<=no )secret', 'no secret', true],
    ['(\\w+) \\1', 'the the', true],
    ['(?<word>\\w+) \\k<word>', 'a b b', true],
    ['^x{1500}$', 'x'.repeat(1500), true],
    ['\\p{Script=Greek}', 'α', true],
    ['(?=o)one\\z', 'one', true],
  ])('%s is searched for', (text, content, expected) => {
    const pattern = new Pattern(text, 'part', LINES);
    expect(pattern.isQuick(content)).toBe(false);
    expect(pattern.test(content)).toBe(expected);
  });

  test('is ended when its time is up, and can be searched for again', () => {
    const pattern = new Pattern('(?=a)(a+)+$', 'part', LINES);
    expect(() => pattern.test(`${'a'.repeat(5000)}!`, 100)).toThrow(
      'The pattern [(?=a)(a+)+$] was not decided within 100ms. Write it without lookaround, backreferences and nested repetition.',
    );
    expect(pattern.test('aaa')).toBe(true);
  });
});

test.each(['(a+)+$', '(a|aa)+$', '(.*)*x', '([a-zA-Z]+)*[0-9]', '[\\s\\S]*z', '(?:a?){50}a{50}$'])(
  '%s is decided for texts that no backtracking engine gets through',
  (text) => {
    expect(found(text, `${'a'.repeat(100_000)}!`)).toBe(false);
  },
);

test('a long text under a large pattern is searched within the limit', () => {
  const pattern = new Pattern('(?:[a-z]+ ?){900}[0-9]{50}!', 'part', LINES);
  const content = 'abc '.repeat(100_000);
  expect(pattern.isQuick(content)).toBe(false);
  expect(() => pattern.test(content.repeat(50), 5)).toThrow('was not decided within 5ms');
  expect(pattern.test('abc '.repeat(1000))).toBe(false);
});

test.each([
  ['(', 'Unterminated group'],
  ['*a', 'Nothing to repeat'],
  ['a++', 'Nothing to repeat'],
  ['(?>a)b', 'Invalid group'],
  ['a\\Z', '\\Z is not supported'],
  ['\\h+', '\\h is not supported'],
  ['(?x) a b', 'the flag (?x) is not supported'],
])('%s is refused: %s', (text, why) => {
  expect(() => new Pattern(text, 'part', LINES)).toThrow(SyntaxError);
  expect(() => new Pattern(text, 'part', LINES)).toThrow(why);
});
