import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { defaultLimits } from '../../../src/extract/limits.js';
import { ExtractionPool } from '../../../src/extract/runtime/pool/extraction-pool.js';
import { SharedExtraction } from '../../../src/extract/shared-extraction.js';
import { SmallTexts } from '../../../src/extract/small-texts.js';
import { TextsAtOnce } from '../../../src/extract/texts-at-once.js';
import { requestFor } from '../../support/extraction-request.js';
import { tempDir } from '../../support/temp-dir.js';

const folder = tempDir();
const { signal } = new AbortController();
let pool: ExtractionPool;
let shared: SharedExtraction;
let texts: TextsAtOnce;
beforeEach(() => {
  pool = new ExtractionPool({ size: 1, logger: silentLogger });
  shared = new SharedExtraction(pool);
  texts = new TextsAtOnce(shared, () => Promise.resolve(new SmallTexts(defaultLimits.document)));
});
afterEach(() => shared.close());

/** Documents that went to a process. */
function inProcesses(): number {
  return (pool.activity().kinds ?? []).reduce((sum, { documents }) => sum + documents, 0);
}

test('a small text in memory goes to no process, and is what one makes of it', async () => {
  const request = requestFor('note.txt', 'The keeper lit the lamp.\n', { checksum: 'sha256' });
  const extraction = await texts.extract(request, signal);
  expect(inProcesses()).toBe(0);
  expect(extraction).toEqual(await pool.extract(request, signal));
});

test('its time counts for forecasts as one of a process does', async () => {
  await texts.extract(requestFor('note.txt', 'The keeper'), signal);
  expect(shared.activity().kinds).toEqual([
    { kind: 'text/plain', documents: 1, bytes: 10, ms: expect.any(Number) as unknown },
  ]);
});

test.each<[string, () => ReturnType<typeof requestFor>]>([
  ['markup', () => requestFor('page.txt', '<p>The keeper</p>')],
  ['what is larger', () => requestFor('long.txt', 'keeper '.repeat(10_000))],
  [
    'a file, which the crawl would have read itself',
    () => {
      const path = join(folder, 'file.txt');
      writeFileSync(path, 'The keeper');
      return requestFor('file.txt', { path });
    },
  ],
])('for a process is %s', async (_what, request) => {
  expect((await texts.extract(request(), signal)).text).toContain('keeper');
  expect(inProcesses()).toBe(1);
});

test('a text that comes when its answer is not wanted any more is cancelled as elsewhere', async () => {
  await expect(texts.extract(requestFor('note.txt', 'keeper'), AbortSignal.abort())).rejects.toMatchObject({
    code: 'cancelled',
  });
});
