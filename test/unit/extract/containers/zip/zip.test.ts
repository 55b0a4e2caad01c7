import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { openZip, type ZipArchive } from '../../../../../src/extract/containers/zip/zip.js';
import { writeZip, type ZipMember } from '../../../../support/zip-writer.js';

function open(
  bytes: Uint8Array,
  passwords: string[] = [],
  limit = Number.POSITIVE_INFINITY,
): ZipArchive & { counted: number } {
  let counted = 0;
  const archive = openZip(bytes, {
    passwords,
    countBytes: (count) => {
      counted += count;
      if (counted > limit) throw new Error('limit');
    },
  });
  return Object.defineProperty(archive, 'counted', { get: () => counted }) as ZipArchive & { counted: number };
}

function textOf(archive: ZipArchive, name: string): string {
  const entry = archive.find(name);
  expect(entry).toBeDefined();
  return Buffer.from(archive.read(entry!)).toString();
}

function member(name: string, text: string, more: Partial<ZipMember> = {}): ZipMember {
  return { name, content: Buffer.from(text), ...more };
}

const two = [member('a.txt', 'alpha '.repeat(200)), member('folder/b.txt', 'beta', { store: true })];

describe('reading an archive', () => {
  test('lists entries in order, with sizes and folders', () => {
    const archive = open(writeZip([...two, member('empty/', '', { store: true })]));
    expect(archive.entries.map(({ name, size, directory }) => [name, size, directory])).toEqual([
      ['a.txt', 1200, false],
      ['folder/b.txt', 4, false],
      ['empty/', 0, true],
    ]);
    expect(archive.recovered).toBe(false);
    expect(archive.find('c.txt')).toBeUndefined();
  });

  test('gives deflated and stored content, and counts only what it inflates', () => {
    const archive = open(writeZip(two));
    expect(textOf(archive, 'folder/b.txt')).toBe('beta');
    expect(archive.counted).toBe(0);
    expect(textOf(archive, 'a.txt')).toBe('alpha '.repeat(200));
    expect(archive.counted).toBe(1200);
  });

  test('stored content is a view into the archive', () => {
    const bytes = writeZip(two);
    const archive = open(bytes);
    expect(archive.read(archive.find('folder/b.txt')!).buffer).toBe(bytes.buffer);
  });

  test.each([
    ['with 64-bit numbers', { zip64: true }],
    ['behind a program', { prefix: Buffer.alloc(5000, 'MZ') }],
    ['with a comment', { comment: 'made by PK\u0005 somebody' }],
  ])('is read %s', (_, form) => {
    const archive = open(writeZip(two, form));
    expect(archive.recovered).toBe(false);
    expect(textOf(archive, 'a.txt')).toBe('alpha '.repeat(200));
    expect(textOf(archive, 'folder/b.txt')).toBe('beta');
  });

  test.each([
    ['UTF-8 by flag', undefined, 'grün/日本.txt'],
    ['UTF-8 without flag', Buffer.from('grün.txt'), 'grün.txt'],
    ['code page 437', Buffer.from([0x67, 0x72, 0x81, 0x6e, 0x2e, 0x74, 0x78, 0x74]), 'grün.txt'],
  ])('reads names in %s', (_, rawName, name) => {
    const archive = open(writeZip([member(name, 'x', rawName === undefined ? {} : { rawName })]));
    expect(archive.entries.map((entry) => entry.name)).toEqual([name]);
  });

  test('an archive without entries is empty, not damaged', () => {
    expect(open(writeZip([])).entries).toEqual([]);
  });

  test('what is no archive is corrupt', () => {
    expect(() => open(Buffer.from('plain text, nothing else'))).toThrow(expect.objectContaining({ code: 'corrupt' }));
  });

  test('an unknown compression method is unsupported', () => {
    const archive = open(writeZip([member('a', 'x', { method: 98 })]));
    expect(() => archive.read(archive.entries[0]!)).toThrow(expect.objectContaining({ code: 'unsupported' }));
  });
});

describe('damaged archives', () => {
  test.each([
    ['the directory is missing', writeZip(two, { withoutDirectory: true })],
    ['the end is cut off', writeZip(two).subarray(0, -30)],
    [
      'it was written as a stream and is cut off',
      writeZip(two.map((each) => ({ ...each, streamed: true }))).subarray(0, -40),
    ],
  ])('entries are found by their own headers when %s', (_, bytes) => {
    const archive = open(bytes);
    expect(archive.recovered).toBe(true);
    expect(textOf(archive, 'a.txt')).toBe('alpha '.repeat(200));
    expect(textOf(archive, 'folder/b.txt').startsWith('beta')).toBe(true);
  });

  test('a broken stream is corrupt, and its beginning can still be had', () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `word${index * 7919}`).join(' ');
    const bytes = writeZip([member('a.txt', text)]);
    bytes.fill(0xff, bytes.length - 20_000, bytes.length - 19_000);
    const archive = open(bytes);
    const entry = archive.entries[0]!;
    expect(() => archive.read(entry)).toThrow(expect.objectContaining({ code: 'corrupt' }));
    const partial = Buffer.from(archive.readPartial(entry)).toString();
    expect(partial.length).toBeGreaterThan(10_000);
    expect(text.startsWith(partial.slice(0, 10_000))).toBe(true);
  });

  test('a header that is not where the directory says makes that entry corrupt, not the others', () => {
    const bytes = writeZip(two);
    bytes.write('XX', 0, 'latin1');
    const archive = open(bytes);
    expect(() => archive.read(archive.find('a.txt')!)).toThrow(expect.objectContaining({ code: 'corrupt' }));
    expect(textOf(archive, 'folder/b.txt')).toBe('beta');
  });

  test('random damage ends in content or in an error of ours', () => {
    const bytes = writeZip(two);
    const change = fc.record({ at: fc.nat(bytes.length - 1), byte: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.nat(bytes.length), (changes, end) => {
        const damaged = Buffer.from(bytes);
        for (const { at, byte } of changes) damaged[at] = byte;
        try {
          const archive = open(damaged.subarray(0, end), ['x'], 1_000_000);
          for (const entry of archive.entries) archive.read(entry);
        } catch (error) {
          if ((error as Error).message !== 'limit') expect(error).toMatchObject({ name: 'CrawlerError' });
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('bombs', () => {
  const zeros = Buffer.alloc(20_000_000);

  test.each([
    ['an honest header', {}],
    ['a header that states too little', { statedSize: 10 }],
    ['a header that states nothing', { statedSize: 0 }],
    ['a header that states gigabytes', { statedSize: 4_000_000_000 }],
  ])('end at the limit with %s', (_, more) => {
    const archive = open(writeZip([{ name: 'zeros', content: zeros, ...more }]), [], 1_000_000);
    expect(() => archive.read(archive.entries[0]!)).toThrow('limit');
  });

  test('a lying size does not matter to what is read', () => {
    const archive = open(
      writeZip([member('a', 'some text', { statedSize: 3 }), member('b', 'other', { statedSize: 900 })]),
    );
    expect(textOf(archive, 'a')).toBe('some text');
    expect(textOf(archive, 'b')).toBe('other');
  });
});

describe('encrypted entries', () => {
  const schemes = ['traditional', 'aes128', 'aes256'] as const;

  test.each(schemes)('%s opens with the right password among wrong ones', (scheme) => {
    const encrypt = { scheme, password: 'pässword' };
    const archive = open(
      writeZip([
        member('a.txt', 'secret '.repeat(50), { encrypt }),
        member('b.txt', 'stored', { encrypt, store: true }),
      ]),
      ['wrong', 'pässword'],
    );
    expect(archive.entries.every((entry) => entry.encrypted)).toBe(true);
    expect(textOf(archive, 'a.txt')).toBe('secret '.repeat(50));
    expect(textOf(archive, 'b.txt')).toBe('stored');
  });

  test.each(schemes)('%s stays closed without the password', (scheme) => {
    const bytes = writeZip([member('a.txt', 'secret '.repeat(50), { encrypt: { scheme, password: 'right' } })]);
    for (const passwords of [[], ['wrong'], Array.from({ length: 60 }, (_, index) => `guess${index}`)]) {
      const archive = open(bytes, passwords);
      expect(() => archive.read(archive.entries[0]!)).toThrow(expect.objectContaining({ code: 'encrypted' }));
    }
  });

  test('other entries of the archive stay readable', () => {
    const archive = open(
      writeZip([member('a', 'x', { encrypt: { scheme: 'aes256', password: 'p' } }), member('b', 'open')]),
    );
    expect(textOf(archive, 'b')).toBe('open');
  });
});

test('whatever another program packs comes out again', () => {
  const name = fc
    .stringMatching(/^[a-zA-Zäöü0-9_ .-]{1,20}$/)
    // The other program reads the names from an object, which cannot have every key.
    .filter((each) => each.trim() !== '' && !/^\.+$/.test(each) && each !== '__proto__');
  const files = fc.dictionary(name, fc.uint8Array({ maxLength: 3000 }), { maxKeys: 6 });
  fc.assert(
    fc.property(files, fc.constantFrom(0 as const, 1 as const, 9 as const), (contents, level) => {
      const archive = open(zipSync(contents, { level }));
      expect(archive.entries.map((entry) => entry.name).sort()).toEqual(Object.keys(contents).sort());
      for (const [each, content] of Object.entries(contents)) {
        expect(Buffer.from(archive.read(archive.find(each)!)).equals(Buffer.from(content))).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});
