import { describe, expect, test } from '@jest/globals';
import * as sevenZipExtractor from '../../../../../src/extract/formats/seven-zip/seven-zip-extractor.js';
import { archiveOf, machineCode } from '../../../../support/archive-corpus.js';
import { extractInProcess } from '../../../../support/extract-in-process.js';
import { runFormat } from '../../../../support/format-harness.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/x-7z-compressed';

describe.each(['lzma', 'lzma2', 'bzip2', 'deflate', 'copy'])('a 7z archive packed with %s', (method) => {
  test('gives every entry in order, as a member with its place in the text', async () => {
    const { contentType, problem, text, members } = await extractInProcess(`${method}.7z`, archiveOf(`${method}.7z`));
    expect({ contentType, problem }).toEqual({ contentType: TYPE, problem: undefined });
    expect(members.map(({ name, from, to }) => [name, text.slice(from, to).trim()])).toEqual([
      ['empty.txt', ''],
      ['a.txt', 'This file contains some words.'],
      ['sub/b.txt', 'second'],
    ]);
  });

  test('is unpacked no further than text is wanted', async () => {
    const { members, truncated } = await extractInProcess('a.7z', archiveOf(`${method}.7z`), { maxCharacters: 30 });
    expect({ truncated, names: members.map(({ name }) => name) }).toEqual({
      truncated: true,
      names: ['empty.txt', 'a.txt'],
    });
  });

  test('ends with a sentence however it is damaged', async () => {
    await expectNoSurprises(sevenZipExtractor, TYPE, archiveOf(`${method}.7z`), 300);
  });
});

test.each(['filter-x86.7z', 'filter-delta.7z'])('%s: filters are undone', async (name) => {
  const { parts } = await runFormat(sevenZipExtractor, { name, mediaType: TYPE, bytes: archiveOf(name) });
  expect(parts).toHaveLength(1);
  expect(Buffer.compare(parts[0]?.bytes ?? Buffer.alloc(0), machineCode())).toBe(0);
});

test.each(['ppmd.7z', 'filter-bcj2.7z'])('%s is packed in a way that is not known, which is said', async (name) => {
  const { problem } = await extractInProcess(name, archiveOf(name));
  expect(problem).toMatchObject({ reason: 'unsupported', message: expect.stringContaining('packs entries in a way') });
});

describe.each(['encrypted.7z', 'encrypted-stored.7z', 'encrypted-names.7z'])('%s', (name) => {
  test.each([[[]], [['wrong']]])('is reported as encrypted with the passwords %j', async (passwords) => {
    const { problem, text } = await extractInProcess(name, archiveOf(name), { passwords });
    expect(problem?.reason).toBe('encrypted');
    expect(text).not.toContain('words');
  });

  test('opens with the right one of several passwords', async () => {
    const { problem, text } = await extractInProcess(name, archiveOf(name), { passwords: ['', 'wrong', 'secret'] });
    expect(problem).toBeUndefined();
    expect(text).toContain('This file contains some words.');
    expect(text).toContain('second');
  });
});

test('a damaged entry is reported, and what is before the damage is kept', async () => {
  const bytes = archiveOf('copy.7z');
  bytes.write('X', bytes.indexOf('second'));
  const { problem, text } = await extractInProcess('a.7z', bytes);
  expect(text).toContain('This file contains some words.');
  expect(problem).toMatchObject({ reason: 'corrupt', message: expect.stringContaining('[sub/b.txt]') });
});

test.each([0, 6, 31, 32, 100])('an archive of which only %d bytes are there is corrupt', async (length) => {
  const bytes = archiveOf('lzma2.7z').subarray(0, length);
  const { parts, failure } = await runFormat(sevenZipExtractor, { name: 'a.7z', mediaType: TYPE, bytes }).then(
    (result) => ({ parts: result.parts, failure: undefined }),
    (error: unknown) => ({ parts: [], failure: error }),
  );
  expect(parts).toEqual([]);
  expect(failure).toMatchObject({ code: 'corrupt' });
});
