import { describe, expect, test } from '@jest/globals';
import { RecognitionTime } from '../../../../../src/extract/runtime/pool/recognition-time.js';

describe('the time for recognition', () => {
  test('is that of all pages of the document, and continues while one is read', () => {
    const time = new RecognitionTime();
    time.begin(100, 10_000);
    time.end(150);
    time.begin(200, 10_000);
    expect([time.totalMs(200), time.totalMs(260)]).toEqual([50, 110]);
  });

  test('counts once for pages that are read side by side', () => {
    const time = new RecognitionTime();
    time.begin(0, 10_000);
    time.begin(10, 10_000);
    time.end(30);
    time.end(50);
    expect(time.totalMs(1_000)).toBe(50);
  });

  test('is no more than a page has asked for, and a moment, when its end is never told', () => {
    const time = new RecognitionTime();
    time.begin(0, 1_000);
    expect(time.totalMs(60_000)).toBe(3_000);
    time.end(60_000);
    expect(time.totalMs(70_000)).toBe(3_000);
  });

  test('begins anew with the next document, whatever the last one has left', () => {
    const time = new RecognitionTime();
    time.begin(0, 1_000);
    expect(time.hasBegun).toBe(true);
    time.reset();
    time.end(500);
    expect([time.hasBegun, time.totalMs(600)]).toEqual([false, 0]);
  });
});
