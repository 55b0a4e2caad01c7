import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { tarEntries } from '../../../../../src/extract/formats/archive/tar-reader.js';
import { extractInProcess } from '../../../../support/extract-in-process.js';
import { makeTar, makeZip, tarEntry, tarHeader } from '../../../../support/make-archive.js';

const entries = [
  { name: 'test.txt', content: 'This file contains some words.\n' },
  { name: 'sub/b.txt', content: 'second\n' },
];
const SMALL_BZ2 = 'QlpoOTFBWSZTWZks+KQAAAPfgAAQQAEQAAIABAASLVRQIAAhqaaNDTTNQoaaYAL+iUaW0Jy6vBWqAwUPxdyRThQkJks+KQA=';

describe.each([
  ['zip', makeZip(entries), 'a.zip', 'application/zip'],
  ['tar', makeTar(entries), 'a.tar', 'application/x-tar'],
])('%s', (_kind, bytes, name, contentType) => {
  test('every entry is preceded by its name', async () => {
    const extraction = await extractInProcess(name, bytes);
    expect(extraction).toMatchObject({ contentType, problem: undefined });
    expect(extraction.text.split(/\s*\n\s*/).filter((line) => line !== '')).toEqual([
      'test.txt',
      'This file contains some words.',
      'sub/b.txt',
      'second',
    ]);
  });

  test('every entry is kept apart as a member with its place in the text', async () => {
    const { members, text } = await extractInProcess(name, bytes);
    expect(members.map(({ name: each, depth, contentType: type }) => [each, depth, type])).toEqual([
      ['test.txt', 1, 'text/plain; charset=ISO-8859-1'],
      ['sub/b.txt', 1, 'text/plain; charset=ISO-8859-1'],
    ]);
    expect(members.map(({ from, to }) => text.slice(from, to).trim())).toEqual([
      'This file contains some words.',
      'second',
    ]);
    expect(members[1]?.metadata).toMatchObject({
      resourceName: ['sub/b.txt'],
      'tk:embedded_depth': ['1'],
      'tk:embedded_resource_path': ['/sub/b.txt'],
    });
  });

  test('what is behind the limit is not unpacked', async () => {
    const { members, truncated } = await extractInProcess(name, bytes, { maxCharacters: 20 });
    expect(members).toHaveLength(1);
    expect(truncated).toBe(true);
  });

  test.each([0.3, 0.6, 0.9])('cut off after %d of its bytes it gives what is there and says so', async (part) => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      name: `${index}.txt`,
      content: `content-${index} `.repeat(900),
    }));
    const whole = name === 'a.zip' ? makeZip(many) : makeTar(many);
    const extraction = await extractInProcess(name, whole.subarray(0, Math.floor(whole.length * part)));
    expect(extraction.text).toContain('content-0');
    expect(extraction.problem?.reason).toBe('corrupt');
  });
});

describe('nested archives', () => {
  test('are read through all their levels', async () => {
    const inner = makeZip([{ name: 'deep.txt', content: 'deep down' }]);
    const middle = gzipSync(makeTar([{ name: 'inner.zip', content: inner }]));
    const { text, members } = await extractInProcess('outer.zip', makeZip([{ name: 'middle.tgz', content: middle }]));
    expect(text).toContain('deep down');
    expect(members.map(({ name, depth }) => [name, depth])).toEqual([
      ['deep.txt', 4],
      ['inner.zip', 3],
      ['middle.tar', 2],
      ['middle.tgz', 1],
    ]);
  });

  test('that are damaged inside do not keep the rest from being read', async () => {
    const broken = makeZip([{ name: 'x.txt', content: 'lost' }]).subarray(0, 20);
    const extraction = await extractInProcess(
      'outer.zip',
      makeZip([
        { name: 'broken.zip', content: broken },
        { name: 'good.txt', content: 'kept' },
      ]),
    );
    expect(extraction.text).toContain('kept');
    expect(extraction.problem).toBeUndefined();
    expect(extraction.warnings.join()).toContain('broken.zip');
  });
});

describe('tar', () => {
  test('from before POSIX is known by its checksum', async () => {
    const old = Buffer.concat([tarEntry('old.txt', 'from 1985', '\0', ''), Buffer.alloc(1024)]);
    const extraction = await extractInProcess('without-a-name', old);
    expect(extraction.contentType).toBe('application/x-tar');
    expect(extraction.text).toContain('from 1985');
  });

  test('of GNU is recognised', async () => {
    const gnu = Buffer.concat([tarEntry('a.txt', 'words', '0', 'ustar  \0'), Buffer.alloc(1024)]);
    expect((await extractInProcess('a.tar', gnu)).contentType).toBe('application/x-gtar');
  });

  const long = `${'folder/'.repeat(30)}file.txt`;
  test.each([
    ['of GNU', tarEntry('././@LongLink', `${long}\0`, 'L')],
    ['of pax', tarEntry('PaxHeader', `${long.length + 10} path=${long}\n`, 'x')],
  ])('gives entries their long names (%s)', async (_kind, header) => {
    const archive = Buffer.concat([header, tarEntry('short', 'words'), Buffer.alloc(1024)]);
    expect((await extractInProcess('a.tar', archive)).members[0]?.name).toBe(long);
  });

  test('passes over folders, links and devices', async () => {
    const archive = Buffer.concat([
      tarEntry('folder/', '', '5'),
      tarEntry('link', '', '2'),
      tarEntry('device', '', '3'),
      tarEntry('file.txt', 'words'),
      Buffer.alloc(1024),
    ]);
    expect((await extractInProcess('a.tar', archive)).members.map(({ name }) => name)).toEqual(['file.txt']);
  });

  test('that announces more than it has ends where it ends', async () => {
    const archive = Buffer.concat([tarHeader('big.txt', 8 ** 10), Buffer.from('the beginning')]);
    const extraction = await extractInProcess('a.tar', archive);
    expect(extraction.text).toContain('the beginning');
    expect(extraction.problem?.reason).toBe('corrupt');
  });
});

test('a tar of any entries gives them back, and any other bytes end', () => {
  const entry = fc.record({ name: fc.stringMatching(/^[a-z]{1,90}$/), content: fc.uint8Array({ maxLength: 1_500 }) });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 5 }), fc.uint8Array({ maxLength: 2_000 }), (all, junk) => {
      const read = [...tarEntries(makeTar(all))].map(({ name, bytes }) => ({ name, content: new Uint8Array(bytes) }));
      expect(read).toEqual(all);
      expect(
        [...tarEntries(Buffer.concat([...all.map(({ name, content }) => tarEntry(name, content)), junk]))].length,
      ).toBeGreaterThanOrEqual(all.length);
    }),
  );
});

describe('one compressed file', () => {
  test.each([
    ['a.txt.gz', gzipSync('words in gzip'), 'a.txt', 'words in gzip'],
    ['archive.tgz', gzipSync(makeTar(entries)), 'archive.tar', 'second'],
    ['b.txt.bz2', Buffer.from(SMALL_BZ2, 'base64'), 'b.txt', 'Ein kleiner Text in bzip2.'],
  ])('%s holds one member, named without the suffix', async (name, bytes, inner, text) => {
    const extraction = await extractInProcess(name, bytes);
    expect(extraction.problem).toBeUndefined();
    expect(extraction.text).toContain(text);
    expect(extraction.members.at(-1)?.name).toBe(inner);
  });

  test('is named as its header says', async () => {
    const plain = gzipSync('words');
    const named = Buffer.concat([
      plain.subarray(0, 3),
      Buffer.from([8]),
      plain.subarray(4, 10),
      Buffer.from('inner.md\0'),
      plain.subarray(10),
    ]);
    const { members } = await extractInProcess('a.gz', named);
    expect(members).toMatchObject([{ name: 'inner.md', contentType: 'text/markdown; charset=ISO-8859-1' }]);
  });

  test('of several gzip streams is the text of all of them', async () => {
    const both = Buffer.concat([gzipSync('first '), gzipSync('second')]);
    expect((await extractInProcess('a.txt.gz', both)).text).toContain('first second');
  });

  test.each([
    ['a.txt.gz', gzipSync(randomWords(60_000))],
    ['a.txt.bz2', Buffer.from(SMALL_BZ2, 'base64')],
  ])('%s that is cut off says so', async (name, bytes) => {
    const extraction = await extractInProcess(name, bytes.subarray(0, Math.floor(bytes.length * 0.8)));
    expect(extraction.problem?.reason).toBe('corrupt');
    if (name.endsWith('.gz')) expect(extraction.text.length).toBeGreaterThan(30_000);
  });
});

function randomWords(length: number): string {
  let text = '';
  for (let seed = 1; text.length < length; seed = (seed * 48_271) % 0x7fffffff) text += `${seed.toString(36)} `;
  return text;
}
