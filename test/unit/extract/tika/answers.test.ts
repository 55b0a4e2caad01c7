import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { joinText, type TikaPart } from '../../../../src/extract/tika/joined-text.js';
import { readAnswer, type TikaResult } from '../../../../src/extract/tika/tika-answer.js';
import { TextBuffer } from '../../../../src/extract/text-buffer.js';
import { requestFor } from '../../../support/extraction-request.js';

function read(entries: readonly unknown[], characters = Number.POSITIVE_INFINITY): TikaResult | undefined {
  return readAnswer(Buffer.from(JSON.stringify(entries)), requestFor('a.zip'), { characters });
}

function part(name: string, id: string, content: string): TikaPart {
  return { name, contentType: 'text/plain', metadata: { 'tk:embedded_id_path': [id] }, content };
}

function join(parts: readonly TikaPart[], limit = Number.POSITIVE_INFINITY) {
  const text = new TextBuffer(limit);
  const members = joinText(parts, text);
  const whole = text.toString();
  return { whole, members, pieces: members.map(({ name, from, to }) => [name, whole.slice(from, to)]) };
}

describe('the text of a document with parts', () => {
  test('has the text of each part behind its printed name, and the rest at the end', () => {
    const { whole, pieces } = join([
      part('a.zip', '', '\none.txt\n\ntwo.txt\nclosing words\n'),
      part('one.txt', '/1', 'text of one\n'),
      part('two.txt', '/2', 'text of two\n'),
      part('not printed', '/3', 'text of three\n'),
    ]);
    expect(whole).toBe('\none.txt\ntext of one\n\n\ntwo.txt\ntext of two\n\nclosing words\ntext of three\n\n');
    expect(pieces).toEqual([
      ['one.txt', 'text of one\n'],
      ['two.txt', 'text of two\n'],
      ['not printed', 'text of three\n'],
    ]);
  });

  test('has parts inside parts inside their text, at their depth', () => {
    const { whole, members } = join([
      part('a.zip', '', 'mail.eml\n'),
      part('deep.txt', '/1/3', 'deep'),
      part('b.zip', '/1', 'deep.txt\n'),
      part('mail.eml', '/2', 'mail'),
    ]);
    expect(whole).toBe('mail.eml\nmail\ndeep.txt\ndeep\n\n');
    expect(members.map(({ name, depth }) => [name, depth])).toEqual([
      ['mail.eml', 1],
      ['deep.txt', 2],
      ['b.zip', 1],
    ]);
  });

  test('tells entries of the same name apart by their order', () => {
    const { pieces, whole } = join([part('a.tar', '', 'x\nx\n'), part('x', '/1', 'first'), part('x', '/2', 'second')]);
    expect(whole).toBe('x\nfirst\nx\nsecond\n');
    expect(pieces).toEqual([
      ['x', 'first'],
      ['x', 'second'],
    ]);
  });

  test('ends at the limit, and so do its parts', () => {
    const { whole, members } = join([part('a', '', 'b\nc\n'), part('b', '/1', '12345678'), part('c', '/2', 'x')], 6);
    expect(whole).toBe('b\n1234');
    expect(members.map(({ name, from, to }) => [name, from, to])).toEqual([['b', 2, 6]]);
  });

  test('never loses a word, and members never reach beyond it', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    const children = fc.array(fc.record({ name: word, words: fc.array(word), printed: fc.boolean() }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(word), children, (own, all) => {
        const printed = all.filter((child) => child.printed).map(({ name }) => name);
        const parts = all.map(({ name, words }, at) => part(name, `/${at + 1}`, words.join(' ')));
        const { whole, members } = join([part('whole', '', [own.join(' '), ...printed].join('\n')), ...parts]);
        const expected = [...own, ...printed, ...all.flatMap(({ words }) => words)];
        expect(whole.split(/\s+/).filter(Boolean).sort()).toEqual(expected.sort());
        expect(members).toHaveLength(all.length);
        for (const { name, from, to } of members) {
          expect(whole.slice(from, to).length).toBe(to - from);
          expect(all.some((child) => child.name === name && child.words.join(' ') === whole.slice(from, to))).toBe(
            true,
          );
        }
      }),
    );
  });
});

describe('metadata', () => {
  test('have the same names whether Tika 3 or Tika 4 wrote them, and nothing about the work of the server', () => {
    const older = read([{ 'X-TIKA:Parsed-By': ['A'], 'X-TIKA:content': 'x', 'X-TIKA:parse_time_millis': '5' }]);
    const newer = read([{ 'tk:Parsed-By': ['A'], 'tk:content': 'x', 'tk:content_handler': 'H' }]);
    expect(older).toEqual(newer);
    expect(older?.metadata).toEqual({ resourceName: ['a.zip'], 'tk:Parsed-By': ['A'] });
  });

  test('name the document as it is called here, and parts as they are called there', () => {
    const found = read([
      { resourceName: 'Subject of the mail.eml' },
      { resourceName: 'part.txt', 'X-TIKA:embedded_depth': '1' },
    ]);
    expect(found?.metadata['resourceName']).toEqual(['a.zip']);
    expect(found?.members.map(({ name }) => name)).toEqual(['part.txt']);
  });

  test('list the parsers of all parts together', () => {
    const full = (parser: string) => ({ 'X-TIKA:Parsed-By-Full-Set': ['Default', parser] });
    expect(read([full('Zip'), full('Text')])?.metadata['tk:Parsed-By-Full-Set']).toEqual(['Default', 'Zip', 'Text']);
  });
});

describe('what went wrong on the server', () => {
  const trace = '\n\tat org.apache.tika.parser.X.parse(X.java:1)';
  test.each([
    ['org.apache.tika.exception.EncryptedDocumentException: Unable to process', 'encrypted'],
    ['org.apache.tika.exception.TikaException: Zip bomb detected!', 'too_large'],
    ['org.apache.tika.exception.TikaMemoryLimitException: Tried to allocate 5000000000 bytes', 'too_large'],
    ['org.apache.tika.exception.UnsupportedFormatException: Excel 2.1', 'unsupported'],
    ['org.apache.tika.exception.TikaException: TIKA-198: Illegal IOException', 'corrupt'],
    ['java.lang.StackOverflowError', 'corrupt'],
  ])('%s is %s', (exception, reason) => {
    const found = read([
      { 'X-TIKA:EXCEPTION:container_exception': `${exception}${trace}`, 'X-TIKA:content': 'so far' },
    ]);
    expect([found?.problem?.reason, found?.text]).toEqual([reason, 'so far']);
    expect(found?.problem?.message).not.toMatch(/org\.apache|\tat/);
  });

  test('in a part is a warning that names it', () => {
    const found = read([
      { 'X-TIKA:EXCEPTION:warn': ['java.io.IOException: odd table'] },
      {
        'X-TIKA:embedded_resource_path': '/a.doc',
        'X-TIKA:EXCEPTION:embedded_exception': `org.apache.tika.exception.EncryptedDocumentException: no${trace}`,
      },
    ]);
    expect(found?.warnings).toEqual(['IOException: odd table', '[/a.doc] EncryptedDocumentException: no']);
    expect(found?.problem).toBeUndefined();
  });

  test('a type without a parser is unsupported', () => {
    const found = read([{ 'Content-Type': 'a/b', 'X-TIKA:Parsed-By': 'org.apache.tika.parser.EmptyParser' }]);
    expect(found?.problem).toEqual({ reason: 'unsupported', message: expect.stringContaining('[a/b]') });
  });

  test('too many parts are too_large, with those that were read', () => {
    const found = read([{ 'X-TIKA:EXCEPTION:embedded_resource_limit_reached': 'true' }, { 'X-TIKA:content': 'part' }]);
    expect([found?.problem?.reason, found?.text]).toEqual(['too_large', 'part\n']);
  });

  test('an empty list says nothing about the document', () => {
    expect(read([])?.problem?.reason).toBe('corrupt');
  });

  test.each(['', 'null', '{}', '[1]', '<html>', '[{"a":'])('%j is no answer at all', (body) => {
    expect(readAnswer(Buffer.from(body), requestFor('a'), { characters: 1 })).toBeUndefined();
  });
});
