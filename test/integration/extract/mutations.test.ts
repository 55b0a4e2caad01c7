import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { defaultLimits } from '../../../src/extract/limits.js';
import { ExtractionPool } from '../../../src/extract/pool/extraction-pool.js';
import { requestFor } from '../../support/extraction-request.js';
import { sampleDocuments } from '../../support/sample-documents.js';

/**
 * Damaged forms of every sample document go through the real processes, the same ones each time. More of them, or others:
 * `CRAWLER_FUZZ_RUNS=200 CRAWLER_FUZZ_SEED=7 npm run jest -- test/integration/extract/mutations`.
 */
const RUNS = Number(process.env['CRAWLER_FUZZ_RUNS'] ?? 12);
const SEED = Number(process.env['CRAWLER_FUZZ_SEED'] ?? 1);
const DOCUMENT_MS = 20_000;
/** Larger documents only make the test longer. */
const MOST_BYTES = 1024 * 1024;

const pool = new ExtractionPool({
  size: 2,
  logger: silentLogger,
  limits: {
    document: { ...defaultLimits.document, timeMs: DOCUMENT_MS },
    worker: { ...defaultLimits.worker, documentMs: DOCUMENT_MS + 5_000 },
  },
});
afterAll(() => pool.close());

const documents = sampleDocuments().filter((path) => readFileSync(path).length <= MOST_BYTES);

test.each(documents)('%s, damaged, always comes back, and takes no process along', async (path) => {
  const original = readFileSync(path);
  const random = randomNumbers(SEED + original.length);
  const outcomes = await Promise.all(
    Array.from({ length: RUNS }, async (_, run) => {
      const request = requestFor(basename(path), mutated(original, random), { passwords: ['secret', 'geheim'] });
      const { problem } = await pool.extract(request, new AbortController().signal);
      return { run, reason: problem?.reason };
    }),
  );
  expect(outcomes).toHaveLength(RUNS);
  expect(outcomes.filter(({ reason }) => reason === 'crashed' || reason === 'internal')).toEqual([]);
  expect(outcomes.filter(({ reason }) => reason === 'timed_out')).toEqual([]);
});

/** Some bytes changed, a piece doubled, cut out or moved to where it does not belong, the end cut off. */
function mutated(original: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(original);
  const place = (): number => Math.floor(random() ** 2 * bytes.length);
  const length = (): number => Math.floor(random() * Math.min(2_000, bytes.length));
  for (let count = 1 + Math.floor(random() * 12); count > 0; count--)
    bytes[place()] = ODD[Math.floor(random() * ODD.length)] ?? 0;
  const [at, size, to] = [place(), length(), place()];
  const piece = bytes.subarray(at, at + size);
  const deed = random();
  if (deed < 0.2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
  else if (deed < 0.4) bytes = Buffer.concat([bytes.subarray(0, to), piece, bytes.subarray(to)]);
  else if (deed < 0.6) bytes = bytes.subarray(0, Math.max(1, place()));
  return bytes;
}

const ODD = [0, 1, 0x20, 0x3c, 0x7f, 0x80, 0xfe, 0xff];

/** The same numbers below 1 for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
