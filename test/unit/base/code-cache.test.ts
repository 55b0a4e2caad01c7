import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readCode, writeCode } from '../../../src/base/code-cache/code-file.js';
import { tempDir } from '../../support/temp-dir.js';

const directory = tempDir();
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';
const WORDS = "exports.word = 'first';";
let made = 0;
let home: string;
let library: string;

beforeEach(() => {
  home = join(directory, `home-${(made += 1)}`);
  library = join(directory, `library-${made}`);
  for (const folder of [home, library]) mkdirSync(folder);
  writeFileSync(join(library, 'words.cjs'), WORDS);
});

const cacheOf = (path: string): string => join(home, '.cache', 'document-crawler', encodeURIComponent(path));
const codeFile = (): string => join(cacheOf(library), 'main.v8');

/** What a thread says that keeps its code. The main thread makes no folder. */
function start(env: Record<string, string> = {}, thread: 'main' | 'other' = 'other'): string {
  const program = join(home, '..', `start-${made}.mjs`);
  writeFileSync(
    program,
    `import { createRequire } from 'node:module';
    import { isMainThread, Worker } from 'node:worker_threads';
    import { keepCompiledCode } from ${JSON.stringify(resolve('dist/base/code-cache/keep-compiled-code.js'))};
    if (isMainThread && process.argv[2] === 'other') new Worker(new URL(import.meta.url));
    else {
      keepCompiledCode('main', ${JSON.stringify(library)});
      process.stdout.write(createRequire(import.meta.url)(${JSON.stringify(join(library, 'words.cjs'))}).word);
    }`,
  );
  return execFileSync(process.execPath, [program, thread], {
    env: { PATH: process.env['PATH'], HOME: home, ...env },
    encoding: 'utf8',
  });
}

/** Code that says something else than the source that it is said to be of: whoever says it has run what was kept. */
function replaceCode(): void {
  const [[name, { source }] = ['', { source: 0 }]] = readCode(codeFile());
  const text = `${HEAD}${WORDS.replace('first', 'other')}\n})`;
  // V8 itself only compares the lengths of the sources, and flags, of which the tests have others.
  const program = `process.stdout.write(new vm.Script(${JSON.stringify(text)}).createCachedData())`;
  const code = execFileSync(process.execPath, ['-e', program], { env: { PATH: process.env['PATH'] } });
  writeCode(codeFile(), new Map([[name, { source, checksum: crc32(code), code }]]), { library, makesFolder: false });
}

describe('code that was compiled', () => {
  test('is run by the next start, and is for its owner only', () => {
    expect(start()).toBe('first');
    expect(statSync(codeFile()).mode & 0o777).toBe(0o600);
    for (const folder of [join(home, '.cache'), cacheOf(library)]) expect(statSync(folder).mode & 0o777).toBe(0o700);
    replaceCode();
    expect(start()).toBe('other');
  });

  test('is written once, and again when another module is read', () => {
    start();
    const { mtimeNs } = statSync(codeFile(), { bigint: true });
    start();
    expect(statSync(codeFile(), { bigint: true }).mtimeNs).toBe(mtimeNs);
    writeFileSync(join(library, 'more.cjs'), "exports.more = ' and more';");
    writeFileSync(join(library, 'words.cjs'), "exports.word = 'first' + require('./more.cjs').more;");
    expect(start()).toBe('first and more');
    expect([...readCode(codeFile()).keys()].sort()).toEqual(['more.cjs', 'words.cjs']);
  });

  test('is not run for a source that has changed, also to one of the same length', () => {
    start();
    writeFileSync(join(library, 'words.cjs'), WORDS.replace('first', 'third'));
    expect(start()).toBe('third');
    expect(start()).toBe('third');
  });

  test.each([
    ['a byte has changed', (file: Buffer) => file.fill(file.at(-9) === 0 ? 1 : 0, file.length - 9, file.length - 8)],
    ['the end is missing', (file: Buffer) => file.subarray(0, -30)],
    ['nothing is left', () => Buffer.alloc(0)],
    ['the table is none', (file: Buffer) => file.fill('x', 4, 12)],
    ['it is of something else', () => Buffer.from('not a file of ours')],
  ])('is made again when %s', (_, damage) => {
    start();
    const whole = readFileSync(codeFile());
    writeFileSync(codeFile(), damage(Buffer.from(whole)));
    expect(start()).toBe('first');
    replaceCode();
    expect(start()).toBe('other');
  });

  test('is forgotten when its module is gone, or the whole library', () => {
    start();
    writeFileSync(join(library, 'new.cjs'), WORDS);
    const [, kept] = [...readCode(codeFile())][0] ?? [];
    if (kept === undefined) throw new Error('Nothing was kept.');
    writeCode(
      codeFile(),
      new Map([
        ['gone.cjs', kept],
        ['new.cjs', kept],
      ]),
      { library, makesFolder: false },
    );
    expect([...readCode(codeFile()).keys()]).toEqual(['new.cjs']);

    const former = cacheOf(library);
    const stranger = join(home, '.cache', 'document-crawler', 'mine');
    mkdirSync(stranger);
    rmSync(library, { recursive: true });
    library = join(directory, `moved-${made}`);
    mkdirSync(library);
    writeFileSync(join(library, 'words.cjs'), WORDS);
    start();
    expect([former, stranger, cacheOf(library)].map((folder) => existsSync(folder))).toEqual([false, true, true]);
  });
});

describe('where code of others could be run, or nothing is wanted', () => {
  test.each(['.cache', '.cache/document-crawler', ''])('nothing is read when others may write to ~/%s', (folder) => {
    start();
    replaceCode();
    chmodSync(join(home, folder), 0o770);
    expect(start()).toBe('first');
  });

  test('nothing is kept in a home folder of somebody else', () => {
    // Everybody but root may not write there anyway.
    if (process.getuid?.() === 0) chownSync(home, 12_345, 12_345);
    else home = '/usr';
    expect(start()).toBe('first');
    expect(existsSync(join(home, '.cache'))).toBe(false);
  });

  test.each(['/', '/dev/null', '/etc/passwd', '/nowhere/at/all'])('nothing is kept with the home folder %s', (path) => {
    expect(start({ HOME: path })).toBe('first');
    expect(existsSync(join(path, '.cache'))).toBe(false);
  });

  test('the main thread keeps its code only where another thread has made the folder', () => {
    expect(start({}, 'main')).toBe('first');
    expect(readdirSync(home)).toEqual([]);
    start();
    rmSync(codeFile());
    expect(start({}, 'main')).toBe('first');
    expect(existsSync(codeFile())).toBe(true);
  });

  test('nothing is kept when Node is told to keep nothing', () => {
    expect(start({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('first');
    expect(readdirSync(home)).toEqual([]);
  });

  test('XDG_CACHE_HOME names another folder', () => {
    const caches = join(home, 'caches');
    expect(start({ XDG_CACHE_HOME: caches })).toBe('first');
    expect(readdirSync(join(caches, 'document-crawler', encodeURIComponent(library)))).toEqual(['main.v8']);
    expect(existsSync(join(home, '.cache'))).toBe(false);
    expect(start({ XDG_CACHE_HOME: 'relative' })).toBe('first');
    expect(existsSync(codeFile())).toBe(true);
  });
});
