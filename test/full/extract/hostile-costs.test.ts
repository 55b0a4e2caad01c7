import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import type { Extraction } from '../../../src/extract/extraction.js';
import { defaultLimits, type ExtractionLimits } from '../../../src/extract/limits.js';
import { Bubblewrap } from '../../../src/extract/runtime/isolation/bubblewrap.js';
import { candidatesFor } from '../../../src/extract/runtime/isolation/candidates.js';
import { Isolation } from '../../../src/extract/runtime/isolation/isolation.js';
import type { SandboxBackend } from '../../../src/extract/runtime/isolation/sandbox-backend.js';
import { ExtractionPool, type ExtractionPoolOptions } from '../../../src/extract/runtime/pool/extraction-pool.js';
import { requestFor } from '../../support/extraction-request.js';
import { writeHostileSandbox } from '../../support/hostile-sandbox.js';
import { MisbehavingSandbox } from '../../support/misbehaving-sandbox.js';
import { findProgram } from '../../support/program.js';
import { tempDir } from '../../support/temp-dir.js';

/** What a document costs that has taken over its process: threads, processes, memory, and the documents after it. */
const root = tempDir();
const never = new AbortController().signal;
const MIB = 1024 * 1024;
const LIMIT = 300 * MIB;
const limits: ExtractionLimits = {
  document: { ...defaultLimits.document, memoryBytes: 0.9 * LIMIT },
  worker: { ...defaultLimits.worker, memoryBytes: LIMIT, heapMib: 100, documentMs: 20_000 },
};
let module: string;
let pool: ExtractionPool | undefined;

beforeAll(() => {
  const folder = join(root, 'program');
  mkdirSync(folder);
  module = writeHostileSandbox(folder);
});

afterEach(async () => {
  await pool?.close();
  pool = undefined;
});

/** What the system alone keeps the process from. */
function withoutPermissions(backend: SandboxBackend): SandboxBackend {
  return {
    ...{ name: backend.name, tool: backend.tool, startFlags: backend.startFlags, permissions: [], programs: undefined },
    wrap: (command, firstDescriptor) => backend.wrap(command, firstDescriptor),
    inspect: (pid, report) => backend.inspect(pid, report),
  };
}

async function attempt(deed: object): Promise<Extraction> {
  const [candidate] = candidatesFor('strict');
  const backend = candidate?.open(module);
  if (backend === undefined) throw new Error('there is no isolation here');
  const isolation = new Isolation('strict', silentLogger, [
    { name: backend.name, open: () => withoutPermissions(backend) },
  ]);
  pool = new ExtractionPool({ size: 1, logger: silentLogger, limits, sandboxModule: module, isolation });
  const hostile = pool.extract(requestFor('hostile.txt', JSON.stringify(deed)), never);
  const next = pool.extract(requestFor('next.txt', JSON.stringify({ deed: 'allocate', bytes: 1 })), never);
  expect((await next).text).toContain('done 1');
  return await hostile;
}

test('threads without end end the process, and the next document is read', async () => {
  const { text, problem } = await attempt({ deed: 'threads' });
  expect(problem?.reason ?? text).toMatch(/^(?:too_large|timed_out|crashed)$|^failed ERR_WORKER_INIT_FAILED/);
}, 60_000);

test('no process can be started, not even one', async () => {
  expect((await attempt({ deed: 'forks' })).text).toMatch(/^failed EPERM/);
});

test('one allocation of three times the limit fails, and the process lives on', async () => {
  const { text, problem } = await attempt({ deed: 'allocate', bytes: 3 * LIMIT });
  expect(text).toMatch(/^failed \w+ (?:Array buffer allocation failed|Failed to allocate memory)/);
  expect(problem).toBeUndefined();
});

test('a process that ends itself is told as crashed', async () => {
  expect((await attempt({ deed: 'abort' })).problem?.reason).toBe('crashed');
});

/** The processes that have read documents with these names. */
async function pidsOf(names: readonly string[], options: Partial<ExtractionPoolOptions>): Promise<string[]> {
  const sandbox = new MisbehavingSandbox(mkdtempSync(join(root, 'sandbox-')));
  const own = new ExtractionPool({ size: 1, logger: silentLogger, sandboxModule: sandbox.module, ...options });
  pool = own;
  const work = names.map((name) => own.extract(requestFor(name, 'words'), never));
  return (await Promise.all(work)).map(({ metadata }) => metadata['pid']?.[0] ?? '');
}

describe('a process is replaced', () => {
  const names = ['a', 'b', 'c', 'd'];

  test('after each document, with extractor.sandbox_documents 1', async () => {
    expect(new Set(await pidsOf(names, { documentsPerProcess: 1 })).size).toBe(4);
  });

  test('after as many as it says', async () => {
    const pids = await pidsOf(names, { documentsPerProcess: 2 });
    expect(pids).toEqual([pids[0], pids[0], pids[2], pids[2]]);
    expect(pids[0]).not.toBe(pids[2]);
  });

  test('not at all by default', async () => {
    expect(new Set(await pidsOf(names, {})).size).toBe(1);
  });

  test.each([
    ['with strict, after a document that is damaged', true, 3],
    ['with best it is not', false, 1],
  ])('%s', async (_what, replacesAfterFaults, processes) => {
    const pids = await pidsOf(['a', 'damaged', 'b', 'damaged', 'c'], { replacesAfterFaults });
    expect(new Set(pids).size).toBe(processes);
  });
});

test('bubblewrap that hangs is replaced by the next way', async () => {
  const program = join(mkdtempSync(join(root, 'bin-')), 'bwrap');
  writeFileSync(program, '#!/bin/sh\nexec sleep 1000\n');
  chmodSync(program, 0o755);
  const hanging = {
    name: 'bubblewrap',
    open: (path: string) => new Bubblewrap({ program, module: path, asUser: false }),
  } as const;
  const node = candidatesFor('best').filter(({ name }) => name === 'node');
  pool = new ExtractionPool({
    size: 1,
    logger: silentLogger,
    isolation: new Isolation('best', silentLogger, [hanging, ...node]),
  });
  expect((await pool.extract(requestFor('a.txt', 'words'), never)).text).toContain('words');
}, 90_000);

/** A program that extracts one document, where namespaces cannot be created. */
async function withoutNamespaces(level: string): Promise<string> {
  const dist = resolve(process.env['PROGRAM_DIST'] ?? 'dist');
  const program = join(mkdtempSync(join(root, 'program-')), 'extract.mjs');
  writeFileSync(
    program,
    `import { ExtractionPool } from '${dist}/extract/runtime/pool/extraction-pool.js';
     import { Isolation } from '${dist}/extract/runtime/isolation/isolation.js';
     const say = (line) => console.log(line);
     const logger = { debug() {}, info: say, warn: say, error: say, isEnabled: () => true };
     const pool = new ExtractionPool({ size: 1, logger, isolation: new Isolation(process.argv[2], logger) });
     const request = ${JSON.stringify(requestFor('a.txt', { path: resolve('LICENSE') }))};
     try {
       console.log((await pool.extract(request, new AbortController().signal)).text.length > 0 ? 'EXTRACTED' : 'EMPTY');
     } catch (error) {
       console.log('REFUSED ' + error.message);
     }
     await pool.close();`,
  );
  const args = [
    '--unshare-user',
    '--disable-userns',
    '--cap-drop',
    'ALL',
    '--dev-bind',
    '/',
    '/',
    '--',
    process.execPath,
    program,
    level,
  ];
  const child = spawn(findProgram('bwrap') ?? 'bwrap', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((end) => child.on('close', end));
  return output;
}

describe('where the system allows no namespaces', () => {
  test('best takes the next way, and says why', async () => {
    const output = await withoutNamespaces('best');
    expect(output).toMatch(/bubblewrap cannot be used: .*namespace|setpriv/i);
    expect(output).toContain('EXTRACTED');
  }, 60_000);

  test('strict refuses, unless setpriv can do it', async () => {
    const output = await withoutNamespaces('strict');
    const hasSetpriv = candidatesFor('strict').some(
      (each) => each.name === 'setpriv' && each.open(module) !== undefined,
    );
    expect(output).toMatch(hasSetpriv ? /EXTRACTED/ : /REFUSED The sandbox that extractor.sandbox: strict asks for/);
  }, 60_000);
});
