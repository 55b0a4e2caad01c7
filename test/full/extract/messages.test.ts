import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Extraction, ExtractionOptions } from '../../../src/extract/extraction.js';
import { defaultLimits } from '../../../src/extract/limits.js';
import { answerBodies, answerHead } from '../../../src/extract/runtime/channel/answer-frames.js';
import { mostFactsBytes } from '../../../src/extract/runtime/channel/answer-limits.js';
import { checkedExtraction } from '../../../src/extract/runtime/channel/check-extraction.js';
import { bytesFrame, jsonFrame, textFrame } from '../../../src/extract/frames/frames.js';
import { processFrame, type ProcessMessage } from '../../../src/extract/runtime/channel/messages.js';
import { PoolMessageReader, poolMessageFrames } from '../../../src/extract/runtime/channel/pool-messages.js';
import { ProcessMessageReader } from '../../../src/extract/runtime/channel/process-message-reader.js';
import { plainOptions, requestFor } from '../../support/extraction-request.js';

const limits = { ...defaultLimits.document, outputCharacters: 1_000, sourceBytes: 300, parts: 3, depth: 2 };
const ready = bytesFrame(processFrame.ready, Buffer.alloc(0));
const allOptions: ExtractionOptions = { ...plainOptions, checksum: 'md5', includeSource: true };

const extraction: Extraction = {
  text: 'The text.',
  truncated: false,
  pages: [0, 4],
  contentType: 'text/plain',
  metadata: { 'dc:title': ['A title'] },
  language: 'en',
  checksum: 'd41d8cd98f00b204e9800998ecf8427e',
  source: 'QUJD',
  size: 9,
  members: [{ name: 'a.txt', contentType: 'text/plain', depth: 1, from: 0, to: 3, metadata: {} }],
  warnings: ['A warning.'],
  problem: { reason: 'corrupt', message: 'It is damaged.' },
};

function receive(pieces: readonly Uint8Array[]): ProcessMessage[] {
  const messages: ProcessMessage[] = [];
  new ProcessMessageReader(limits).read(Buffer.concat([...ready, ...pieces]), (message) => messages.push(message));
  return messages.slice(1);
}

/** Bodies and head of an answer, each of which may be something else. */
function answer({
  facts = extraction,
  text = extraction.text,
  head = { id: 7, elapsedMs: 1.5 },
  source,
}: {
  facts?: unknown;
  text?: string | Uint8Array;
  head?: unknown;
  source?: string;
}): Buffer {
  const body = typeof text === 'string' ? [textFrame(processFrame.text, text)] : bytesFrame(processFrame.text, text);
  return Buffer.concat([
    jsonFrame(processFrame.facts, facts),
    ...body,
    ...(source === undefined ? [] : [textFrame(processFrame.source, source)]),
    jsonFrame(processFrame.answer, head),
  ]);
}

/** What the pool makes of it. */
function extractionFrom(bytes: Uint8Array, options = allOptions): Extraction {
  const [message] = receive([bytes]);
  if (message?.kind !== 'answer' || !('extraction' in message.answer.result)) throw new Error('It is no extraction.');
  return checkedExtraction(message.answer.result.extraction, options, limits);
}

describe('an answer', () => {
  test('arrives as it was sent', () => {
    const sent = { id: 7, elapsedMs: 1.5, result: { extraction } };
    const bytes = Buffer.concat([...answerBodies(sent, limits), answerHead(sent, false)]);
    expect(extractionFrom(bytes)).toEqual(extraction);
  });

  test('with an error arrives as it was sent', () => {
    const sent = { id: 7, elapsedMs: 1, result: { error: { code: 'denied' as const, message: 'No.' } } };
    const pieces = [...answerBodies(sent, limits), answerHead(sent, true)];
    expect(receive(pieces)).toEqual([{ kind: 'answer', answer: sent, isLast: false }]);
  });

  test('keeps nothing that an extraction does not have', () => {
    const member = { ...extraction.members[0], more: 1 };
    const found = extractionFrom(answer({ facts: { ...extraction, members: [member], more: 1, text: 'other' } }));
    expect(found).toEqual({ ...extraction, source: undefined });
  });

  test('has metadata under names that objects have by themselves', () => {
    const facts = JSON.parse(
      JSON.stringify(extraction).replace('"dc:title"', '"__proto__":["one"],"constructor":["two"],"dc:title"'),
    ) as unknown;
    const { metadata } = extractionFrom(answer({ facts }));
    expect(Object.entries(metadata)).toEqual([
      ['__proto__', ['one']],
      ['constructor', ['two']],
      ['dc:title', ['A title']],
    ]);
    expect(Object.getPrototypeOf(metadata)).toBeNull();
    expect(({} as Record<string, unknown>)['one']).toBeUndefined();
  });

  test('has no half surrogate pairs', () => {
    const facts = { ...extraction, metadata: { 'k\udc00': ['v\ud800'] }, warnings: ['w\ud800\ud801'] };
    const found = extractionFrom(answer({ facts, text: 'The \ud800ext.' }));
    expect(found).toMatchObject({ text: 'The \ufffdext.', warnings: ['w\ufffd\ufffd'] });
    expect(Object.entries(found.metadata)).toEqual([['k\ufffd', ['v\ufffd']]]);
  });

  test('whose metadata would be too large for a frame loses those of its members', () => {
    const metadata = { comment: Array.from({ length: 400 }, () => 'x'.repeat(90_000)) };
    const members = extraction.members.map((member) => ({ ...member, metadata }));
    const sent = { id: 7, elapsedMs: 1, result: { extraction: { ...extraction, members } } };
    const [facts, ...rest] = answerBodies(sent, limits);
    expect(facts?.length).toBeLessThan(mostFactsBytes(limits));
    const found = extractionFrom(Buffer.concat([facts ?? ready[0], ...rest, answerHead(sent, false)]));
    expect(found.members).toEqual(extraction.members);
    expect(found.warnings).toEqual([
      'A warning.',
      'Metadata were dropped: there are more than an extraction may have.',
    ]);
  });
});

describe('an answer is refused', () => {
  const member = extraction.members[0];
  test.each<[string, unknown]>([
    ['facts that are null', null],
    ['facts that are a list', []],
    ['facts that are a string', 'extraction'],
    ['no metadata', { ...extraction, metadata: undefined }],
    ['metadata that are a list', { ...extraction, metadata: [] }],
    ['a value that is no list', { ...extraction, metadata: { a: 'b' } }],
    ['a value that is a number', { ...extraction, metadata: { a: [1] } }],
    ['a value that is too long', { ...extraction, metadata: { a: ['x'.repeat(100_001)] } }],
    ['too many values', { ...extraction, metadata: { a: Array(1_001).fill('x') } }],
    [
      'too many keys',
      { ...extraction, metadata: Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [index, ['x']])) },
    ],
    ['a type that is a number', { ...extraction, contentType: 1 }],
    ['a size that is no integer', { ...extraction, size: 1.5 }],
    ['a negative size', { ...extraction, size: -1 }],
    ['a size that is no number', { ...extraction, size: '9' }],
    ['truncated that is a string', { ...extraction, truncated: 'no' }],
    ['pages behind the text', { ...extraction, pages: [10] }],
    ['pages that go back', { ...extraction, pages: [4, 3] }],
    ['too many members', { ...extraction, members: Array(4).fill(member) }],
    ['members that are null', { ...extraction, members: [null] }],
    ['a member deeper than allowed', { ...extraction, members: [{ ...member, depth: 3 }] }],
    ['a member that ends before it begins', { ...extraction, members: [{ ...member, from: 3, to: 2 }] }],
    ['a member behind the text', { ...extraction, members: [{ ...member, to: 10 }] }],
    ['a member without metadata', { ...extraction, members: [{ ...member, metadata: null }] }],
    ['warnings that are objects', { ...extraction, warnings: [{}] }],
    ['too many warnings', { ...extraction, warnings: Array(101).fill('x') }],
    ['an unknown reason', { ...extraction, problem: { reason: 'because', message: 'x' } }],
    ['a reason that every object has', { ...extraction, problem: { reason: '__proto__', message: 'x' } }],
    ['a problem without a message', { ...extraction, problem: { reason: 'corrupt' } }],
    ['a language that is none', { ...extraction, language: '<script>' }],
    ['a checksum that is none', { ...extraction, checksum: 'g' }],
  ])('with %s', (_what, facts) => {
    expect(() => extractionFrom(answer({ facts }))).toThrow(expect.objectContaining({ code: 'corrupt' }));
  });

  test.each<[string, Buffer]>([
    ['text that is longer than wanted', answer({ text: 'x'.repeat(1_001) })],
    ['a source that is no base64', answer({ source: 'AB C' })],
    ['a source that is too long', answer({ source: 'A'.repeat(401) })],
    ['no text', Buffer.concat([jsonFrame(processFrame.facts, extraction), jsonFrame(processFrame.answer, { id: 7 })])],
    ['two texts', Buffer.concat([textFrame(processFrame.text, 'a'), answer({})])],
    ['nothing in front', jsonFrame(processFrame.answer, { id: 7, elapsedMs: 1 })],
    ['another message inside', Buffer.concat([textFrame(processFrame.text, 'a'), jsonFrame(processFrame.dropped, [])])],
    ['a head that is null', answer({ head: null })],
    ['an id that is a string', answer({ head: { id: '7', elapsedMs: 1 } })],
    ['a time that is negative', answer({ head: { id: 7, elapsedMs: -1 } })],
    ['a time that is missing', answer({ head: { id: 7 } })],
    ['an error as well', answer({ head: { id: 7, elapsedMs: 1, error: { code: 'denied', message: '' } } })],
    ['facts that are not JSON', Buffer.concat([textFrame(processFrame.facts, '{not json}'), answer({})])],
    ['facts that are empty', Buffer.concat([textFrame(processFrame.facts, ''), answer({})])],
    ['lists in lists without end', Buffer.concat([textFrame(processFrame.facts, '['.repeat(50_000)), answer({})])],
    ['more lists than documents have', answer({ facts: { ...extraction, metadata: Array(2_000_000).fill([]) } })],
  ])('with %s', (_what, bytes) => {
    expect(() => extractionFrom(bytes)).toThrow(expect.objectContaining({ code: 'corrupt' }));
  });

  test.each(['cancelled', 'usage', '__proto__', 'constructor', 1, null])('with the error code %s', (code) => {
    const head = jsonFrame(processFrame.answer, { id: 7, elapsedMs: 1, error: { code, message: 'x' } });
    expect(() => receive([head])).toThrow(expect.objectContaining({ code: 'corrupt' }));
  });

  test('with a source that nobody has asked for', () => {
    expect(() => extractionFrom(answer({ source: 'QUJD' }), plainOptions)).toThrow('source');
  });
});

test.each<[string, Buffer]>([
  ['ready twice', Buffer.concat(ready)],
  ['dropped without ids', jsonFrame(processFrame.dropped, {})],
  ['dropped with other things than ids', jsonFrame(processFrame.dropped, { ids: ['1'] })],
  ['recognition without an end', jsonFrame(processFrame.recognising, { atMostMs: null })],
  ['recognition that lasts for ever', jsonFrame(processFrame.recognising, { atMostMs: 2 ** 40 })],
  ['recognised with more', jsonFrame(processFrame.recognised, {})],
])('the message "%s" is refused', (_what, bytes) => {
  expect(() => receive([bytes])).toThrow(expect.objectContaining({ code: 'corrupt' }));
});

test('a process that does not begin with "ready" is refused', () => {
  const dropped = jsonFrame(processFrame.dropped, { ids: [] });
  expect(() => new ProcessMessageReader(limits).read(dropped, () => undefined)).toThrow('ready');
});

/** Frames of all kinds with something like JSON in them, answers with one wrong field, and any bytes. */
const randomFrame = fc
  .tuple(
    fc.oneof(fc.constantFrom(...Object.values(processFrame)), fc.nat({ max: 30 })),
    fc.oneof(fc.json(), fc.string(), fc.constantFrom('{"id":7,"elapsedMs":1}', '{"ids":[1]}', '{"atMostMs":5}', '')),
  )
  .map(([kind, text]) => textFrame(kind, text));
const almostAnswer = fc
  .tuple(fc.constantFrom(...Object.keys(extraction), 'other'), fc.jsonValue(), fc.string({ maxLength: 20 }))
  .map(([field, value, text]) => answer({ facts: { ...extraction, [field]: value }, text: extraction.text + text }));
const randomBytes = fc.oneof(
  { weight: 10, arbitrary: randomFrame },
  { weight: 20, arbitrary: almostAnswer },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)) },
);

test('10,000 random groups of frames give extractions that are whole, or are refused', () => {
  let accepted = 0;
  let refused = 0;
  fc.assert(
    fc.property(fc.array(randomBytes, { minLength: 1, maxLength: 6 }), (frames) => {
      try {
        for (const message of receive(frames)) {
          if (message.kind !== 'answer' || !('extraction' in message.answer.result)) continue;
          const { text, members } = checkedExtraction(message.answer.result.extraction, allOptions, limits);
          expect(members.every(({ to }) => to <= text.length)).toBe(true);
          accepted++;
        }
      } catch (error) {
        expect(error).toMatchObject({ code: 'corrupt' });
        refused++;
      }
    }),
    { numRuns: 10_000 },
  );
  expect([accepted > 0, refused > 0]).toEqual([true, true]);
});

describe('documents', () => {
  test('reach the process as they were sent, without what only the pool needs', () => {
    const path = Buffer.from([0x2f, 0x61, 0xff]);
    const requests = [
      { ...requestFor('a\ud800.txt', { path: '/a' }), place: '/a', size: 3 },
      requestFor('b', { path }, { maxCharacters: 5, passwords: ['one'], checksum: 'md5' }),
      requestFor('c', 'bytes of c'),
      requestFor('d', '', { ocr: { ...plainOptions.ocr, enabled: true } }),
    ];
    const documents = requests.map((request, id) => ({ id, request }));
    const received: unknown[] = [];
    const reader = new PoolMessageReader();
    for (const piece of poolMessageFrames({ kind: 'extract', documents })) {
      reader.read(Buffer.from(piece), (message) => received.push(message));
    }
    expect(received).toEqual([
      {
        kind: 'extract',
        documents: [
          { id: 0, request: requestFor('a\ud800.txt', { path: '/a' }) },
          ...documents.slice(1).map(({ id, request }) => ({ id, request })),
        ],
      },
    ]);
  });

  test('can be asked back, and pages be allowed', () => {
    const received: unknown[] = [];
    const messages = [
      { kind: 'drop', ids: [1, 2] },
      { kind: 'pages', atOnce: 3 },
    ] as const;
    const bytes = Buffer.concat(messages.flatMap(poolMessageFrames));
    new PoolMessageReader().read(bytes, (message) => received.push(message));
    expect(received).toEqual(messages);
  });
});
