import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../../../src/base/logger.js';
import type { Extraction } from '../../../../../src/extract/extraction.js';
import { defaultLimits } from '../../../../../src/extract/limits.js';
import { ExtractionPool } from '../../../../../src/extract/runtime/pool/extraction-pool.js';
import { requestFor } from '../../../../support/extraction-request.js';
import { makeTar, makeZip, pack } from '../../../../support/make-archive.js';

const MIB = 1024 * 1024;
/** 100 MB of zeros in 113 bytes. */
const BZIP2_BOMB =
  'QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1nEYApVAD7RQALAAAABAAAggADDMCapppUiDaipEHi7kinChIcCoiS4=';

const zeros = pack({ name: 'zeros', content: Buffer.alloc(64 * MIB) });
const flat = makeZip(Array.from({ length: 40 }, (_, index) => ({ ...zeros, name: `${index}.bin` })));

/** A process that dies from too little memory would say so: the bombs are to be stopped before that. */
const pool = new ExtractionPool({
  size: 1,
  logger: silentLogger,
  limits: { ...defaultLimits, worker: { ...defaultLimits.worker, memoryBytes: 450 * MIB } },
});

afterAll(() => pool.close());

function extract(name: string, bytes: Uint8Array): Promise<Extraction> {
  return pool.extract(requestFor(name, bytes), new AbortController().signal);
}

function nest(levels: number, innermost: Buffer): Buffer {
  let archive = innermost;
  for (let level = 0; level < levels; level++) archive = makeZip([{ name: `level-${level}.zip`, content: archive }]);
  return archive;
}

/** Three levels of sixteen archives each, and a megabyte in every leaf: four gigabytes in two kilobytes. */
function spread(): Buffer {
  let archive = makeZip([pack({ name: 'leaf.bin', content: Buffer.alloc(MIB) })]);
  for (let level = 0; level < 3; level++) {
    const copy = pack({ name: 'copy.zip', content: archive });
    archive = makeZip(Array.from({ length: 16 }, (_, index) => ({ ...copy, name: `${index}.zip` })));
  }
  return archive;
}

describe('bombs end as too large, early and with little memory', () => {
  test.each([
    ['a zip of 40 times 64 MB', 'flat.zip', flat],
    ['a zip that says its entries are small', 'lying.zip', makeZip([{ ...zeros, name: 'a.txt', size: 10 }])],
    ['a zip in a zip in a zip, and so on', 'deep.zip', nest(30, makeZip([{ name: 'a.txt', content: 'x' }]))],
    ['zips that each hold sixteen zips', 'spread.zip', spread()],
    ['a bomb inside a tar', 'flat.tar', makeTar([{ name: 'flat.zip', content: flat }])],
    ['64 MB of zeros in a gzip', 'zeros.gz', gzipSync(Buffer.alloc(64 * MIB))],
    ['100 MB of zeros in a bzip2', 'zeros.bz2', Buffer.from(BZIP2_BOMB, 'base64')],
    [
      'a zip of 3,000 files',
      'many.zip',
      makeZip(Array.from({ length: 3_000 }, (_, index) => ({ name: `${index}.txt`, content: 'x' }))),
    ],
  ])('%s', async (_what, name, bytes) => {
    const { problem } = await extract(name, bytes);
    expect(problem?.reason).toBe('too_large');
    expect(problem?.message).toMatch(/unpacks to more than|nested deeper than|has more than 2000 parts/);
  });
});

test('a log that shrinks well is no bomb', async () => {
  const line = (index: number): string => `2026-01-02T03:04:05Z GET /path/to/page-${index % 97}.html 200 ${index}\n`;
  const log = Array.from({ length: 40_000 }, (_, index) => line(index)).join('');
  const extraction = await extract('access.log.gz', gzipSync(log));
  expect(extraction.problem).toBeUndefined();
  expect(extraction.text).toContain('page-96.html 200 39963');
});
