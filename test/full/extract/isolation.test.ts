import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import type { Extraction } from '../../../src/extract/extraction.js';
import { defaultLimits } from '../../../src/extract/limits.js';
import { Bubblewrap } from '../../../src/extract/runtime/isolation/bubblewrap.js';
import { candidatesFor, type Candidate, type SandboxLevel } from '../../../src/extract/runtime/isolation/candidates.js';
import { Isolation } from '../../../src/extract/runtime/isolation/isolation.js';
import { sandboxStatus } from '../../../src/extract/runtime/isolation/sandbox-status.js';
import { ExtractionPool } from '../../../src/extract/runtime/pool/extraction-pool.js';
import { requestFor } from '../../support/extraction-request.js';
import { ocrOn } from '../../support/fake-tesseract.js';
import { isAlive, until } from '../../support/misbehaving-sandbox.js';
import { pictureOfText, toPng } from '../../support/picture-of-text.js';
import { descendantsOf } from '../../support/program.js';
import { tempDir } from '../../support/temp-dir.js';

/** How processes are isolated, what happens where that is not possible, and that documents do not notice. */
const root = tempDir();
const never = new AbortController().signal;
const lines: string[] = [];
const logger = {
  ...silentLogger,
  info: (line: string): void => void lines.push(line),
  warn: (line: string): void => void lines.push(line),
};
let pool: ExtractionPool | undefined;

afterEach(async () => {
  await pool?.close();
  pool = undefined;
  lines.splice(0);
});

function poolWith(level: SandboxLevel, candidates?: readonly Candidate[], size = 1): ExtractionPool {
  const isolation = new Isolation(level, logger, candidates);
  pool = new ExtractionPool({ size, logger, isolation });
  return pool;
}

/** A program in place of bubblewrap. */
function fakeBubblewrap(script: string): Candidate {
  const program = join(mkdtempSync(join(root, 'bin-')), 'bwrap');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return { name: 'bubblewrap', open: (module) => new Bubblewrap({ program, module, asUser: false }) };
}

const node = candidatesFor('best').filter(({ name }) => name === 'node');
/** Runs what follows `--` as it is. */
const RUNS_IT = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"';

const FAKES: readonly [what: string, script: string, why: RegExp][] = [
  [
    'fails',
    'echo "bwrap: No permissions to create new namespace" >&2; exit 1',
    /No permissions to create new namespace/,
  ],
  ['ignores what it is asked for', RUNS_IT, /bubblewrap did not report a process/],
  [
    'claims to have done what it is asked for',
    `printf '{"child-pid": %s}' $$ >&6; ${RUNS_IT}`,
    /its system calls are not filtered/,
  ],
];

describe.each(FAKES)('when bubblewrap %s', (_what, script, why) => {
  test('best takes the next way, and says so once', async () => {
    const { text } = await poolWith('best', [fakeBubblewrap(script), ...node]).extract(
      requestFor('a.txt', 'words'),
      never,
    );
    expect(text).toContain('words');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(why);
  });

  test('strict gives it no document', async () => {
    const work = poolWith('strict', [fakeBubblewrap(script)]);
    await expect(work.prepare()).rejects.toMatchObject({
      code: 'settings_invalid',
      message: expect.stringMatching(why),
    });
    await expect(work.extract(requestFor('a.txt', 'words'), never)).rejects.toMatchObject({ code: 'settings_invalid' });
  });

  test('doctor does not call it isolated', async () => {
    const { backend, faults } = await sandboxStatus('strict', [fakeBubblewrap(script)]);
    expect(backend).toBeUndefined();
    expect(faults).toEqual([expect.stringMatching(/^bubblewrap cannot be used: /)]);
  });
});

test('without any tool, best says once what to install', async () => {
  const work = poolWith('best', node, 2);
  await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => work.extract(requestFor(name, 'words'), never)));
  expect(lines).toEqual([expect.stringMatching(/restricted by Node alone.*apt-get install bubblewrap/)]);
});

test('nobody is told to install what is installed and not allowed', async () => {
  const tooOld: Candidate = { name: 'setpriv', open: () => undefined };
  const [, script, why] = FAKES[0] ?? [];
  const forbidden = fakeBubblewrap(script ?? '');
  await poolWith('best', [forbidden, tooOld, ...node]).extract(requestFor('a.txt', 'words'), never);
  expect(lines).toEqual([expect.stringMatching(/docs\/security\.md says what the system must allow\.$/)]);
  expect(lines[0]).toMatch(why ?? '');
  const strict = await poolWith('strict', [forbidden, tooOld]).prepare().catch(String);
  expect([...lines, strict].join()).not.toContain('apt-get install');
});

describe('when a process cannot be prepared for its isolation', () => {
  /** Its filter is written to the temporary folder. */
  const onFullDisk: Candidate = {
    name: 'bubblewrap',
    open: (module) =>
      Object.assign(new Bubblewrap({ program: '/bin/true', module, asUser: false }), {
        wrap: () => {
          throw new Error('ENOSPC: no space left on device');
        },
      }),
  };

  test('best takes the next way, and says so once', async () => {
    const { text } = await poolWith('best', [onFullDisk, ...node]).extract(requestFor('a.txt', 'words'), never);
    expect(text).toContain('words');
    expect(lines).toEqual([expect.stringMatching(/bubblewrap cannot be used: ENOSPC/)]);
  });

  test('strict gives it no document', async () => {
    const pools = poolWith('strict', [onFullDisk]);
    await expect(pools.extract(requestFor('a.txt', 'words'), never)).rejects.toMatchObject({
      code: 'settings_invalid',
      message: expect.stringContaining('ENOSPC'),
    });
    await expect(pools.prepare()).rejects.toMatchObject({ code: 'settings_invalid' });
  });
});

test('a program that does not start is not taken for isolation that does not work', async () => {
  const isolation = new Isolation('best', logger);
  pool = new ExtractionPool({ size: 1, logger, isolation, sandboxModule: join(root, 'missing.mjs') });
  await expect(pool.extract(requestFor('a.txt', 'words'), never)).rejects.toMatchObject({ code: 'internal' });
});

const CORPUS = resolve('test/corpus');

test('documents give the same in every kind of isolation', async () => {
  const paths = readdirSync(CORPUS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const large = join(root, 'large.txt');
  writeFileSync(large, 'A line of a text that is larger than what is sent with it.\n'.repeat(20_000));
  const all = [...paths, large, join(root, 'missing.txt'), root];
  const options = { checksum: 'sha256', includeSource: true, detectLanguage: true };
  const extractAll = async (from: ExtractionPool): Promise<unknown[]> =>
    await Promise.all(
      all.map((path) =>
        from.extract(requestFor(path, { path }, options), never).catch((error: unknown): unknown => String(error)),
      ),
    );
  const plain = await extractAll(poolWith('off', undefined, 2));
  await pool?.close();
  for (const candidate of candidatesFor('best')) {
    expect(await extractAll(poolWith('best', [candidate], 2))).toEqual(plain);
    await pool?.close();
  }
}, 120_000);

test('a file of which a format reads the beginning has the digest of all of it', async () => {
  const path = join(root, 'movie.mp4');
  const bytes = Buffer.alloc(70 * 1024 * 1024, 'content');
  writeFileSync(path, bytes);
  const request = requestFor('movie.mp4', { path }, { checksum: 'md5' });
  const limits = {
    ...defaultLimits,
    document: { ...defaultLimits.document, fileBytes: 1024 * 1024, headBytes: 1024 * 1024 },
  };
  const results: Extraction[] = [];
  for (const level of ['off', 'strict'] as const) {
    pool = new ExtractionPool({ size: 1, logger, limits, isolation: new Isolation(level, logger) });
    results.push(await pool.extract(request, never));
    await pool.close();
  }
  expect(results[0]?.checksum).toMatch(/^[0-9a-f]{32}$/);
  expect(results[1]).toEqual(results[0]);
});

/** What the kernel says of each tesseract that runs: whether its system calls are filtered. */
function filtersOfTesseract(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'latin1') !== 'tesseract\n') return [];
      return [/^Seccomp:\s*(\d)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? ''];
    } catch {
      return [];
    }
  });
}

test('tesseract is isolated, and recognises the same', async () => {
  const picture = toPng(await pictureOfText('Scanned words'));
  const ocr = { ...ocrOn, language: 'eng' };
  const recognise = (from: ExtractionPool): Promise<Extraction> =>
    from.extract(requestFor('a.png', picture, { ocr }), never);
  const plain = await recognise(poolWith('off'));
  await pool?.close();
  const seen = new Set<string>();
  const timer = setInterval(() => {
    for (const filter of filtersOfTesseract()) seen.add(filter);
  }, 5);
  const work = poolWith('strict');
  const isolated = await recognise(work);
  for (let picture = 0; picture < 50 && !seen.has('2'); picture++) await recognise(work);
  clearInterval(timer);
  expect(plain.text).toContain('Scanned words');
  expect(isolated).toEqual(plain);
  expect(seen).toContain('2');
});

/** A parent with an isolated pool whose process is in an endless loop; tells the processes that it has started. */
async function startParent(): Promise<{ readonly pid: number; readonly children: number[] }> {
  const dist = resolve(process.env['PROGRAM_DIST'] ?? 'dist');
  const folder = mkdtempSync(join(root, 'parent-'));
  const sandbox = join(folder, 'loop.mjs');
  writeFileSync(
    sandbox,
    `import { serve } from '${dist}/extract/runtime/sandbox/serve.js';
     import { BrokerMessageReader } from '${dist}/extract/runtime/sandbox/broker-message-reader.js';
     serve(() => { for (;;); }, JSON.parse(process.argv[2]), new BrokerMessageReader());`,
  );
  const program = join(folder, 'parent.mjs');
  writeFileSync(
    program,
    `import { silentLogger } from '${dist}/base/logger.js';
     import { ExtractionPool } from '${dist}/extract/runtime/pool/extraction-pool.js';
     import { Isolation } from '${dist}/extract/runtime/isolation/isolation.js';
     const isolation = new Isolation(process.argv[2], silentLogger);
     const pool = new ExtractionPool({ size: 1, logger: silentLogger, isolation, sandboxModule: ${JSON.stringify(sandbox)} });
     await pool.prepare();
     void pool.extract(${JSON.stringify(requestFor('a', { path: program }))}, new AbortController().signal);
     console.log('ready');`,
  );
  const parent = spawn(process.execPath, [program, 'strict'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((ready) => parent.stdout.once('data', ready));
  const pid = parent.pid ?? 0;
  const children = descendantsOf(pid);
  return { pid, children };
}

test('all processes end when the parent is killed, even in an endless loop', async () => {
  const { pid, children } = await startParent();
  // bubblewrap, the process in it, and the broker.
  expect(children).toHaveLength(3);
  process.kill(pid, 'SIGKILL');
  await until(() => !children.some(isAlive));
  expect(children.filter(isAlive)).toEqual([]);
});

test('a process does not outlive its broker', async () => {
  const { pid, children } = await startParent();
  const broker = children.find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('broker'));
  process.kill(broker ?? 0, 'SIGKILL');
  await until(() => !children.some(isAlive));
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
});

/** The isolation of another user, and of a program in a private folder, is told by the user who starts it. */
test('a job in a private folder with a space in its name is isolated', async () => {
  const folder = join(root, 'private folder');
  mkdirSync(folder, { mode: 0o700 });
  const path = join(folder, 'a document.txt');
  writeFileSync(path, 'words');
  if (process.getuid?.() === 0) chownSync(folder, 65_534, 65_534);
  const { text } = await poolWith('strict').extract(requestFor('a document.txt', { path }), never);
  expect(text).toContain('words');
});
