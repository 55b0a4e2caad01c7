import fc from 'fast-check';
import { expect } from '@jest/globals';
import type { FormatExtractor } from '../../../src/extract/format.js';
import { runFormat, type FormatRunOptions } from '../../support/format-harness.js';

interface Mutation {
  readonly at: number;
  readonly byte: number;
}

/**
 * Runs a format on damaged forms of a document: bytes changed, mostly near the start where the structure is, and the end cut
 * off. It may succeed or end with a CrawlerError; anything else, or no end within the time limit of the test, is a fault.
 */
export async function expectNoSurprises(
  extractor: FormatExtractor,
  mediaType: string,
  document: Buffer,
  numRuns = 200,
  options: FormatRunOptions = {},
): Promise<void> {
  const at = fc.oneof(fc.nat(Math.min(document.length - 1, 600)), fc.nat(document.length - 1));
  const byte = fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255));
  const mutation: fc.Arbitrary<Mutation> = fc.record({ at, byte });
  const length = fc.oneof({ arbitrary: fc.constant(document.length), weight: 3 }, fc.nat(document.length));
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { maxLength: 8 }), length, async (mutations, end) => {
      const bytes = Buffer.from(document);
      for (const change of mutations) bytes[change.at] = change.byte;
      const input = { name: 'damaged', mediaType, bytes: new Uint8Array(bytes.subarray(0, end)) };
      const failure = await runFormat(extractor, input, options).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure !== undefined) expect(failure).toMatchObject({ name: 'CrawlerError' });
    }),
    { numRuns },
  );
}
