import { fork, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { requestFor } from '../../../support/extraction-request.js';
import { isAlive, until } from '../../../support/misbehaving-sandbox.js';
import { tempDir } from '../../../support/temp-dir.js';

const folder = tempDir();
let parent: ChildProcess | undefined;

afterEach(() => {
  parent?.kill('SIGKILL');
});

/** A parent that forks a sandbox with the real guard, tells its pid, and has it begin with a document. */
function startParent(deed: string): Promise<number> {
  const compiled = (file: string): string => pathToFileURL(resolve(process.env['CRAWLER_DIST'] ?? 'dist', file)).href;
  const sandbox = join(folder, 'sandbox.mjs');
  writeFileSync(
    sandbox,
    `import { guardAgainstLosingParent } from '${compiled('extract/sandbox/parent-guard.js')}';
     import { serve } from '${compiled('extract/sandbox/serve.js')}';
     guardAgainstLosingParent();
     serve(async () => { process.send({ kind: 'begun' }); ${deed} });`,
  );
  const program = join(folder, 'parent.mjs');
  writeFileSync(
    program,
    `import { fork } from 'node:child_process';
     const child = fork(${JSON.stringify(sandbox)}, [], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
     child.on('message', ({ kind }) => { if (kind === 'begun') process.send(child.pid); });
     child.send({ kind: 'extract', documents: [{ id: 1, request: ${JSON.stringify(requestFor('a', { path: '/a' }))} }] });`,
  );
  const started = fork(program, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  parent = started;
  return new Promise((tell) => started.once('message', (pid) => tell(Number(pid))));
}

test.each([
  ['is waiting', 'await new Promise(() => undefined);'],
  ['is in an endless loop', 'for (;;);'],
])('a sandbox process that %s ends when its parent is killed', async (_state, deed) => {
  const pid = await startParent(deed);
  expect(isAlive(pid)).toBe(true);
  parent?.kill('SIGKILL');
  await until(() => !isAlive(pid));
  expect(isAlive(pid)).toBe(false);
});
