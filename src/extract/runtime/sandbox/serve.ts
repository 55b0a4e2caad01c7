import { CrawlerError, messageOf } from '../../../base/errors.js';
import type { Extraction } from '../../extraction.js';
import type { DocumentLimits } from '../../limits.js';
import type { OcrScheduler } from '../../ocr/ocr-scheduler.js';
import type { RecognisedPage } from '../../recognised-page.js';
import { bytesFrame, jsonFrame } from '../../frames/frames.js';
import { processFrame, type ProcessAnswer } from '../channel/messages.js';
import { PoolMessageReader } from '../channel/pool-messages.js';
import { PartialResultLog } from './partial-result-log.js';
import { sendToPool } from './pool-output.js';
import { ResponseBuffer } from './response-buffer.js';
import {
  listen,
  type SandboxDocument,
  type SandboxMessage,
  type SandboxMessageReader,
  type SandboxRequest,
} from './sandbox-input.js';

/** What the loop lends to the extraction of a document. */
export interface ServeParts {
  /**
   * Must be called before anything that may take long or crash: it sends the answers that are still held, so that they neither
   * wait for this document nor get lost with it.
   */
  flush(): void;
  readonly scheduler: OcrScheduler;
  readonly partialResult: PartialResultLog;
}

export type DocumentExtraction = (request: SandboxRequest, parts: ServeParts) => Promise<Extraction>;

/** At least this often the process handles messages: documents may have been taken back. */
const MESSAGE_INTERVAL_MS = 10;

/**
 * The loop of a sandbox process: extracts the documents that it is sent, one after another. Ends with the other side.
 * @param reader decodes what the pool sends, or what the broker sends in its place
 */
export function serve(
  extract: DocumentExtraction,
  limits: DocumentLimits,
  reader: SandboxMessageReader = new PoolMessageReader(),
): void {
  const queue: SandboxDocument[] = [];
  const responses = new ResponseBuffer(sendToPool, limits);
  const flush = (): void => responses.flush();
  const scheduler = new PoolOcrScheduler();
  const partialResult = new PartialResultLog((frames) => {
    flush();
    sendToPool(frames);
  }, limits);
  const parts: ServeParts = { flush, scheduler, partialResult };
  let isWorking = false;

  async function work(): Promise<void> {
    isWorking = true;
    await nextTurn();
    let checkedAt = performance.now();
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      responses.add(await answerTo(next, (request) => extract(request, parts)));
      if (performance.now() - checkedAt > MESSAGE_INTERVAL_MS) {
        await nextTurn();
        checkedAt = performance.now();
      }
    }
    responses.flush();
    isWorking = false;
  }

  listen(reader, {
    onMessage: (message: SandboxMessage) => {
      switch (message.kind) {
        case 'extract':
          queue.push(...message.documents);
          if (!isWorking) void work();
          break;
        case 'drop':
          sendToPool([
            jsonFrame(processFrame.dropped, { ids: [...(message.forgotten ?? []), ...takeOut(queue, message.ids)] }),
          ]);
          break;
        case 'pages':
          scheduler.allow(message.atOnce);
          break;
      }
    },
    onEnd: endWithPrograms,
  });
  sendToPool(bytesFrame(processFrame.ready, new Uint8Array()));
}

/** OCR under control of the pool: the pool decides how many pages run in parallel, and does not count their time. */
class PoolOcrScheduler implements OcrScheduler {
  onChange: (() => void) | undefined;
  #atOnce = 1;

  get atOnce(): number {
    return this.#atOnce;
  }

  allow(atOnce: number): void {
    this.#atOnce = Math.max(1, atOnce);
    this.onChange?.();
  }

  begin(atMostMs: number, page?: RecognisedPage): void {
    sendToPool([jsonFrame(processFrame.recognising, { atMostMs, page })]);
  }

  end(): void {
    sendToPool(bytesFrame(processFrame.recognised, new Uint8Array()));
  }
}

async function answerTo(
  { id, request }: SandboxDocument,
  extract: (request: SandboxRequest) => Promise<Extraction>,
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

function takeOut(queue: SandboxDocument[], ids: readonly number[]): number[] {
  const toDrop = new Set(ids);
  const dropped = queue.filter(({ id }) => toDrop.has(id));
  const kept = queue.filter(({ id }) => !toDrop.has(id));
  queue.splice(0, queue.length, ...kept);
  for (const { request } of dropped) if (request.content.kind === 'opened') request.content.document.close();
  return dropped.map(({ id }) => id);
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
