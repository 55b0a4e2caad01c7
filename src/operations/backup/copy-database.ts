import { fork } from 'node:child_process';
import { entryPoint } from '../../base/entry-points.js';
import { CrawlerError } from '../../base/errors.js';

/** Copies a database that others may be writing to, in a process of its own that ends with the signal. */
export function copyDatabase(from: string, to: string, signal: AbortSignal): Promise<void> {
  const child = fork(entryPoint('database-copy'), [from, to], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  });
  let printed = '';
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(signal.aborted ? interrupted(error) : error));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(signal.aborted ? interrupted(signal.reason) : failed(from, printed));
    });
  });
}

function interrupted(cause: unknown): CrawlerError {
  return new CrawlerError('cancelled', 'The backup was interrupted; nothing was kept.', { cause });
}

/** What a process prints that ends by an exception: code, stack and the error's own line. */
function failed(path: string, printed: string): CrawlerError {
  const reason = /^(?:\w+)?Error: (.*)$/m.exec(printed)?.[1] ?? 'its process died';
  return new CrawlerError('internal', `[${path}] cannot be copied: ${reason}.`, { subject: path, cause: printed });
}
