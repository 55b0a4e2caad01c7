import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { highlight, sequenceOf, type HighlightOptions } from '../../../../src/engine/embedded/text/highlight.js';

const OPTIONS: HighlightOptions = {
  preTag: '[',
  postTag: ']',
  fragmentSize: 40,
  fragments: 5,
  noMatchSize: 0,
  byScore: false,
  escapeHtml: false,
};

function marked(
  text: string,
  phrases: readonly string[],
  options: Partial<HighlightOptions> = {},
  prefix = false,
): string[] {
  const sequences = phrases.flatMap((phrase) => sequenceOf(phrase, prefix) ?? []);
  return highlight(text, sequences, { ...OPTIONS, ...options });
}

const LONG = `${'one two three '.repeat(20)}needle ${'four five six '.repeat(20)}needle thread ${'seven '.repeat(30)}`;

describe('marks', () => {
  test.each([
    ['a word', 'a budget here', ['budget'], 'a [budget] here'],
    ['in another case', 'A BUDGET', ['budget'], 'A [BUDGET]'],
    ['with accents', 'Prüfung', ['prufung'], '[Prüfung]'],
    ['words of a phrase', 'annual report', ['annual report'], '[annual] [report]'],
    ['a dotted word', 'see report.pdf', ['report.pdf'], 'see [report].[pdf]'],
    ['not a part of a word', 'budgets', ['budget'], undefined],
    ['a run as one mark', 'に東京都に', ['東京都'], 'に[東京都]に'],
    ['overlapping phrases as one mark', '東京都庁', ['東京都', '京都庁'], '[東京都庁]'],
    ['with a soft hyphen', 'exam\u00adple', ['example'], '[exam\u00adple]'],
    ['a ligature', 'the ﬁnance', ['finance'], 'the [ﬁnance]'],
  ])('%s', (_what, text, phrases, expected) => {
    expect(marked(text, phrases)).toEqual(expected === undefined ? [] : [expected]);
  });

  test('the beginning of a word, of the last one of a phrase', () => {
    expect(marked('annual reports and annuals', ['annual rep'], {}, true)).toEqual(['[annual] [reports] and annuals']);
  });

  test('text that would be HTML is escaped, the tags are not', () => {
    const options = { escapeHtml: true, preTag: '<b>', postTag: '</b>' };
    expect(marked(`<i>"budget" & 'plan'</i>`, ['budget'], options)).toEqual([
      '&lt;i&gt;&quot;<b>budget</b>&quot; &amp; &#x27;plan&#x27;&lt;/i&gt;',
    ]);
  });
});

describe('fragments', () => {
  test('stand around the marks and end at words', () => {
    expect(marked(LONG, ['needle'])).toEqual([
      'two three [needle] four five six four five',
      'five six [needle] thread seven seven seven',
    ]);
  });

  test('the best one holds most of the words', () => {
    expect(marked(LONG, ['needle', 'thread'], { fragments: 1 })).toEqual([
      'five six [needle] [thread] seven seven seven',
    ]);
  });

  test('by score the best one comes first', () => {
    const [first] = marked(LONG, ['needle', 'thread'], { byScore: true });
    expect(first).toContain('[thread]');
  });

  test('none means the whole text', () => {
    expect(marked(LONG, ['thread'], { fragments: 0 })).toEqual([LONG.replace('thread', '[thread]')]);
  });

  test('the beginning when nothing matches', () => {
    expect(marked('one two three', ['nothing'], { noMatchSize: 8 })).toEqual(['one two']);
    expect(marked('', ['nothing'], { noMatchSize: 8 })).toEqual([]);
  });

  test('a word longer than a fragment is shown whole', () => {
    const word = 'x'.repeat(100);
    expect(marked(`a ${word} b`, [word])).toEqual([`a [${word}]`]);
  });

  test('only the first million characters are read', () => {
    const text = `${'a '.repeat(600_000)}needle`;
    expect(marked(text, ['needle'])).toEqual([]);
  });
});

test('without its marks every fragment is a part of the text', () => {
  const word = fc.constantFrom('alpha', 'beta', 'gamma', '東京', 'é', '😀', '.', '\n');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 80 }), fc.integer({ min: 1, max: 60 }), (parts, fragmentSize) => {
      const text = parts.join(' ');
      const fragments = marked(text, ['beta', '京', 'alpha gamma'], { fragmentSize });
      for (const fragment of fragments) {
        expect(text).toContain(fragment.replace(/[[\]]/g, ''));
        expect(fragment).toMatch(/\[[^[\]]+\]/);
        expect(fragment.isWellFormed()).toBe(true);
      }
      expect(fragments.length > 0).toBe(/beta|京|alpha[ .\n😀]+gamma/u.test(text));
    }),
  );
});
