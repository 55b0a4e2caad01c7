import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indexText, scopedText, toPhrase, units, words } from '../../../../src/engine/embedded/text/tokens.js';

describe('indexText', () => {
  test.each([
    ['plain text stays', 'Plain text.', 'Plain text.'],
    ['ß', 'Straße', 'Strasse'],
    ['capital ß', 'STRAẞE', 'STRASSE'],
    ['ligatures of PDFs', 'ﬁnance', 'finance'],
    ['full-width letters', 'ＡＢＣ', 'ABC'],
    ['decomposed accents', 'cafe\u0301', 'café'],
    ['soft hyphens', 'exam\u00adple', 'example'],
    ['NUL', 'a\0b', 'a b'],
    ['lone surrogates', 'a\ud800b', 'a\ufffdb'],
    ['pairs of a run', '東京都', ' 東京 京都 都 '],
    ['a run of one', '東', ' 東 '],
    ['a run between words', 'a東京b', 'a 東京 京 b'],
    ['Hangul', '서울에', ' 서울 울에 에 '],
    ['Thai with its vowel signs', 'ที่', ' ที ี่ ่ '],
    ['characters beyond the basic plane', '𠀀𠀁', ' 𠀀𠀁 𠀁 '],
  ])('%s', (_what, text, expected) => {
    expect(indexText(text)).toBe(expected);
  });

  test('marks the tokens of a field', () => {
    expect(scopedText(12, 'Annual report, 東京!')).toBe('12qAnnual 12qreport,  12q東京 12q京 !');
  });
});

test.each([
  ['spaces and signs part words', 'annual-report (2023)', ['annual', 'report', '2023']],
  ['dots and apostrophes within do not', `report.pdf don't foo_bar`, ['report.pdf', `don't`, 'foo_bar']],
  ['a dot at the end does', 'The end.', ['The', 'end']],
  ['short runs are one word', '東京都', ['東京都']],
  ['nothing', ' … ', []],
])('words of a query: %s', (_what, text, expected) => {
  expect(words(text)).toEqual(expected);
});

test('a sentence without spaces is cut into the words of a dictionary', () => {
  const found = words('東京都に住んでいる人々の祭り');
  expect(found.join('')).toBe('東京都に住んでいる人々の祭り');
  expect(found.length).toBeGreaterThan(3);
});

test.each([
  ['a word', 'report', ['report'], false],
  ['a dotted word', 'report.pdf', ['report', 'pdf'], false],
  ['a run may go on in the document', '東京都', ['東京', '京都'], false],
  ['a character alone is the beginning of a pair', '東', ['東'], true],
  ['a run before a word has ended', '東京 annual', ['東京', '京', 'annual'], false],
  ['signs behind a run', '東京。', ['東京'], false],
  ['nothing', '!', [], false],
])('toPhrase: %s', (_what, text, tokens, prefix) => {
  expect(toPhrase(text)).toEqual({ tokens, prefix });
});

test('every part of a text is a phrase of it', () => {
  const character = fc.constantFrom(...Array.from('東京都に서울ไทยab c.ßé𠀀'));
  fc.assert(
    fc.property(fc.array(character, { minLength: 1 }), fc.nat(), fc.nat(), (characters, from, length) => {
      const text = characters.join('');
      const part = characters.slice(from % characters.length).slice(0, 1 + (length % characters.length));
      const inText = tokensOf(text);
      const { tokens, prefix } = toPhrase(part.join(''));
      const [first] = tokens;
      // A part that begins or ends within a word is no phrase: words are found whole.
      const startsInWord = /^[a-zßé]/iu.test(part[0] ?? '');
      const endsInWord = /[a-zßé]/iu.test(part.at(-1) ?? '');
      fc.pre(first !== undefined && !startsInWord && !endsInWord);
      const found = inText.some((_, at) =>
        tokens.every((token, offset) => {
          const have = inText[at + offset];
          return prefix && offset === tokens.length - 1 ? have?.startsWith(token) : have === token;
        }),
      );
      expect(found).toBe(true);
    }),
  );
});

test('units of a text are folded as the index folds', () => {
  const folded = Array.from(units('Straße CAFÉ 東京 exam\u00adple'), ({ start, end, folded }) => [start, end, folded]);
  expect(folded).toEqual([
    [0, 6, 'strasse'],
    [7, 11, 'cafe'],
    [12, 13, '東'],
    [13, 14, '京'],
    [15, 23, 'example'],
  ]);
});

function tokensOf(text: string): string[] {
  return indexText(text).match(/[\p{L}\p{N}\p{Mn}\p{Mc}]+/gu) ?? [];
}
