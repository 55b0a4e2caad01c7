import { CrawlerError } from '../../base/errors.js';
import { silentLogger } from '../../base/logger.js';
import { isWithin, joinPath, normaliseRoot } from '../../base/path.js';
import type { SqliteCatalog } from '../../state/sqlite-catalog.js';
import { heldPage, type HeldPage, type HeldPageRequest } from '../approve/held-page.js';
import { explainPath, type PathAnswer } from '../explain/explain-path.js';
import { namedFiles, type NamedFiles } from '../explain/named-files.js';
import { failurePage, failuresAt, type FailurePage, type FailurePageRequest } from '../failures/failure-page.js';
import { failures } from '../failures/failures.js';
import { queueFailures } from '../failures/job-failures.js';
import type { JobContext } from '../job/job-context.js';
import { notRunYet, readCatalog } from '../job/read-catalog.js';
import { planJob, type Plan } from '../plan/plan.js';
import { verifyJob } from '../verify/verify-job.js';
import type { VerifyRecord } from '../verify/verify-record.js';
import type {
  CheckKind,
  InspectorHost,
  InspectorThread,
  InspectorThreadData,
  RetryRequest,
} from './inspector-thread.js';

/** People look at progress; more than this they do not see. */
const PROGRESS_MS = 250;

/** Answers questions about a job in a thread of its own. Each opens what it needs, and nothing stays open between two. */
export class InspectorWorker implements InspectorThread {
  readonly #data: InspectorThreadData;
  readonly #host: InspectorHost;
  readonly #endThread: () => void;
  readonly #closing = new AbortController();
  readonly #running = new Map<CheckKind, AbortController>();

  constructor(data: InspectorThreadData, host: InspectorHost, endThread: () => void) {
    this.#data = data;
    this.#host = host;
    this.#endThread = endThread;
  }

  why(path: string): Promise<PathAnswer> {
    const { origins } = this.#data;
    return explainPath(this.#place(this.#closing.signal), this.#located(path), (key) => origins[key] ?? 'default');
  }

  named(name: string): Promise<NamedFiles> {
    return this.#withCatalog((catalog) => namedFiles(catalog, name));
  }

  failures(request: FailurePageRequest): Promise<FailurePage> {
    return this.#withCatalog((catalog) => failurePage(catalog, request));
  }

  retry(request: RetryRequest): Promise<number> {
    const queued = queueFailures(this.#data, (catalog) => {
      if ('reason' in request) return failures(catalog, { reason: request.reason, all: false });
      return [
        failuresAt(
          catalog,
          request.paths.map((path) => this.#located(path)),
        ),
      ];
    });
    return Promise.resolve(queued);
  }

  held(request: HeldPageRequest): Promise<HeldPage | undefined> {
    return this.#withCatalog((catalog) => heldPage(catalog, request));
  }

  changedSince({ at, verification }: Pick<VerifyRecord, 'at' | 'verification'>): Promise<boolean> {
    return this.#withCatalog((catalog) => {
      const { indexed, later } = catalog.reports.indexedSince(Date.parse(at));
      return later > 0 || indexed !== verification.counts.indexed;
    });
  }

  plan(): Promise<Plan> {
    const told = this.#throttled('plan');
    return this.#check('plan', (place) => planJob(place, (files) => told(files, 0)));
  }

  verify(): Promise<VerifyRecord> {
    const onProgress = this.#throttled('verify');
    const ignore = { onFinding: () => undefined, settle: () => Promise.resolve() };
    return this.#check('verify', async (place) => {
      return (await verifyJob(place, { deep: false, ...ignore, onProgress })).record;
    });
  }

  stop(kind: CheckKind): void {
    this.#running.get(kind)?.abort();
  }

  close(): Promise<void> {
    this.#closing.abort();
    for (const control of this.#running.values()) control.abort();
    // After the answer. What is being given up comes to its end.
    setImmediate(this.#endThread);
    return Promise.resolve();
  }

  async #check<T>(kind: CheckKind, work: (place: JobContext) => Promise<T>): Promise<T> {
    const control = new AbortController();
    this.#running.set(kind, control);
    try {
      return await work(this.#place(control.signal));
    } finally {
      this.#running.delete(kind);
    }
  }

  async #withCatalog<T>(work: (catalog: SqliteCatalog) => T): Promise<T> {
    const catalog = readCatalog(this.#data.jobDirectory);
    if (catalog === undefined) throw notRunYet(this.#data);
    try {
      return await Promise.resolve(work(catalog));
    } finally {
      catalog.close();
    }
  }

  #place(signal: AbortSignal): JobContext {
    const { settings, jobDirectory } = this.#data;
    const warn = (message: string): void => this.#host.warn(message);
    return { settings, jobDirectory, logger: { ...silentLogger, warn, error: warn }, signal };
  }

  /** People write a path as they see it: in full, or below the root. */
  #located(path: string): string {
    if (path.includes('\0')) throw new CrawlerError('usage', 'A path cannot hold a NUL character.');
    const root = normaliseRoot(this.#data.settings.fs.url);
    const isWhole = isWithin(root, path) || /^(?:[/\\]|[A-Za-z]:)/.test(path);
    return withoutDots(isWhole ? path : joinPath(root, path));
  }

  #throttled(kind: CheckKind): (files: number, documents: number) => void {
    let toldMs = 0;
    return (files, documents) => {
      const now = performance.now();
      if (now - toldMs < PROGRESS_MS) return;
      toldMs = now;
      this.#host.progress(kind, files, documents);
    };
  }
}

/** `.` and `..` lead nowhere, and a separator at the end names nothing. */
function withoutDots(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '.') continue;
    if (part === '..') {
      if (kept.length > 1 || kept[0] !== '') kept.pop();
    } else if (part !== '' || kept.length === 0) kept.push(part);
  }
  return kept.join('/') || '/';
}
