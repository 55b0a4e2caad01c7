import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import type { Extraction } from '../../../src/extract/extraction.js';
import { defaultLimits } from '../../../src/extract/limits.js';
import { ExtractionPool } from '../../../src/extract/runtime/pool/extraction-pool.js';
import { requestFor } from '../../support/extraction-request.js';
import { tempDir } from '../../support/temp-dir.js';

/**
 * The real sandbox with a format that writes for a while, hands over a part, and then does what the document's name says.
 */
const PROGRAM = `
import { exitWithParent } from 'SANDBOX/exit-with-parent.js';
import { extractDocument } from 'SANDBOX/extract-document.js';
import { serve } from 'SANDBOX/serve.js';

exitWithParent();
const limits = JSON.parse(process.argv[2]);
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const deeds = {
  hang: () => { for (;;); },
  crash: () => process.abort(),
  heap: () => { const all = []; for (;;) all.push(new Array(10_000).fill(all.length)); },
  strings: () => 'x'.repeat(2 ** 28).split(''),
  buffers: () => { const all = []; for (let i = 0; i < 384; i++) { all.push(Buffer.alloc(8 * 1024 * 1024, 1)); pause(2); } },
  goOn: (context) => { for (;;) { context.write('more '); pause(1); } },
  grow: (context) => { const all = []; for (;;) { all.push(Buffer.alloc(4 * 1024 * 1024, 1)); context.write('more '); pause(10); } },
};

const format = {
  async extract({ name, bytes }, context) {
    if (name === 'part.txt') { context.write('the words of the part'); return; }
    context.meta('dc:title', 'The title');
    context.warn('A warning.');
    await context.embedded({ name: 'part.txt', bytes });
    for (let line = 0; line < 60; line++) { context.write('line ' + line + '\\n'); pause(5); }
    deeds[name.replace('.txt', '')](context);
  },
};
const entry = { name: 'made-up', needs: 'whole', load: () => Promise.resolve(format) };

serve((request, parts) => extractDocument(request, { limits, findFormat: () => entry, ...parts }), limits);
`;

const MIB = 1024 * 1024;
const folder = tempDir();
const sandboxModule = join(folder, 'sandbox.mjs');
let pool: ExtractionPool;

beforeAll(() => {
  const sandbox = pathToFileURL(resolve(process.env['PROGRAM_DIST'] ?? 'dist', 'extract/runtime/sandbox')).href;
  writeFileSync(sandboxModule, PROGRAM.replaceAll('SANDBOX', sandbox));
  pool = new ExtractionPool({
    size: 2,
    logger: silentLogger,
    sandboxModule,
    limits: {
      document: { ...defaultLimits.document, timeMs: 3_000, memoryBytes: 300 * MIB },
      worker: { ...defaultLimits.worker, documentMs: 5_000, memoryBytes: 400 * MIB, heapMib: 128 },
    },
  });
});
afterAll(() => pool.close());

function extract(deed: string): Promise<Extraction> {
  return pool.extract(requestFor(`${deed}.txt`, 'some text'), new AbortController().signal);
}

function expectWhatWasFound({ text, members, metadata, warnings, contentType }: Extraction): void {
  expect(text).toContain('the words of the part');
  expect(text).toContain('line 1\n');
  expect(members.map(({ name, from, to }) => [name, text.slice(from, to)])).toEqual([
    ['part.txt', 'the words of the part'],
  ]);
  expect(metadata['dc:title']).toEqual(['The title']);
  expect(metadata['resourceName']).toHaveLength(1);
  expect(warnings).toContain('A warning.');
  expect(contentType).toContain('text/plain');
}

describe('a document whose process does not survive it comes back with what it had given', () => {
  test.each([
    ['hang', 'timed_out'],
    ['crash', 'crashed'],
    ['heap', 'too_large'],
    ['strings', 'too_large'],
    ['buffers', 'too_large'],
  ])('%s: %s', async (deed, reason) => {
    const extraction = await extract(deed);
    expect(extraction.problem?.reason).toBe(reason);
    expectWhatWasFound(extraction);
  });
});

describe('a document that uses up what it may take, and comes by, keeps its process', () => {
  test.each([
    ['goOn', 'timed_out', 'after 3 s'],
    ['grow', 'too_large', '300 MB of memory'],
  ])('%s: %s', async (deed, reason, sentence) => {
    const extraction = await extract(deed);
    expect(extraction.problem).toMatchObject({ reason, message: expect.stringContaining(sentence) });
    expectWhatWasFound(extraction);
    expect(extraction.text).toContain('line 59\nmore more');
  });
});

test('a document that comes after has nothing of the one before', async () => {
  await extract('goOn');
  const quick = await pool.extract(requestFor('quick.txt', ''), new AbortController().signal);
  expect(quick).toMatchObject({ text: '', members: [], warnings: [] });
});
