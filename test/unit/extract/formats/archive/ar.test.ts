import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import * as arExtractor from '../../../../../src/extract/formats/archive/ar-extractor.js';
import { extractInProcess } from '../../../../support/extract-in-process.js';
import { makeTar } from '../../../../support/make-archive.js';
import { expectNoSurprises } from '../../mutations.js';

function archive(...entries: readonly (readonly [name: string, content: string | Uint8Array])[]): Buffer {
  const parts = entries.flatMap(([name, content]) => {
    const bytes = Buffer.from(content);
    const header = `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`;
    return [Buffer.from(header), bytes, Buffer.alloc(bytes.length % 2, '\n')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}

const LONG = 'a-name-that-is-longer-than-sixteen-letters.txt';

describe('an ar archive', () => {
  test.each([
    ['of GNU', archive(['/', 'index'], ['//', `${LONG}/\n`], ['short.txt/', 'odd'], ['/0', 'some words'])],
    [
      'of BSD',
      archive(['__.SYMDEF', 'index'], ['short.txt', 'odd'], [`#1/${LONG.length + 2}`, `${LONG}\0\0some words`]),
    ],
  ])('%s gives its entries under their names, and no index', async (_kind, bytes) => {
    const { contentType, problem, text, members } = await extractInProcess('a.a', bytes);
    expect({ contentType, problem }).toEqual({ contentType: 'application/x-archive', problem: undefined });
    expect(members.map(({ name, from, to }) => [name, text.slice(from, to).trim()])).toEqual([
      ['short.txt', 'odd'],
      [LONG, 'some words'],
    ]);
  });

  test('that is a Debian package is read through all its levels', async () => {
    const data = gzipSync(makeTar([{ name: './usr/share/doc/readme.txt', content: 'What this package is for.' }]));
    const bytes = archive(['debian-binary', '2.0\n'], ['data.tar.gz', data]);
    const { contentType, text } = await extractInProcess('a.deb', bytes);
    expect(contentType).toBe('application/x-debian-package');
    expect(text).toContain('What this package is for.');
  });

  test('that is cut off says so and gives what is there', async () => {
    const bytes = archive(['a.txt', 'first'], ['b.txt', 'second']);
    const { problem, text } = await extractInProcess('a.a', bytes.subarray(0, bytes.length - 3));
    expect(problem).toMatchObject({ reason: 'corrupt', message: expect.stringContaining('[b.txt]') });
    expect(text).toContain('first');
  });

  test('ends with a sentence however it is damaged', async () => {
    const bytes = archive(['//', `${LONG}/\n`], ['/0', 'some words'], ['#1/4', 'nameand words']);
    await expectNoSurprises(arExtractor, 'application/x-archive', bytes);
  });
});
