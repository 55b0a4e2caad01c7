import { CrawlerError, messageOf } from '../../../base/errors.js';
import type { Extraction, ExtractionRequest } from '../../extraction.js';
import type { DocumentLimits } from '../../limits.js';
import type { OcrScheduler } from '../../ocr/ocr-scheduler.js';
import type { RecognisedPage } from '../../recognised-page.js';
import { bytesFrame, jsonFrame } from '../channel/frames.js';
import { processFrame, type PoolMessage, type ProcessAnswer, type SentDocument } from '../channel/messages.js';
import { PoolChannel } from './pool-channel.js';
import { ResponseBuffer } from './response-buffer.js';

/**
 * Extracts one document. `flush` must be called before anything that may take long or crash: it sends the answers that are
 * still held, so that they neither wait for this document nor get lost with it.
 */
export type DocumentExtraction = (
  request: ExtractionRequest,
  flush: () => void,
  scheduler: OcrScheduler,
) => Promise<Extraction>;

/** At least this often the process handles messages: documents may have been taken back. */
const MESSAGE_INTERVAL_MS = 10;

/**
 * The loop of a sandbox process: extracts the documents that the pool sends, one after another. Ends with the pool.
 */
export function serve(extract: DocumentExtraction, limits: DocumentLimits): void {
  const queue: SentDocument[] = [];
  const channel = new PoolChannel();
  const responses = new ResponseBuffer((frames) => channel.send(frames), limits);
  const scheduler = new PoolOcrScheduler(channel);
  const flush = (): void => responses.flush();
  let isWorking = false;

  async function work(): Promise<void> {
    isWorking = true;
    await nextTurn();
    let checkedAt = performance.now();
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      responses.add(await answerTo(next, (request) => extract(request, flush, scheduler)));
      if (performance.now() - checkedAt > MESSAGE_INTERVAL_MS) {
        await nextTurn();
        checkedAt = performance.now();
      }
    }
    responses.flush();
    isWorking = false;
  }

  channel.listen({
    onMessage: (message: PoolMessage) => {
      switch (message.kind) {
        case 'extract':
          queue.push(...message.documents);
          if (!isWorking) void work();
          break;
        case 'drop':
          channel.send([jsonFrame(processFrame.dropped, { ids: takeOut(queue, new Set(message.ids)) })]);
          break;
        case 'pages':
          scheduler.allow(message.atOnce);
          break;
      }
    },
    onEnd: endWithPrograms,
  });
  channel.send(bytesFrame(processFrame.ready, new Uint8Array()));
}

/** OCR under control of the pool: the pool decides how many pages run in parallel, and does not count their time. */
class PoolOcrScheduler implements OcrScheduler {
  onChange: (() => void) | undefined;
  readonly #channel: PoolChannel;
  #atOnce = 1;

  constructor(channel: PoolChannel) {
    this.#channel = channel;
  }

  get atOnce(): number {
    return this.#atOnce;
  }

  allow(atOnce: number): void {
    this.#atOnce = Math.max(1, atOnce);
    this.onChange?.();
  }

  begin(atMostMs: number, page?: RecognisedPage): void {
    this.#channel.send([jsonFrame(processFrame.recognising, { atMostMs, page })]);
  }

  end(): void {
    this.#channel.send(bytesFrame(processFrame.recognised, new Uint8Array()));
  }
}

async function answerTo(
  { id, request }: SentDocument,
  extract: (request: ExtractionRequest) => Promise<Extraction>,
): Promise<ProcessAnswer> {
  const startedAt = performance.now();
  try {
    const extraction = await extract(request);
    return { id, elapsedMs: performance.now() - startedAt, result: { extraction } };
  } catch (error) {
    const code = error instanceof CrawlerError ? error.code : 'internal';
    return { id, elapsedMs: performance.now() - startedAt, result: { error: { code, message: messageOf(error) } } };
  }
}

function takeOut(queue: SentDocument[], ids: ReadonlySet<number>): number[] {
  const dropped = queue.filter(({ id }) => ids.has(id)).map(({ id }) => id);
  const kept = queue.filter(({ id }) => !ids.has(id));
  queue.splice(0, queue.length, ...kept);
  return dropped;
}

/** Ends this process and all programs that it has started: its process group, if it leads one. */
function endWithPrograms(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(0);
  }
}

/** Lets the event loop turn once, so that received messages are handled. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
