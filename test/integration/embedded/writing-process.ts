import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { Database } from '../../../src/base/sqlite.js';

/** Starts writing-program.mjs on the compiled program that is under test, maybe below another program (unshare, sh). */
const PROGRAM = resolve('test/integration/embedded/writing-program.mjs');
const DIST = resolve(process.env['PROGRAM_DIST'] ?? 'dist');

export interface WritingProcess {
  readonly child: ChildProcess;
  /** What it has printed, when it has ended. */
  readonly ended: Promise<string>;
}

export function startWriting(
  directory: string,
  task: string,
  prefix = 'doc',
  below: readonly string[] = [],
): WritingProcess {
  const [program, ...before] = [...below, process.execPath];
  const child = spawn(program, [...before, PROGRAM, DIST, directory, task, prefix], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<string>((done) => child.on('close', () => done(printed)));
  return { child, ended };
}

/** What SQLite and FTS5 say of the file, and whether every document has its body and its text. */
export function checkFile(path: string): { integrity: string; documents: number; bodies: number; texts: number } {
  const database = new Database(path);
  try {
    const one = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
    database.exec(`INSERT INTO fts_1(fts_1) VALUES('integrity-check')`);
    return {
      integrity: String(one('PRAGMA integrity_check')),
      documents: Number(one('SELECT count(*) FROM doc_1')),
      bodies: Number(one('SELECT count(*) FROM body_1')),
      texts: Number(one('SELECT count(*) FROM fts_1_docsize')),
    };
  } finally {
    database.close();
  }
}
