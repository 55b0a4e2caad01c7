import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { openExtractor } from '../../../src/extract/open-extractor.js';
import { silentLogger } from '../../../src/base/logger.js';
import type { Extraction } from '../../../src/extract/extraction.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { requestFor } from '../../support/extraction-request.js';
import { makeTar, makeZip, pack } from '../../support/make-archive.js';
import { tempDir } from '../../support/temp-dir.js';

const configDir = tempDir();

/** One document under the settings of a job. */
async function extract(overrides: readonly string[], name: string, bytes: Uint8Array | string): Promise<Extraction> {
  const { settings } = loadSettings({ configDir, job: 'job', env: {}, overrides, fsJavaOpts: undefined });
  const extractor = await openExtractor(settings, silentLogger);
  try {
    return await extractor.extract(requestFor(name, bytes), new AbortController().signal);
  } finally {
    await extractor.close();
  }
}

const FIRST = 'the first words';
const twenty = Array.from({ length: 20 }, (_, index) => ({
  name: `${index}.txt`,
  content: index === 0 ? FIRST : `${index} `.repeat(20_000),
}));

function nested(levels: number): Buffer {
  let archive = makeZip([{ name: 'deepest.txt', content: 'deep down' }]);
  for (let level = 1; level < levels; level++) archive = makeZip([{ name: 'inner.zip', content: archive }]);
  return makeTar([
    { name: 'first.txt', content: FIRST },
    { name: 'inner.zip', content: archive },
  ]);
}

/** Words first, then so many PDFs that no machine reads them in the time. */
const invoice = pack({
  name: 'invoice.pdf',
  content: readFileSync('examples/documents/reports/2025/invoice-2025-117.pdf'),
});
const slow = makeZip([{ name: 'first.txt', content: FIRST }, ...Array.from({ length: 1_900 }, () => invoice)]);

describe('each limit is a setting, has its reason, and leaves what was found before', () => {
  test.each([
    ['members', 'extractor.limits.members=5', 'a.zip', makeZip(twenty), 'too_large', 'more than 5 parts'],
    ['depth', 'extractor.limits.depth=2', 'a.tar', nested(4), 'too_large', 'nested deeper than 2 levels'],
    ['unpacked', 'extractor.limits.unpacked=200kb', 'a.zip', makeZip(twenty), 'too_large', 'unpacks to more than'],
    [
      'ratio',
      'extractor.limits.ratio=2',
      'a.txt.gz',
      gzipSync(`${FIRST} ${'and more '.repeat(5_000_000)}`),
      'too_large',
      'unpacks to more than',
    ],
    ['text', 'extractor.limits.text=1kb', 'a.zip', makeZip(twenty), 'too_large', 'cut after 1024 characters'],
    ['time', 'extractor.limits.time=2s', 'a.zip', slow, 'timed_out', 'stopped after 1.8 s'],
  ])('%s', async (_limit, override, name, bytes, reason, sentence) => {
    const { problem, text } = await extract([override], name, bytes);
    expect(problem).toMatchObject({ reason, message: expect.stringContaining(sentence) });
    expect(text).toContain(FIRST);
  });

  test('memory', async () => {
    const { problem, text } = await extract(['extractor.limits.memory=160mb'], 'a.zip', makeZip(twenty.slice(0, 1)));
    expect({ problem, text: text.trim() }).toEqual({ problem: undefined, text: `0.txt\n${FIRST}` });
    const large = makeTar([{ name: 'first.txt', content: FIRST }, ...zeros(12)]);
    const grown = await extract(['extractor.limits.memory=160mb', 'extractor.limits.ratio=1000'], 'a.tar', large);
    expect(grown.problem).toMatchObject({ reason: 'too_large', message: expect.stringContaining('of memory') });
    expect(grown.text).toContain(FIRST);
  });
});

/** Compressed files that each unpack to 24 MB of text. */
function zeros(count: number): { name: string; content: Uint8Array }[] {
  const content = gzipSync(Buffer.alloc(24 * 1024 * 1024, 'some words again '));
  return Array.from({ length: count }, (_, index) => ({ name: `${index}.txt.gz`, content }));
}

test('without a word in the settings, ordinary documents meet no limit', async () => {
  const { problem, members } = await extract([], 'a.zip', makeZip(twenty));
  expect(problem).toBeUndefined();
  expect(members).toHaveLength(20);
});
