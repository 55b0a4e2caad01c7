import { describe, expect, test } from '@jest/globals';
import { remainingMs, type ForecastInput } from '../../../src/operations/monitor/forecast.js';

const TEXT = 'text/plain';
const PDF = 'application/pdf';

/** Text files take a millisecond, PDFs a second; two are extracted at a time. */
const usual: ForecastInput = {
  left: [],
  times: [
    { kind: TEXT, documents: 100, bytes: 100_000, ms: 100 },
    { kind: PDF, documents: 10, bytes: 10_000_000, ms: 10_000 },
  ],
  current: [],
  concurrency: 2,
  overheadMs: 0,
};

describe('what is left of a run takes', () => {
  test('what each kind took, however many files of another kind are done', () => {
    const left = [
      { kind: TEXT, files: 2, bytes: 2_000 },
      { kind: PDF, files: 60, bytes: 60_000_000 },
    ];
    expect(remainingMs({ ...usual, left })).toBeCloseTo(30_001);
  });

  test('longer for larger files, by half', () => {
    const left = [{ kind: PDF, files: 10, bytes: 30_000_000 }];
    expect(remainingMs({ ...usual, left })).toBe(10_000);
  });

  test('what files cost beside their extraction as well', () => {
    const left = [{ kind: TEXT, files: 1000, bytes: 1_000_000 }];
    expect(remainingMs({ ...usual, left, overheadMs: 3 })).toBe(3_500);
  });

  test('as long again for a document in hand that is slower than its kind', () => {
    const left = [{ kind: PDF, files: 1, bytes: 1_000_000 }];
    const current = [{ document: '/docs/scan.pdf', elapsedMs: 90_000 }];
    expect(remainingMs({ ...usual, left, current })).toBe(90_000);
  });

  test('what its pages take, where they are known', () => {
    const left = [{ kind: PDF, files: 1, bytes: 1_000_000 }];
    const current = [{ document: '/docs/scan.pdf', elapsedMs: 20_000, page: 11, pages: 80 }];
    expect(remainingMs({ ...usual, left, current })).toBe(140_000);
  });

  test('less for a document in hand that has only begun', () => {
    const left = [{ kind: PDF, files: 3, bytes: 3_000_000 }];
    const current = [{ document: '/docs/a.pdf', elapsedMs: 400 }];
    expect(remainingMs({ ...usual, left, current })).toBe(1_300);
  });

  test('what the pages of a document in hand tell, where none of its kind is done yet', () => {
    const left = [{ kind: 'application/pdf', files: 3, bytes: 3_000_000 }];
    const current = [{ document: '/docs/scan.pdf', elapsedMs: 20_000, page: 41, pages: 80 }];
    const times = usual.times.filter(({ kind }) => kind === TEXT);
    expect(remainingMs({ ...usual, times, left, current })).toBe(50_000);
  });

  test('nobody knows how long while most of it is of kinds that were not seen yet', () => {
    const left = [
      { kind: TEXT, files: 100, bytes: 100_000 },
      { kind: 'image/tiff', files: 100, bytes: 100_000_000 },
    ];
    expect(remainingMs({ ...usual, left })).toBeUndefined();
  });

  test('nobody knows how long before anything was extracted', () => {
    expect(remainingMs({ ...usual, times: [], left: [{ kind: TEXT, files: 1, bytes: 1 }] })).toBeUndefined();
  });

  test('the sum of what two extractors took for the same kind', () => {
    const times = [...usual.times, { kind: TEXT, documents: 100, bytes: 100_000, ms: 300 }];
    expect(remainingMs({ ...usual, times, left: [{ kind: TEXT, files: 10, bytes: 10_000 }] })).toBe(10);
  });
});
