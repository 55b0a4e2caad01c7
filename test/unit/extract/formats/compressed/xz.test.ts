import { describe, expect, test } from '@jest/globals';
import * as lzmaExtractor from '../../../../../src/extract/formats/compressed/lzma-extractor.js';
import { unpackXz } from '../../../../../src/extract/formats/compressed/xz/xz-reader.js';
import * as xzExtractor from '../../../../../src/extract/formats/compressed/xz/xz-extractor.js';
import { archiveOf, machineCode } from '../../../../support/archive-corpus.js';
import { extractInProcess } from '../../../../support/extract-in-process.js';
import { expectNoSurprises } from '../../mutations.js';

const WORDS = 'This file contains some words.';

describe.each(['none', 'crc32', 'crc64', 'sha256'])('an xz file with the check %s', (check) => {
  const name = `${check}.txt.xz`;

  test('holds one member, named without the suffix', async () => {
    const { contentType, problem, text, members } = await extractInProcess(name, archiveOf(name));
    expect({ contentType, problem, text: text.trim() }).toEqual({
      contentType: 'application/x-xz',
      problem: undefined,
      text: `${check}.txt\n${WORDS}`,
    });
    expect(members.map((member) => member.name)).toEqual([`${check}.txt`]);
  });

  test('may be several streams with padding between them', async () => {
    const one = archiveOf(name);
    const { text, problem } = await extractInProcess(name, Buffer.concat([one, Buffer.alloc(8), one]));
    expect(problem).toBeUndefined();
    expect(text.split(WORDS)).toHaveLength(3);
  });

  test.each([0.5, 0.9])('cut off after %d of its bytes says so', async (part) => {
    const bytes = archiveOf(name);
    const { problem } = await extractInProcess(name, bytes.subarray(0, Math.floor(bytes.length * part)));
    expect(problem?.reason).toBe('corrupt');
  });

  test('ends with a sentence however it is damaged', async () => {
    await expectNoSurprises(xzExtractor, 'application/x-xz', archiveOf(name), 200);
  });
});

test.each(['crc32', 'crc64', 'sha256'])(
  'a wrong byte does not pass the check %s, and the text is kept',
  async (check) => {
    const bytes = archiveOf(`${check}.txt.xz`);
    const at = bytes.indexOf('some');
    bytes.write('same', at);
    const { problem, text } = await extractInProcess(`${check}.txt.xz`, bytes);
    expect(problem?.reason).toBe('corrupt');
    expect(text).toContain('This file contains same words.');
  },
);

test.each(['filter-x86.xz', 'filter-delta.xz'])('%s: filters are undone', (name) => {
  const pieces = Array.from(unpackXz(archiveOf(name)), (piece) => Buffer.from(piece));
  expect(Buffer.compare(Buffer.concat(pieces), machineCode())).toBe(0);
});

test('data larger than the window come out as they went in', () => {
  const streams = Buffer.concat(Array.from({ length: 3 }, () => archiveOf('zeros-4-mb.xz')));
  let bytes = 0;
  for (const piece of unpackXz(streams)) {
    bytes += piece.length;
    expect(piece.every((byte) => byte === 0)).toBe(true);
  }
  expect(bytes).toBe(3 * 4 * 1024 * 1024);
});

describe('an LZMA file', () => {
  test('holds one member, named without the suffix', async () => {
    const { contentType, problem, text } = await extractInProcess('a.txt.lzma', archiveOf('a.txt.lzma'));
    expect({ contentType, problem, text: text.trim() }).toEqual({
      contentType: 'application/x-lzma',
      problem: undefined,
      text: `a.txt\n${WORDS}`,
    });
  });

  test('that is cut off says so and gives what is there', async () => {
    const { problem, text } = await extractInProcess('a.txt.lzma', archiveOf('a.txt.lzma').subarray(0, 40));
    expect(problem?.reason).toBe('corrupt');
    expect(text).toContain('This file');
  });

  test('ends with a sentence however it is damaged', async () => {
    await expectNoSurprises(lzmaExtractor, 'application/x-lzma', archiveOf('a.txt.lzma'), 300);
  });
});
