import { readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CrawlerError, messageOf, systemCode } from '../base/errors.js';
import { ABSENT, type Checkpoint, type CheckpointState, type CheckpointStore } from './checkpoint.js';

const STATES: readonly CheckpointState[] = ['RUNNING', 'PAUSED', 'STOPPED', 'COMPLETED', 'ERROR'];

/** `_checkpoint.json` in the job's folder, and the once-only migration of its ancestor `_status.json`. */
export class CheckpointFile implements CheckpointStore {
  readonly path: string;
  readonly #legacyPath: string;

  constructor(jobDirectory: string) {
    this.path = join(jobDirectory, '_checkpoint.json');
    this.#legacyPath = join(jobDirectory, '_status.json');
  }

  async load(): Promise<Checkpoint | undefined> {
    const text = await readOrUndefined(this.path);
    return text === undefined ? undefined : parseCheckpoint(this.path, text);
  }

  async save(checkpoint: Checkpoint): Promise<void> {
    const temporary = `${this.path}.tmp`;
    await writeFile(temporary, `${JSON.stringify(withoutEmpty(checkpoint), undefined, 2)}\n`);
    await rename(temporary, this.path);
  }

  async setAside(): Promise<string> {
    const aside = `${this.path}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
    await rename(this.path, aside);
    return aside;
  }

  async clear(): Promise<boolean> {
    try {
      await unlink(this.path);
      return true;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  async stamp(): Promise<string> {
    try {
      const { mtimeMs, size, ino } = await stat(this.path);
      return `${mtimeMs}-${size}-${ino}`;
    } catch {
      return ABSENT;
    }
  }

  /** Both files of a former life, for `--restart`. */
  async clearAll(): Promise<void> {
    await rm(this.path, { force: true });
    await rm(this.#legacyPath, { force: true });
  }

  /** Turns `_status.json` of old releases into a checkpoint, and renames it. Returns whether there was one. */
  async migrateLegacyStatus(): Promise<boolean> {
    const text = await readOrUndefined(this.#legacyPath);
    if (text === undefined) return false;
    const status = parseObject(this.#legacyPath, text);
    const lastRun = toInstant(status['lastrun']);
    const nextCheck = toInstant(status['next_check']);
    await this.save({
      state: 'COMPLETED',
      ...(lastRun === undefined ? {} : { scan_date: lastRun, scan_end_time: lastRun }),
      ...(nextCheck === undefined ? {} : { next_check: nextCheck }),
      files_processed: toCount(status['indexed']),
      files_deleted: toCount(status['deleted']),
      retry_count: 0,
    });
    await rename(this.#legacyPath, `${this.#legacyPath}.migrated`);
    return true;
  }
}

async function readOrUndefined(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw new CrawlerError('denied', `[${path}] cannot be read: ${messageOf(error)}.`, {
      cause: error,
      subject: path,
    });
  }
}

function parseObject(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new SyntaxError('not a JSON object');
  } catch (error) {
    throw new CrawlerError('corrupt', `[${path}] is damaged (${messageOf(error)}).`, { cause: error, subject: path });
  }
}

function parseCheckpoint(path: string, text: string): Checkpoint {
  const value = parseObject(path, text);
  const state = STATES.find((each) => each === value['state']) ?? 'STOPPED';
  const texts = {
    scan_id: toText(value['scan_id']),
    scan_start_time: toInstant(value['scan_start_time']),
    scan_end_time: toInstant(value['scan_end_time']),
    scan_date: toInstant(value['scan_date']),
    next_check: toInstant(value['next_check']),
    current_path: toText(value['current_path']),
    last_error: toText(value['last_error']),
  };
  return {
    state,
    ...withoutEmpty(texts),
    files_processed: toCount(value['files_processed']),
    files_deleted: toCount(value['files_deleted']),
    retry_count: toCount(value['retry_count']),
    ...(value['paused_by'] === 'user' ? { paused_by: 'user' as const } : {}),
  };
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function toCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

/** Instants come with an offset, without a zone (old files: local time), or as epoch milliseconds. */
function toInstant(value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const date = new Date(typeof value === 'string' ? value.replace(/(\.\d{3})\d+/, '$1') : value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function withoutEmpty<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(value).filter(([, each]) => each !== undefined && each !== '');
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
