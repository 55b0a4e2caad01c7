import type { ErrorCode } from '../../../base/errors.js';
import type { DocumentLimits } from '../../limits.js';
import type { RecognisedPage } from '../../recognised-page.js';
import { MOST_HEAD_BYTES, mostBase64Characters, mostFactsBytes, mostTextBytes } from './answer-limits.js';
import {
  checkedInteger,
  checkedKey,
  checkedList,
  checkedNumber,
  checkedObject,
  checkedString,
  invalid,
  parsedObject,
} from './checked.js';
import { FrameReader, type Frame } from '../../frames/frames.js';
import {
  processFrame,
  type AnswerError,
  type ExtractionBytes,
  type PartialBytes,
  type ProcessMessage,
  type ReceivedAnswer,
} from './messages.js';

type BodyName = keyof ExtractionBytes;

const LARGEST_ID = Number.MAX_SAFE_INTEGER;
/** The longest timer that Node supports. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** More than any document has. */
const MOST_PAGES = 2 ** 31;
/** More than the pool ever sends to one process. */
const MOST_DROPPED = 1_000;

/** Why a document could not be opened. Other codes would be taken for errors of the program or of its user. */
const OPEN_ERRORS = {
  not_found: true,
  denied: true,
  unavailable: true,
  corrupt: true,
  encrypted: true,
  unsupported: true,
  too_large: true,
  timed_out: true,
  internal: true,
} as const satisfies Partial<Record<ErrorCode, true>>;

/** Decodes and checks the messages of one process. The first invalid message is an error; nothing is skipped. */
export class ProcessMessageReader {
  readonly #frames: FrameReader;
  #isReady = false;
  /** The bodies of the answer whose head must follow. */
  #bodies: Partial<Record<BodyName, Buffer>> | undefined;

  constructor(limits: DocumentLimits) {
    const longest = new Map<number, number>([
      [processFrame.ready, 0],
      [processFrame.answer, MOST_HEAD_BYTES],
      [processFrame.dropped, MOST_HEAD_BYTES],
      [processFrame.recognising, MOST_HEAD_BYTES],
      [processFrame.recognised, 0],
      [processFrame.partial, 0],
      [processFrame.facts, mostFactsBytes(limits)],
      [processFrame.text, mostTextBytes(limits)],
      [processFrame.source, mostBase64Characters(limits)],
    ]);
    this.#frames = new FrameReader((kind) => longest.get(kind));
  }

  /**
   * Passes on, in order, every message that this chunk completes.
   * @throws CrawlerError `corrupt` at the first invalid message; those before it have been passed on
   */
  read(chunk: Buffer, take: (message: ProcessMessage) => void): void {
    this.#frames.add(chunk);
    for (let frame = this.#frames.next(); frame !== undefined; frame = this.#frames.next()) {
      const message = this.#messageOf(frame);
      if (message !== undefined) take(message);
    }
  }

  /** Undefined for a body, which is kept until its head arrives. */
  #messageOf({ kind, bytes }: Frame): ProcessMessage | undefined {
    if (this.#isReady === (kind === processFrame.ready)) throw invalid('"ready" is missing or was sent twice');
    switch (kind) {
      case processFrame.facts:
        this.#keep('facts', bytes);
        return undefined;
      case processFrame.text:
        this.#keep('text', bytes);
        return undefined;
      case processFrame.source:
        this.#keep('source', bytes);
        return undefined;
      case processFrame.answer:
        return this.#answer(parsedObject(bytes, 'the head of an answer'));
      case processFrame.partial:
        return { kind: 'partial', part: this.#partial() };
    }
    if (this.#bodies !== undefined) throw invalid('another message is between the parts of an answer');
    return this.#notice(kind, bytes);
  }

  #notice(kind: number, bytes: Buffer): ProcessMessage {
    switch (kind) {
      case processFrame.ready:
        this.#isReady = true;
        return { kind: 'ready' };
      case processFrame.dropped:
        return { kind: 'dropped', ids: idsOf(parsedObject(bytes, 'the list of dropped documents')) };
      case processFrame.recognising: {
        const { atMostMs, page } = parsedObject(bytes, 'the start of a recognition');
        const limitMs = checkedNumber(atMostMs, 'the time limit', 0, LONGEST_TIMER_MS);
        return { kind: 'recognising', atMostMs: limitMs, page: page === undefined ? undefined : checkedPage(page) };
      }
      default:
        return { kind: 'recognised' };
    }
  }

  #keep(name: BodyName, bytes: Buffer): void {
    this.#bodies ??= {};
    if (this.#bodies[name] !== undefined) throw invalid(`an answer has the body "${name}" twice`);
    this.#bodies[name] = bytes;
  }

  #partial(): PartialBytes {
    const { facts, text } = complete(this.#bodies);
    this.#bodies = undefined;
    // They are kept for a while, and must not keep the chunks in which they arrived.
    return { facts: Buffer.from(facts), text: Buffer.from(text) };
  }

  #answer({ id, elapsedMs, error, more }: Readonly<Record<string, unknown>>): ProcessMessage {
    const bodies = this.#bodies;
    this.#bodies = undefined;
    if (error !== undefined && bodies !== undefined) throw invalid('an answer is both an error and an extraction');
    const answer: ReceivedAnswer = {
      id: checkedInteger(id, 'the id', 0, LARGEST_ID),
      elapsedMs: checkedNumber(elapsedMs, 'the time', 0, LARGEST_ID),
      result: error === undefined ? { extraction: complete(bodies) } : { error: checkedError(error) },
    };
    return { kind: 'answer', answer, isLast: more !== true };
  }
}

function complete({ facts, text, source }: Partial<Record<BodyName, Buffer>> = {}): ExtractionBytes {
  if (facts === undefined || text === undefined) throw invalid('an answer has no extraction');
  return { facts, text, source };
}

function checkedError(value: unknown): AnswerError {
  const error = checkedObject(value, 'the error');
  return {
    code: checkedKey(error['code'], 'the error code', OPEN_ERRORS),
    message: checkedString(error['message'], 'the message of the error'),
  };
}

function checkedPage(value: unknown): RecognisedPage {
  const { page, pages } = checkedObject(value, 'the page');
  return {
    page: checkedInteger(page, 'the number of the page', 1, MOST_PAGES),
    pages: checkedInteger(pages, 'the number of pages', 1, MOST_PAGES),
  };
}

function idsOf({ ids }: Readonly<Record<string, unknown>>): readonly number[] {
  return checkedList(ids, 'the ids', MOST_DROPPED, (each) => checkedInteger(each, 'an id', 0, LARGEST_ID));
}
