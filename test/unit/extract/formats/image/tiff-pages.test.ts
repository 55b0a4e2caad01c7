import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tiffPages, type TiffPage } from '../../../../../src/extract/formats/image/tiff-pages.js';
import { toTiff, type GreyPicture } from '../../../../support/picture-of-text.js';

function picture(width: number, height: number): GreyPicture {
  return { width, height, pixels: Buffer.alloc(width * height, width) };
}

function sizes(pages: Iterable<TiffPage>): string[] {
  return [...pages].map(({ width, height }) => `${width}x${height}`);
}

test('every page becomes a file that has only this page, and is otherwise the same', () => {
  const file = toTiff([picture(10, 20), picture(30, 40), picture(50, 60)]);
  const before = Buffer.from(file);
  const pages = [...tiffPages(file)];
  expect(sizes(pages)).toEqual(['10x20', '30x40', '50x60']);
  expect(pages.map(({ bytes }) => sizes(tiffPages(bytes())))).toEqual([['10x20'], ['30x40'], ['50x60']]);
  expect(file.equals(before)).toBe(true);
});

test('pages that lead in circles end', () => {
  const file = toTiff([picture(10, 20), picture(30, 40)]);
  const second = file.readUInt32LE(file.readUInt32LE(4) + 2 + 9 * 12);
  file.writeUInt32LE(file.readUInt32LE(4), second + 2 + 9 * 12);
  expect(sizes(tiffPages(file))).toEqual(['10x20', '30x40']);
});

test('smaller copies of a page are none', () => {
  const file = toTiff([picture(10, 20), picture(30, 40)]);
  const first = file.readUInt32LE(4);
  // The tag "bits per sample" becomes "subfile type: reduced".
  file.writeUInt16LE(254, first + 2 + 2 * 12);
  file.writeUInt32LE(1, first + 2 + 2 * 12 + 8);
  expect(sizes(tiffPages(file))).toEqual(['30x40']);
});

test('damage ends the pages with RangeError or without, and never later in a page', () => {
  const file = toTiff([picture(4, 4), picture(4, 4)]);
  const change = fc.record({ at: fc.nat(file.length - 1), byte: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), fc.integer({ min: 8, max: file.length }), (changes, end) => {
      const bytes = Buffer.from(file.subarray(0, end));
      for (const { at, byte } of changes) if (at < end && at > 3) bytes[at] = byte;
      const pages: TiffPage[] = [];
      try {
        for (const page of tiffPages(bytes)) pages.push(page);
      } catch (error) {
        expect(error).toMatchObject({ name: 'RangeError' });
      }
      for (const page of pages) expect(page.bytes()).toHaveLength(end);
    }),
  );
});
