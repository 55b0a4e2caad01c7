import { Worker } from 'node:worker_threads';
import { endThread } from './end-thread.js';
import { entryPoint, type EntryPoint } from './entry-points.js';

/**
 * The young generation is kept small where the work is many short-lived strings, whatever the size of the tree or the index: V8
 * would otherwise give each thread tens of megabytes for them. In MB. The old generation is not limited: one document may be large.
 */
const YOUNG_GENERATION_MB: Partial<Record<EntryPoint, number>> = {
  'crawl-thread': 6,
  'listing-thread': 2,
  'index-writer': 8,
  'index-reader': 4,
  'index-repair': 8,
};

const ahead = new Map<EntryPoint, Worker>();

/**
 * Starts a thread before anybody can say what it has to do: it gets ready beside the rest of the program, which takes as long to
 * load. One that is not needed after all does not keep the process alive.
 */
export function startThreadAhead(name: EntryPoint): void {
  if (ahead.has(name)) return;
  const worker = create(name);
  worker.unref();
  worker.once('exit', () => ahead.delete(name));
  // Whoever starts it when it is needed gets another, and hears of what is wrong.
  worker.once('error', () => ahead.delete(name));
  ahead.set(name, worker);
}

/** The thread that was started ahead, or another. What it has to do is its first message. */
export function startThread(name: EntryPoint, data: unknown): Worker {
  const worker = ahead.get(name) ?? create(name);
  ahead.delete(name);
  worker.ref();
  worker.postMessage(data);
  return worker;
}

/**
 * Lets the threads end that were not needed after all. A process must not end before them: the binding of SQLite, which they load,
 * does not survive that, and the process would end by SIGABRT.
 */
export async function endThreadsAhead(): Promise<void> {
  await Promise.all(
    [...ahead.values()].map(async (worker) => {
      worker.ref();
      worker.postMessage(null);
      await endThread(worker, END_MS);
    }),
  );
}

/** How long a thread may take to get ready and to end. */
const END_MS = 2000;

function create(name: EntryPoint): Worker {
  const youngGenerationMb = YOUNG_GENERATION_MB[name];
  return new Worker(entryPoint(name), {
    execArgv: [],
    ...(youngGenerationMb === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb } }),
  });
}
