import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import type { Extraction } from '../../../src/extract/extraction.js';
import { ExtractionPool } from '../../../src/extract/pool/extraction-pool.js';
import { requestFor } from '../../support/extraction-request.js';

/**
 * Real documents of all formats with what Tika makes of them, compared by words. They lie beside the project and are no
 * part of it: without them there is nothing to compare.
 */
const folder = resolve('..', 'shared', 'documents');
const isHere = existsSync(join(folder, 'golden.jsonl'));

interface Golden {
  readonly file: string;
  readonly contentType: string;
  readonly text: string;
  readonly password?: string;
}

const golden: Golden[] = isHere
  ? readFileSync(join(folder, 'golden.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Golden)
  : [];

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu;

function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
}

/** How many words two texts have in common, counted as often as they occur in both. */
function common(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of one) counts.set(word, (counts.get(word) ?? 0) + 1);
  return other.filter((word) => {
    const count = counts.get(word) ?? 0;
    counts.set(word, count - 1);
    return count > 0;
  }).length;
}

if (!isHere) {
  test('documents beside the project are compared where there are any', () => {
    expect(golden).toEqual([]);
  });
} else {
  describe('documents beside the project', () => {
    const pool = new ExtractionPool({ size: 2, logger: silentLogger });
    const extractions = new Map<string, Extraction>();

    beforeAll(async () => {
      const signal = new AbortController().signal;
      await Promise.all(
        golden.map(async ({ file }) => {
          extractions.set(file, await pool.extract(requestFor(file, { path: join(folder, file) }), signal));
        }),
      );
    });

    afterAll(() => pool.close());

    test.each(golden.map(({ file, contentType }) => ({ file, contentType })))(
      '$file is $contentType',
      ({ file, contentType }) => {
        expect(extractions.get(file)?.contentType).toBe(contentType);
      },
    );

    test.each(golden.map(({ file, password }) => ({ file, reason: password === undefined ? undefined : 'encrypted' })))(
      '$file has no problem but the one that it must have',
      ({ file, reason }) => {
        expect(extractions.get(file)?.problem?.reason).toBe(reason);
      },
    );

    test('the text has the words that Tika finds, and few others', () => {
      const scores = golden
        .map(({ file, text }) => ({
          theirs: wordsOf(text),
          ours: wordsOf((extractions.get(file)?.text ?? '').slice(0, 20_000)),
        }))
        .filter(({ theirs }) => theirs.length > 0)
        .map(({ theirs, ours }) => {
          const both = common(theirs, ours);
          return { recall: both / theirs.length, precision: ours.length === 0 ? 0 : both / ours.length };
        });
      expect(mean(scores.map(({ recall }) => recall))).toBeGreaterThan(0.97);
      expect(mean(scores.map(({ precision }) => precision))).toBeGreaterThan(0.93);
      expect(scores.filter(({ recall }) => recall >= 0.95).length / scores.length).toBeGreaterThan(0.9);
    });
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
