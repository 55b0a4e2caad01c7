import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { silentLogger, type LogFields } from '../../../src/base/logger.js';
import { defaultLimits } from '../../../src/extract/limits.js';
import { ExtractionPool } from '../../../src/extract/runtime/pool/extraction-pool.js';
import { MOST_PARTIAL_BYTES } from '../../../src/extract/runtime/channel/answer-limits.js';
import { bytesFrame, jsonFrame, textFrame } from '../../../src/extract/frames/frames.js';
import { processFrame } from '../../../src/extract/runtime/channel/messages.js';
import { requestFor } from '../../support/extraction-request.js';
import { MisbehavingSandbox } from '../../support/misbehaving-sandbox.js';
import { tempDir } from '../../support/temp-dir.js';

/** Processes that a document has taken over: whatever they send, the pool's process lives, and so do the other documents. */
const never = new AbortController().signal;
const root = tempDir();
let sandbox: MisbehavingSandbox;
let pool: ExtractionPool;

beforeEach(() => {
  sandbox = new MisbehavingSandbox(mkdtempSync(join(root, 'sandbox-')));
  pool = poolOf(2_000);
});

afterEach(() => pool.close());

function poolOf(documentMs: number, logger = silentLogger): ExtractionPool {
  const limits = { ...defaultLimits, worker: { ...defaultLimits.worker, documentMs } };
  return new ExtractionPool({ size: 2, logger, limits, sandboxModule: sandbox.module });
}

/** Extracts one document that misbehaves, among others. */
async function amongOthers(name: string): Promise<(string | undefined)[]> {
  const all = ['before 1', 'before 2', name, 'behind 1', 'behind 2', 'behind 3'];
  const results = await Promise.all(
    all.map((each) => pool.extract(requestFor(each, '', { maxCharacters: 100 }), never)),
  );
  return results.map(({ problem, text }) => problem?.reason ?? text);
}

function others(reason: string): string[] {
  return ['before 1', 'before 2', reason, 'behind 1', 'behind 2', 'behind 3'];
}

function encoded(...pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('base64');
}

function header(kind: number, length: number): Buffer {
  const [bytes] = bytesFrame(kind, Buffer.alloc(0));
  bytes.writeUInt32LE(length, 4);
  return bytes;
}

const facts = { truncated: false, metadata: {}, size: 0, members: [], warnings: [], contentType: 'text/plain' };

const CANCELLED = { id: 2, elapsedMs: 1, error: { code: 'cancelled', message: 'It was cancelled.' } };

function answer(id: number, text = 'forged'): Buffer {
  return Buffer.concat([
    jsonFrame(processFrame.facts, facts),
    textFrame(processFrame.text, text),
    jsonFrame(processFrame.answer, { id, elapsedMs: 1 }),
  ]);
}

/** The message with which a process ends its parent through Node's own channel. */
const NODE_ACKNOWLEDGEMENT = Buffer.from('{"cmd":"NODE_HANDLE_ACK"}\n');

describe('a document costs only itself when its process', () => {
  test.each<[string, string]>([
    ['sends garbage', encoded(Buffer.from('twelve bytes and more'))],
    ['speaks as Node does with its children', encoded(NODE_ACKNOWLEDGEMENT)],
    ['sends an unknown kind of frame', encoded(header(99, 0))],
    ['announces 4 GB of text', encoded(header(processFrame.text, 0xffff_ffff))],
    ['sends an answer that is null', encoded(jsonFrame(processFrame.answer, null))],
    ['answers without an extraction', encoded(jsonFrame(processFrame.answer, { id: 2, elapsedMs: 1 }))],
    ['answers for a document that it does not have', encoded(answer(1_000_000))],
    ['answers for documents that wait behind it', encoded(answer(3), answer(4), answer(5))],
    ['answers before it is asked, and again', encoded(answer(0), answer(0))],
    ['sends more text than was asked for', encoded(answer(2, 'x'.repeat(101)))],
    ['says it is ready again', encoded(header(processFrame.ready, 0))],
    ['drops what nobody has asked back', encoded(jsonFrame(processFrame.dropped, { ids: [3, 4, 5] }))],
    ['recognises pages that nobody wants', encoded(jsonFrame(processFrame.recognising, { atMostMs: 1e9 }))],
    ['answers with an error that ends a crawl', encoded(jsonFrame(processFrame.answer, CANCELLED))],
  ])('%s', async (_what, bytes) => {
    expect(await amongOthers(`send:${bytes}`)).toEqual(others('crashed'));
  });

  test.each<[string, string]>([
    ['announces a body that never comes', encoded(header(processFrame.text, 1_000_000))],
    ['sends half a header', encoded(Buffer.from([2, 0, 0]))],
    ['sends nothing', ''],
  ])('%s', async (_what, bytes) => {
    expect(await amongOthers(`send:${bytes}`)).toEqual(others('timed_out'));
  });

  test('writes into everything that is open', async () => {
    expect(await amongOthers(`sendToAll:${encoded(NODE_ACKNOWLEDGEMENT)}`)).toEqual(others('crashed'));
  });

  test('floods its output', async () => {
    const lines: unknown[] = [];
    const debug = (_message: string, fields?: LogFields): void => void lines.push(fields?.['line']);
    await pool.close();
    pool = poolOf(30_000, { ...silentLogger, debug });
    expect(await amongOthers('flood:64')).toEqual(others('flood:64'));
    expect(lines.length).toBeLessThanOrEqual(1_000);
  });

  test('sends random frames', async () => {
    const kinds = fc.constantFrom(...Object.values(processFrame), 99);
    const frames = fc.array(fc.tuple(kinds, fc.oneof(fc.json(), fc.string())), { minLength: 3, maxLength: 3 });
    const samples = fc.sample(frames, 25);
    const names = samples.map((all) => `send:${encoded(...all.map(([kind, text]) => textFrame(kind, text)))}`);
    const results = await Promise.all(
      [...names, 'whole'].map(async (name) => (await pool.extract(requestFor(name), never)).problem?.reason),
    );
    expect(results.pop()).toBeUndefined();
    // By chance they are the valid beginning of an answer that then never ends.
    for (const reason of results) expect(['crashed', 'timed_out']).toContain(reason);
  });
});

describe('what a process has sent as a partial result', () => {
  const text = textFrame(processFrame.text, 'half of the text');
  const end = header(processFrame.partial, 0);

  async function leftBy(name: string): Promise<unknown> {
    const { text: found, problem, members, metadata } = await pool.extract(requestFor(name), never);
    expect(problem?.reason).toBe('crashed');
    return { text: found, members, title: metadata['dc:title'] };
  }

  const nothing = { text: '', members: [], title: undefined };

  test('is kept when it is a partial result', async () => {
    const left = encoded(jsonFrame(processFrame.facts, { ...facts, metadata: { 'dc:title': ['T'] } }), text, end);
    expect(await leftBy(`leave:${left}`)).toEqual({ text: 'half of the text', members: [], title: ['T'] });
  });

  test('is kept as far as it is a partial result', async () => {
    const left = encoded(
      jsonFrame(processFrame.facts, facts),
      text,
      end,
      jsonFrame(processFrame.facts, null),
      text,
      end,
    );
    expect(await leftBy(`leave:${left}`)).toEqual({ ...nothing, text: 'half of the text' });
  });

  test.each<[string, string]>([
    ['no frames', encoded(Buffer.from('{not json}\n'))],
    ['text alone', encoded(text, end)],
    ['facts alone', encoded(jsonFrame(processFrame.facts, facts), end)],
    ['not complete', encoded(jsonFrame(processFrame.facts, facts), text)],
    ['facts that are null', encoded(jsonFrame(processFrame.facts, null), text, end)],
    [
      'members behind the text',
      encoded(jsonFrame(processFrame.facts, { ...facts, members: [{ from: 99 }] }), text, end),
    ],
    ['a frame of 4 GB', encoded(header(processFrame.text, 0xffff_ffff))],
  ])('is left out when it is %s', async (_what, left) => {
    expect(await leftBy(`leave:${left}`)).toEqual(nothing);
  });

  test('is left out when it is larger than any', async () => {
    await pool.close();
    pool = poolOf(60_000);
    const part = Buffer.concat([
      jsonFrame(processFrame.facts, facts),
      textFrame(processFrame.text, 'x'.repeat(2e6)),
      end,
    ]);
    const { text: found, problem } = await pool.extract(requestFor(`leaveMany:40:${encoded(part)}`), never);
    expect(problem?.message).toContain('a partial result is out of place');
    expect(found.length).toBeLessThanOrEqual(MOST_PARTIAL_BYTES);
  });
});
