import { CrawlerError, messageOf } from '../../base/errors.js';
import type { Extraction, ExtractionRequest } from '../extraction.js';
import type { RecognisedPage, RecognitionDesk } from '../ocr/recognition-desk.js';
import { AnswerOutbox } from './answer-outbox.js';
import type { FromSandbox, SandboxAnswer, SandboxDocument, ToSandbox } from './protocol.js';

/**
 * Extracts one document. `settle` must be awaited before anything that may take long or may not come back: it hands over
 * the answers that are still held, so that they do not wait for this document or get lost with it.
 */
export type DocumentExtraction = (
  request: ExtractionRequest,
  settle: () => Promise<void>,
  desk: RecognitionDesk,
) => Promise<Extraction>;

/** After this long without listening, the process looks for messages (documents may have been taken back meanwhile). */
const DEAF_MS = 10;

/**
 * The loop of a sandbox process: takes documents from its parent, one after the other. Ends when the parent does.
 */
export function serve(extract: DocumentExtraction): void {
  const queue: SandboxDocument[] = [];
  const outbox = new AnswerOutbox(send);
  const desk = new PoolDesk();
  let isWorking = false;

  async function work(): Promise<void> {
    isWorking = true;
    await nextTurn();
    // Documents may come while the last answers leave: the loop is over only when none has.
    while (queue.length > 0) {
      await workOff();
      await outbox.flush();
    }
    isWorking = false;
  }

  async function workOff(): Promise<void> {
    let listenedAt = performance.now();
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await outbox.add(await answer(next, (request) => extract(request, () => outbox.flush(), desk)));
      if (performance.now() - listenedAt > DEAF_MS) {
        await nextTurn();
        listenedAt = performance.now();
      }
    }
  }

  process.on('message', (message: ToSandbox) => {
    switch (message.kind) {
      case 'extract':
        queue.push(...message.documents);
        if (!isWorking) void work();
        break;
      case 'drop':
        void send({ kind: 'dropped', ids: takeOut(queue, new Set(message.ids)) });
        break;
      case 'pages':
        desk.allow(message.atOnce);
        break;
    }
  });
  process.on('disconnect', endWithPrograms);
  void send({ kind: 'ready' });
}

/** Recognition as the pool sees it: it allows how much at once, and does not count the time. */
class PoolDesk implements RecognitionDesk {
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
    void send({ kind: 'recognising', atMostMs, page });
  }

  end(): void {
    void send({ kind: 'recognised' });
  }
}

async function answer(
  { id, request }: SandboxDocument,
  extract: (request: ExtractionRequest) => Promise<Extraction>,
): Promise<SandboxAnswer> {
  const startedAt = performance.now();
  try {
    const extraction = await extract(request);
    return { id, elapsedMs: performance.now() - startedAt, result: { extraction } };
  } catch (error) {
    const code = error instanceof CrawlerError ? error.code : 'internal';
    return { id, elapsedMs: performance.now() - startedAt, result: { error: { code, message: messageOf(error) } } };
  }
}

function takeOut(queue: SandboxDocument[], ids: ReadonlySet<number>): number[] {
  const dropped = queue.filter(({ id }) => ids.has(id)).map(({ id }) => id);
  const kept = queue.filter(({ id }) => !ids.has(id));
  queue.splice(0, queue.length, ...kept);
  return dropped;
}

/** Resolves when the message is in the pipe. A parent that is gone does not matter: `disconnect` ends the process. */
function send(message: FromSandbox): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) return resolve();
    process.send?.(message, undefined, {}, () => resolve());
  });
}

/** Ends this process and all programs that it has started: its process group, where it leads one. */
function endWithPrograms(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(0);
  }
}

/** Lets the event loop turn once, so that messages which have arrived are heard. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
