import { fork, type ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { requestFor } from '../../../../support/extraction-request.js';
import { isAlive, until } from '../../../../support/misbehaving-sandbox.js';
import { tempDir } from '../../../../support/temp-dir.js';

const folder = tempDir();
let parent: ChildProcess | undefined;

afterEach(() => {
  parent?.kill('SIGKILL');
});

/** A parent with a pool whose process has the real guard and begins with a document, and tells its pid and that of a program. */
function startParent(deed: string): Promise<{ readonly pid: number; readonly program: number }> {
  const compiled = (file: string): string => pathToFileURL(resolve(process.env['PROGRAM_DIST'] ?? 'dist', file)).href;
  const sandbox = join(folder, 'sandbox.mjs');
  const begun = join(folder, 'begun');
  writeFileSync(
    sandbox,
    `import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
     import { runTesseract } from '${compiled('extract/ocr/tesseract/run-tesseract.js')}';
     import { exitWithParent } from '${compiled('extract/runtime/sandbox/exit-with-parent.js')}';
     import { serve } from '${compiled('extract/runtime/sandbox/serve.js')}';
     exitWithParent();
     serve(async () => {
       const file = '${join(folder, 'program')}';
       rmSync(file, { force: true });
       const script = 'sleep 60 & echo $! > ' + file + '.new; mv ' + file + '.new ' + file + '; wait';
       void runTesseract({ file: 'sh', args: ['-c', script], descriptors: [] }, undefined, new AbortController().signal);
       while (!existsSync(file)) await new Promise((later) => setTimeout(later, 10));
       writeFileSync('${begun}.new', JSON.stringify({ pid: process.pid, program: Number(readFileSync(file, 'utf8')) }));
       renameSync('${begun}.new', '${begun}');
       ${deed}
     }, JSON.parse(process.argv[2]));`,
  );
  rmSync(begun, { force: true });
  const program = join(folder, 'parent.mjs');
  writeFileSync(
    program,
    `import { existsSync, readFileSync } from 'node:fs';
     import { silentLogger } from '${compiled('base/logger.js')}';
     import { ExtractionPool } from '${compiled('extract/runtime/pool/extraction-pool.js')}';
     const pool = new ExtractionPool({ size: 1, logger: silentLogger, sandboxModule: ${JSON.stringify(sandbox)} });
     void pool.extract(${JSON.stringify(requestFor('a', { path: '/a' }))}, new AbortController().signal);
     while (!existsSync('${begun}')) await new Promise((later) => setTimeout(later, 10));
     process.send(JSON.parse(readFileSync('${begun}', 'utf8')));`,
  );
  const started = fork(program, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  parent = started;
  return new Promise((tell) => started.once('message', (pids) => tell(pids as { pid: number; program: number })));
}

test.each([
  ['is waiting', 'await new Promise(() => undefined);'],
  ['is in an endless loop', 'for (;;);'],
])(
  'a sandbox process that %s ends when its parent is killed, with the programs it has started',
  async (_state, deed) => {
    const { pid, program } = await startParent(deed);
    expect([isAlive(pid), isAlive(program)]).toEqual([true, true]);
    parent?.kill('SIGKILL');
    await until(() => !isAlive(pid) && !isAlive(program));
    expect([isAlive(pid), isAlive(program)]).toEqual([false, false]);
  },
);
