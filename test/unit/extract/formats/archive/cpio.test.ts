import { describe, expect, test } from '@jest/globals';
import * as cpioExtractor from '../../../../../src/extract/formats/archive/cpio-extractor.js';
import { extractInProcess } from '../../../../support/extract-in-process.js';
import { expectNoSurprises } from '../../mutations.js';

interface Entry {
  readonly name: string;
  readonly content: string;
  readonly mode?: number;
}

const REGULAR = 0o100644;
const entries: readonly Entry[] = [
  { name: 'folder', content: '', mode: 0o040755 },
  { name: './a.txt', content: 'This file contains some words.' },
  { name: 'link', content: 'a.txt', mode: 0o120777 },
  { name: 'folder/b.txt', content: 'second' },
];

type Writer = (entry: Entry) => Buffer;

function newHeader({ name, content, mode = REGULAR }: Entry): Buffer {
  const hex = (value: number): string => value.toString(16).padStart(8, '0');
  const [size, nameLength] = [Buffer.byteLength(content), Buffer.byteLength(name) + 1];
  const numbers = [1, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, nameLength, 0];
  return pad(pad(Buffer.from(`070701${numbers.map(hex).join('')}${name}\0`), 4), 4, content);
}

function octalHeader({ name, content, mode = REGULAR }: Entry): Buffer {
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
  const [size, nameLength] = [Buffer.byteLength(content), Buffer.byteLength(name) + 1];
  const six = [0, 1, mode, 0, 0, 1, 0].map((value) => octal(value, 6)).join('');
  const rest = `${octal(0, 11)}${octal(nameLength, 6)}${octal(size, 11)}`;
  return Buffer.from(`070707${six}${rest}${name}\0${content}`);
}

function binaryHeader({ name, content, mode = REGULAR }: Entry): Buffer {
  const size = Buffer.byteLength(content);
  const numbers = [0o070707, 0, 1, mode, 0, 0, 1, 0, 0, 0, name.length + 1, size >>> 16, size & 0xffff];
  const header = Buffer.alloc(26);
  numbers.forEach((value, at) => header.writeUInt16LE(value, at * 2));
  return pad(pad(Buffer.concat([header, Buffer.from(`${name}\0`)]), 2), 2, content);
}

function pad(bytes: Buffer, to: number, content = ''): Buffer {
  const all = Buffer.concat([bytes, Buffer.from(content)]);
  return Buffer.concat([all, Buffer.alloc((to - (all.length % to)) % to)]);
}

function archive(write: Writer): Buffer {
  return Buffer.concat([...entries, { name: 'TRAILER!!!', content: '', mode: 0 }].map(write));
}

describe.each<[string, Writer]>([
  ['new', newHeader],
  ['octal', octalHeader],
  ['binary', binaryHeader],
])('a cpio archive with %s headers', (_kind, write) => {
  test('gives its files in order', async () => {
    const { contentType, problem, text, members } = await extractInProcess('a.cpio', archive(write));
    expect({ contentType, problem }).toEqual({ contentType: 'application/x-cpio', problem: undefined });
    expect(members.map(({ name, from, to }) => [name, text.slice(from, to).trim()])).toEqual([
      ['a.txt', 'This file contains some words.'],
      ['folder/b.txt', 'second'],
    ]);
  });

  test('that is cut off says so and gives what is there', async () => {
    const whole = archive(write);
    const { problem, text } = await extractInProcess('a.cpio', whole.subarray(0, whole.indexOf('cond')));
    expect(problem).toMatchObject({ reason: 'corrupt', message: expect.stringContaining('[folder/b.txt]') });
    expect(text).toContain('This file contains some words.');
  });

  test('ends with a sentence however it is damaged', async () => {
    await expectNoSurprises(cpioExtractor, 'application/x-cpio', archive(write));
  });
});
