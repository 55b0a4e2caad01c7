import { describe, expect, test } from '@jest/globals';
import cfb from 'cfb';
import fc from 'fast-check';
import { openOle } from '../../../../../src/extract/containers/ole/ole.js';
import { subContainer, writeOle } from '../../../../../src/extract/containers/ole/ole-writer.js';

const WORD_CLASS = '00020906-0000-0000-c000-000000000046';

function bytesOf(length: number, seed = 1): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 7) & 0xff);
}

/** Without comparing element by element, which takes minutes for megabytes. */
function expectSame(bytes: Uint8Array | undefined, wanted: Uint8Array): void {
  expect(Buffer.compare(bytes ?? new Uint8Array(0), wanted)).toBe(0);
}

function byOtherWriter(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const container = cfb.utils.cfb_new();
  for (const [path, bytes] of Object.entries(streams)) cfb.utils.cfb_add(container, `/${path}`, Buffer.from(bytes));
  return new Uint8Array(cfb.write(container, { type: 'buffer' }) as Buffer);
}

describe('openOle', () => {
  test.each([0, 1, 63, 64, 65, 4095, 4096, 4097, 100_000])(
    'gives a stream of %d bytes as another writer wrote it',
    (n) => {
      const bytes = bytesOf(n);
      const container = openOle(byOtherWriter({ data: bytes, 'folder/inner': bytesOf(10) }));
      expectSame(container.read('data'), bytes);
      expectSame(container.read('folder/inner'), bytesOf(10));
    },
  );

  test('lists streams and storages, and finds names whatever their case', () => {
    const container = openOle(
      writeOle({
        streams: [
          { path: 'WordDocument', bytes: bytesOf(10) },
          { path: 'ObjectPool/_1/Package', bytes: bytesOf(20) },
        ],
        classId: WORD_CLASS,
        storageClassIds: new Map([['ObjectPool/_1', WORD_CLASS]]),
      }),
    );
    expect([...container.paths].sort()).toEqual(['ObjectPool/_1/Package', 'WordDocument']);
    expect(container.storages.get('ObjectPool')).toBeUndefined();
    expect(container.storages.get('ObjectPool/_1')).toBe(WORD_CLASS);
    expect(container.classId).toBe(WORD_CLASS);
    expectSame(container.read('WORDDOCUMENT'), bytesOf(10));
    expect(container.read('nothing')).toBeUndefined();
  });

  test('refuses what is no compound file', () => {
    for (const bytes of [new Uint8Array(0), bytesOf(600), Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0)]) {
      expect(() => openOle(bytes)).toThrow(expect.objectContaining({ name: 'CrawlerError', code: 'corrupt' }));
    }
  });

  test('ends a chain of sectors that leads back to itself', () => {
    const file = writeOle({ streams: [{ path: 'data', bytes: bytesOf(20_000) }] });
    const view = new DataView(file.buffer, file.byteOffset);
    const fat = (view.getUint32(76, true) + 1) * 512;
    view.setUint32(fat + 5 * 4, 2, true);
    expect(openOle(file).read('data')).toHaveLength(20_000);
  });

  test('gives the part of a stream that a cut file still has', () => {
    const streams = [{ path: 'data', bytes: bytesOf(20_000) }];
    const file = writeOle({ streams });
    const header = new DataView(file.buffer, file.byteOffset);
    // Directory and FAT lie behind the data here; a file cut in the data has neither.
    expect(() => openOle(file.subarray(0, 5_000))).toThrow(expect.objectContaining({ code: 'corrupt' }));
    header.setUint32((header.getUint32(48, true) + 1) * 512 + 128 + 120, 900_000, true);
    expectSame(openOle(file).read('data')?.subarray(0, 20_000), bytesOf(20_000));
  });

  test('reads any set of streams back that was written, also of several megabytes', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_]{1,20}$/);
    const sizes = fc.constantFrom(0, 1, 64, 4095, 4096, 70_000);
    fc.assert(
      fc.property(fc.dictionary(name, sizes, { maxKeys: 30 }), (wanted) => {
        const unique = new Map(Object.entries(wanted).map(([key, size]) => [key.toUpperCase(), size]));
        const streams = [...unique].map(([key, size], index) => ({
          path: index % 3 === 0 ? `storage/${key}` : key,
          bytes: bytesOf(size, index),
        }));
        const container = openOle(writeOle({ streams }));
        for (const { path, bytes } of streams) expectSame(container.read(path), bytes);
        expect(container.paths).toHaveLength(streams.length);
      }),
      { numRuns: 30 },
    );
    const large = bytesOf(9_000_000);
    expectSame(openOle(writeOle({ streams: [{ path: 'large', bytes: large }] })).read('large'), large);
  });

  test('survives any change of bytes', () => {
    const file = writeOle({
      streams: [
        { path: 'small', bytes: bytesOf(100) },
        { path: 'a/b/large', bytes: bytesOf(9000) },
      ],
    });
    const change = fc.record({ at: fc.nat(file.length - 1), value: fc.constantFrom(0, 1, 2, 0x7f, 0xfe, 0xff) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.nat(file.length), (changes, end) => {
        const damaged = Uint8Array.from(file);
        for (const { at, value } of changes) damaged[at] = value;
        try {
          const container = openOle(end % 2 === 0 ? damaged : damaged.subarray(0, end));
          for (const path of container.paths) expect(container.read(path)!.length).toBeLessThanOrEqual(file.length);
        } catch (error) {
          expect(error).toMatchObject({ name: 'CrawlerError', code: 'corrupt' });
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('subContainer', () => {
  test('makes a storage a file of its own, with its class', () => {
    const outer = openOle(
      writeOle({
        streams: [
          { path: 'outside', bytes: bytesOf(5) },
          { path: 'Pool/_7/WordDocument', bytes: bytesOf(5000) },
          { path: 'Pool/_7/Deep/small', bytes: bytesOf(6) },
        ],
        storageClassIds: new Map([['Pool/_7', WORD_CLASS]]),
      }),
    );
    const inner = openOle(subContainer(outer, 'Pool/_7'));
    expect([...inner.paths].sort()).toEqual(['Deep/small', 'WordDocument']);
    expectSame(inner.read('WordDocument'), bytesOf(5000));
    expectSame(inner.read('Deep/small'), bytesOf(6));
    expect(inner.classId).toBe(WORD_CLASS);
  });
});
