import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import type { MetadataFile } from '../../ingest/document-rules.js';
import type { Entry } from '../../model/entry.js';
import type { Problem, Reason } from '../../model/reason.js';
import type { FileRecord, FolderRecord, LocatedFile } from '../../state/catalog.js';
import { leadsNowhere, moveCandidates } from './moves.js';
import { fingerprintOf, mayHaveDocument, sameFingerprint, type Decision } from './reconcile.js';
import { keptForNamesakes } from './removal.js';
import { isDone, writeAll, type ScanContext } from './scan-context.js';
import type { FileOutcome, FileRequest } from './scan-port.js';

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 24 * 3_600_000;

/** A file that something has to be done about. */
export interface Judged {
  readonly entry: Entry;
  readonly decision: Exclude<Decision, { kind: 'same' }>;
  readonly record: FileRecord | undefined;
}

/** What became of a file. */
interface Decided {
  readonly state: FileRecord['state'];
  readonly problem?: Problem | undefined;
  readonly tries?: number;
  readonly retryMs?: number;
  /** 0 makes the next scan work on it again, whatever it finds. */
  readonly rules?: number;
}

/**
 * How a folder's files ended: all settled, or some left `open` for the next scan. `broken` is one whose scan has failed or
 * was stopped meanwhile: it stays in the frontier, and the same scan checks it again when it resumes.
 */
export type FilesEnd = 'settled' | 'open' | 'broken';

/**
 * The files of one folder that something has to be done about. Each takes a slot, gets its outcome, and is recorded:
 * only after the engine has answered.
 */
export class FileWork {
  readonly #context: ScanContext;
  readonly #folder: FolderRecord;
  readonly #metadata: MetadataFile | undefined;
  readonly #rules: number;
  readonly #rootId: string;
  #underWay = 0;
  #whenIdle: (() => void) | undefined;
  #end: FilesEnd = 'settled';

  constructor(context: ScanContext, folder: FolderRecord, metadata: MetadataFile | undefined, rules: number) {
    this.#context = context;
    this.#folder = folder;
    this.#metadata = metadata;
    this.#rules = rules;
    this.#rootId = context.rules.folderId(folder.path);
  }

  /**
   * Writes down which documents are about to change, before any of them does: if the process dies after the index has changed,
   * the next run still knows of it, even if the folder looks as it did before.
   */
  announce(judged: readonly Judged[]): void {
    const records = judged.flatMap(({ entry, decision, record }) => {
      const changes = decision.kind === 'index' || (decision.kind === 'leave_out' && decision.remove);
      if (!changes) return [];
      return [record === undefined ? this.#record(entry, { state: 'sent' }) : announced(record)];
    });
    if (records.length === 0) return;
    const { writer, catalog } = this.#context;
    writer.flush();
    catalog.batch(() => {
      catalog.records.reconsiderFolder(this.#folder.id);
      catalog.records.saveFiles(records);
    });
  }

  /** Resolves when the file is under way; waits while too many are. */
  async take(
    entry: Entry,
    decision: Exclude<Decision, { kind: 'same' }>,
    record: FileRecord | undefined,
  ): Promise<void> {
    const { semaphore: slots, signal } = this.#context;
    if (decision.kind === 'adopt' && !this.#context.claims.has(this.#folder.id, entry.name)) {
      this.#settle(entry, { state: 'indexed', problem: problemOf(record) });
      return;
    }
    if (decision.kind === 'leave_out' && !decision.remove) {
      this.#leaveOut(entry, decision.reason, decision.rule);
      return;
    }
    await this.#context.gate();
    throwIfCancelled(signal);
    await slots.acquire();
    if (signal.aborted) slots.release();
    throwIfCancelled(signal);
    this.#underWay += 1;
    void this.#context.claims
      .during(this.#folder.id, entry.name, () => this.#perform(entry, decision, record))
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        slots.release();
        this.#underWay -= 1;
        if (this.#underWay === 0) this.#whenIdle?.();
      });
  }

  /** A record of the folder is to be checked again by the next scan. */
  keepOpen(): void {
    if (this.#end === 'settled') this.#end = 'open';
  }

  /** Resolves when every file has its outcome. */
  async ended(): Promise<FilesEnd> {
    if (this.#underWay > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    return this.#end;
  }

  async #perform(
    entry: Entry,
    decision: Exclude<Decision, { kind: 'same' }>,
    record: FileRecord | undefined,
  ): Promise<void> {
    if (decision.kind === 'leave_out') {
      await this.#removeDocument(entry);
      this.#leaveOut(entry, decision.reason, decision.rule);
      return;
    }
    const isNew = record === undefined || record.state === 'sent';
    if (isNew && (await this.#moveHere(entry))) return;
    const outcome = await this.#ingest(entry);
    // Its text no longer passes the filters: the document of its former content has to go, if there may be one.
    if (outcome.status === 'skipped' && mayHaveDocument(record)) await this.#removeDocument(entry);
    this.#conclude(entry, record, outcome, (await this.#isAsListed(entry)) ? this.#rules : 0);
  }

  /**
   * Whether the path still leads to what was listed. If not, nobody can say which of the two was read, and the next scan reads
   * it again, even if the listed one is back by then. Where each answer is a round trip, the dates have to do.
   */
  async #isAsListed(entry: Entry): Promise<boolean> {
    const { source } = this.#context;
    if (!source.features.identity) return true;
    // Asked also when the scan is being stopped: what was read until then counts.
    const now = await source.stat(entry.path, new AbortController().signal).catch(() => undefined);
    if (now !== undefined && sameFingerprint(fingerprintOf(now), fingerprintOf(entry))) return true;
    this.keepOpen();
    return false;
  }

  async #ingest(entry: Entry): Promise<FileOutcome> {
    const { port, counters, rules, source, signal } = this.#context;
    let request = this.#request(entry);
    try {
      if (rules.withAttributes) {
        request = { ...request, attributes: await source.attributes(entry, rules.withAcl, signal) };
      }
    } catch (error) {
      if (!(error instanceof CrawlerError) || error.retryable || error.code === 'cancelled') throw error;
      const reason = error.code === 'not_found' ? 'vanished' : 'unreadable';
      return { status: 'failed', problem: { reason, message: error.message } };
    }
    return await counters.work.measure(entry.size, async () => {
      const extracted = await this.#context.texts?.extract(entry);
      return await port.ingest(extracted === undefined ? request : { ...request, extracted });
    });
  }

  /** True when the file was moved here and its document with it; false when it has to be read. */
  async #moveHere(entry: Entry): Promise<boolean> {
    const context = this.#context;
    for (const candidate of moveCandidates(context, entry, this.#rules)) {
      const { folderId, name } = candidate.record;
      // Its document is being written, or goes to another name of the same file.
      if (context.claims.has(folderId, name)) continue;
      const move = async (): Promise<boolean> =>
        (await leadsNowhere(context, candidate)) && (await this.#move(entry, candidate));
      if (await context.claims.during(folderId, name, move)) return true;
    }
    return false;
  }

  /** True when the document was re-keyed; false when there was none and the file has to be read after all. */
  async #move(entry: Entry, { folderPath, record }: LocatedFile): Promise<boolean> {
    const { port, rules, writer } = this.#context;
    writer.add({ kind: 'file', record: announced(record) });
    writer.add({ kind: 'reconsider', folderId: record.folderId });
    await writer.saved();
    const outcome = await port.move({
      ...this.#request(entry),
      fromId: rules.documentId(folderPath, record.name),
      toId: rules.documentId(this.#folder.path, entry.name),
    });
    if (outcome.status === 'missing') return false;
    this.#conclude(entry, undefined, outcome);
    if (outcome.status === 'indexed') writer.add({ kind: 'forget', folderId: record.folderId, name: record.name });
    return true;
  }

  #conclude(entry: Entry, record: FileRecord | undefined, outcome: FileOutcome, rules = this.#rules): void {
    const { counters } = this.#context;
    switch (outcome.status) {
      case 'indexed':
        counters.files += 1;
        return this.#settle(entry, { state: 'indexed', problem: outcome.problem, rules });
      case 'skipped':
        return this.#settle(entry, { state: 'skipped', problem: outcome.problem, rules });
      case 'failed':
        return this.#recordFailure(entry, record, outcome.problem);
      case 'dropped':
        this.#end = 'broken';
        return;
      case 'missing':
        throw new CrawlerError('internal', `[${entry.path}] was ingested as a move.`);
    }
  }

  #recordFailure(entry: Entry, record: FileRecord | undefined, problem: Problem): void {
    const { counters, clock, port } = this.#context;
    if (problem.reason === 'unavailable' || problem.reason === 'disk_full')
      throw new CrawlerError(problem.reason, problem.message);
    this.keepOpen();
    // Gone between listing and reading: the next listing tells.
    if (problem.reason === 'vanished') return;
    counters.failed += 1;
    counters.lastError = problem.message;
    port.log('warn', `Unable to index [${entry.path}], skipping: ${problem.message}`);
    const tries = this.#triesBefore(entry, record) + 1;
    const retryMs = clock.now() + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1));
    this.#settle(entry, { state: 'failed', problem, tries, retryMs });
  }

  /** Attempts on the same bytes under the same rules: a change begins anew, and so do the intervals between attempts. */
  #triesBefore(entry: Entry, record: FileRecord | undefined): number {
    if (record?.state !== 'failed' || record.rules !== this.#rules) return 0;
    return sameFingerprint(fingerprintOf(entry), record) ? record.tries : 0;
  }

  #leaveOut(entry: Entry, reason: Reason, rule: string): void {
    const { port, rules } = this.#context;
    const id = rules.documentId(this.#folder.path, entry.name);
    port.logDocument(
      'info',
      `[${id}][${rules.virtualPath(entry.path)}] Skipped (${reason})${rule === '' ? '' : `: ${rule}`}`,
    );
    this.#save(entry, { state: 'skipped', problem: { reason, message: rule } });
  }

  async #removeDocument(entry: Entry): Promise<void> {
    const { rules, counters } = this.#context;
    if (!rules.removeDeleted) return;
    const { name } = entry;
    if (keptForNamesakes(this.#context, [{ folderId: this.#folder.id, name }]).has(name)) return;
    const id = rules.documentId(this.#folder.path, entry.name);
    const [outcome] = await writeAll(this.#context, [{ kind: 'delete', index: rules.index, id }]);
    if (!isDone(outcome))
      throw new CrawlerError('unavailable', `The document of [${entry.path}] could not be removed.`);
    if (outcome?.ok === true) counters.deleted += 1;
  }

  /** A file that belongs into the index has got its record. */
  #settle(entry: Entry, decided: Decided): void {
    this.#context.counters.run.settled.add(entry);
    this.#save(entry, decided);
  }

  #save(entry: Entry, decided: Decided): void {
    this.#context.writer.add({ kind: 'file', record: this.#record(entry, decided) });
  }

  #record(entry: Entry, { problem, state, tries, retryMs, rules = this.#rules }: Decided): FileRecord {
    return {
      ...fingerprintOf(entry),
      folderId: this.#folder.id,
      name: entry.name,
      state,
      reason: problem?.reason,
      message: problem?.message,
      rules,
      tries: tries ?? 0,
      atMs: this.#context.clock.now(),
      retryMs: retryMs ?? 0,
    };
  }

  #request(entry: Entry): FileRequest {
    const { rules, source } = this.#context;
    const url = source.urlOf(entry);
    const place = {
      filename: entry.name,
      real: entry.path,
      virtual: rules.virtualPath(entry.path),
      root: this.#rootId,
      ...(url === undefined ? {} : { url }),
    };
    return { entry, place, folderMetadata: this.#metadata };
  }

  #fail(error: unknown): void {
    this.#end = 'broken';
    this.#context.fail(error);
  }
}

/** What an earlier extraction had to say about the document. */
function problemOf(record: FileRecord | undefined): Problem | undefined {
  return record?.reason === undefined ? undefined : { reason: record.reason, message: record.message ?? '' };
}

/** The record while its document changes. Nobody knows then whether the document is still that of the file. */
function announced(record: FileRecord): FileRecord {
  const stays = record.state === 'gone' || record.state === 'failed';
  return { ...record, state: stays ? record.state : 'sent', rules: 0 };
}
