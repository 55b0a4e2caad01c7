import { fork, type ChildProcess } from 'node:child_process';
import { dirname } from 'node:path';
import { entryPoint } from '../../base/entry-points.js';
import { diskFull } from '../../base/disk-full.js';
import { CrawlerError } from '../../base/errors.js';
import { Database } from '../../base/sqlite.js';
import { NO_SPACE } from './no-space.js';

/**
 * Copies a database that others may be writing to: the copy is the database as it was at one moment, and it has been read. Ends
 * with the signal.
 *
 * The file is copied as it is, and the writer's log with it, which is a fraction of the work of `VACUUM INTO`, and of what a
 * crawl feels of it. As long as somebody reads the original, nothing that reaches the file is missing from the log, so that
 * both together are whole. The copying is left to another process: whoever closes a file gives up all locks that its process has
 * on it, and this one has to keep those of the reader.
 */
export async function copyDatabase(from: string, to: string, signal: AbortSignal): Promise<void> {
  const reader = new Database(from, { readOnly: true });
  try {
    reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    const child = fork(entryPoint('database-copy'), [from, to], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      signal,
      killSignal: 'SIGKILL',
    });
    child.once('message', () => reader.close());
    await endOf(child, from, to, signal);
  } finally {
    reader.close();
  }
}

function endOf(child: ChildProcess, from: string, to: string, signal: AbortSignal): Promise<void> {
  let printed = '';
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(signal.aborted ? interrupted(error) : error));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          signal.aborted ? interrupted(signal.reason) : failed({ from, to, isDiskFull: code === NO_SPACE }, printed),
        );
    });
  });
}

function interrupted(cause: unknown): CrawlerError {
  return new CrawlerError('cancelled', 'The backup was interrupted; nothing was kept.', { cause });
}

/** What a process prints that ends by an exception: code, stack and the error's own line. */
function failed(
  { from, to, isDiskFull }: { readonly from: string; readonly to: string; readonly isDiskFull: boolean },
  printed: string,
): CrawlerError {
  const reason = /^(?:\w+)?Error: (.*)$/m.exec(printed)?.[1] ?? 'its process died';
  if (isDiskFull) return diskFull(dirname(to), new Error(reason), 'Nothing of the backup was kept.');
  return new CrawlerError('internal', `[${from}] cannot be copied: ${reason}.`, { subject: from, cause: printed });
}
