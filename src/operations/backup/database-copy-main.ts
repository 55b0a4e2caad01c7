import { constants, copyFileSync, existsSync, openSync, readSync, closeSync, rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDiskFull } from '../../base/disk-full.js';
import { messageOf } from '../../base/errors.js';
import { Database } from '../../base/sqlite.js';
import { NO_SPACE } from './no-space.js';

/**
 * The program of a process that copies one database, `<from> <to>`, which somebody else is reading until it says that the original
 * is no longer needed. It ends with the process that has started it.
 */
const [, , from = '', to = ''] = process.argv;
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
/** Of the head of a log: some of it changes whenever the log is begun anew. */
const LOG_HEAD_BYTES = 32;

copyDatabase().catch((error: unknown) => {
  process.stderr.write(`Error: ${messageOf(error)}\n`);
  process.exitCode = isDiskFull(error) ? NO_SPACE : 1;
});

async function copyDatabase(): Promise<void> {
  copy(from, to);
  await endIfAlone();
  copyLog(`${from}-wal`, `${to}-wal`);
  process.send?.('copied');
  await endIfAlone();
  checkCopy();
}

/** Whoever has started this process may have been killed meanwhile: the folder may be another backup's by now. */
async function endIfAlone(): Promise<void> {
  await nextTurn();
}

/** Costs next to nothing where files can share what they hold. */
function copy(original: string, target: string): void {
  copyFileSync(original, target, constants.COPYFILE_FICLONE);
}

/** A log that is begun anew meanwhile is copied anew: in a mixture, older pages would replace newer ones. */
function copyLog(original: string, target: string): void {
  let head = headOf(original);
  while (head !== '') {
    copy(original, target);
    const now = headOf(original);
    if (now === head) return;
    rmSync(target);
    head = now;
  }
}

function headOf(path: string): string {
  if (!existsSync(path)) return '';
  const file = openSync(path, 'r');
  const head = Buffer.alloc(LOG_HEAD_BYTES);
  const bytes = readSync(file, head);
  closeSync(file);
  return head.toString('hex', 0, bytes);
}

/**
 * Somebody who needs a backup must not be the first to find out that it cannot be read. Every table is read but the lists of the
 * full text, which SQLite would check word by word, for minutes: they can be made anew from the documents.
 */
function checkCopy(): void {
  const database = new Database(to, { cacheKib: 4096 });
  const tables = database.values("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0");
  for (const table of tables) {
    const [found] = database.values(`SELECT quick_check FROM pragma_quick_check('${String(table)}') LIMIT 1`);
    if (found !== 'ok') throw new Error(`the file is damaged (${String(found).split('\n').at(-1)})`);
  }
  // What is in the log is moved into the file, and the log removed.
  database.exec('PRAGMA journal_mode=DELETE');
  database.close();
}
