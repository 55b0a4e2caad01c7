import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import Module, { builtinModules } from 'node:module';
import { join, resolve } from 'node:path';
import { Script } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { printedBy } from '../../support/library-program.js';
import { tempDir } from '../../support/temp-dir.js';
import { printedFiles, printedTopics } from './printed-names.js';

/** The folder that is published, made as .ci/pack makes it, beside the packages that it is installed with. */
const directory = tempDir();
const folder = join(directory, 'package');
const checkout = join(directory, 'Another Checkout');
const other = join(checkout, 'build', 'package');
symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
/** What it is made of. */
const SOURCES = '.ci bin docs examples settings src package.json tsconfig.json LICENSE README.md CHANGELOG.md'.split(
  ' ',
);
/** `name version licence` of each package that the bundle holds code of. */
let bundled: string[];

const make = (checkout: string, target: string): string =>
  execFileSync(process.execPath, [join(checkout, '.ci/package/make-package.mjs'), target], { encoding: 'utf8' });
const list = (path: string): string[] => readdirSync(join(folder, path));
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

beforeAll(() => {
  // The one that all suites run, which was made just now.
  const { PROGRAM_PACKAGE: tested } = process.env;
  if (tested === undefined) make(process.cwd(), folder);
  else cpSync(tested, folder, { recursive: true });
  for (const path of SOURCES) cpSync(path, join(checkout, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
  bundled = make(checkout, other).trim().split('\n');
}, 120_000);

test('holds what a person needs, and nothing else', () => {
  expect(list('.').sort()).toEqual(
    'CHANGELOG.md LICENSE README.md THIRD-PARTY-NOTICES.txt completions docs examples lib man package.json settings'.split(
      ' ',
    ),
  );
  expect(
    list('lib')
      .filter((name) => !name.startsWith('chunk-'))
      .sort(),
  ).toEqual(
    'broker.cjs code-cache.cjs crawl-thread.cjs crawler.cjs crawler.js database-copy.cjs index-reader.cjs index-repair.cjs index-writer.cjs index.cjs index.js inspect-thread.cjs listing-thread.cjs pattern-search.cjs run-work.cjs sandbox.cjs tesseract-js.cjs types web'.split(
      ' ',
    ),
  );
});

test('needs two packages, and runs nothing at installation', () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, unknown>;
  const root = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>;
  const names = ['@photostructure/sqlite', '@embedpdf/pdfium'];
  expect(manifest['dependencies']).toEqual(
    Object.fromEntries(names.map((name) => [name, root['dependencies']?.[name]])),
  );
  for (const key of ['scripts', 'devDependencies', 'private']) expect(manifest).not.toHaveProperty(key);
  for (const key of ['repository', 'bugs', 'homepage', 'keywords', 'license', 'engines'])
    expect(manifest).toHaveProperty(key);
  expect(manifest['bin']).toEqual({ crawler: 'lib/crawler.js' });
});

/** Methods may be called `eval`. */
const TRACES = /\/\/# sourceMappingURL|(?<!\.)\beval\((?![^()]*\)\s*\{)/m;

describe('its modules', () => {
  const modules = (): string[] =>
    list('lib')
      .filter((name) => name.endsWith('.cjs'))
      .map((name) => join('lib', name));

  test('are sound, and require only each other, Node, and what is installed with them', () => {
    const outside = /^(?:@photostructure\/sqlite|@embedpdf\/pdfium(?:\/pdfium\.wasm)?|cpu-features|supports-color)$/;
    for (const path of modules()) {
      const text = read(path);
      expect(() => new Script(Module.wrap(text), { filename: path })).not.toThrow();
      // Messages of packages name modules as well, in sentences.
      const calls = text.matchAll(/(?<=[=(,:;{}&|?!>]|return )(?:__)?require\("([^"\\]+)"\)/g);
      const required = Array.from(calls, ([, name = '']) => name);
      const others = required.filter((name) => !builtinModules.includes(name.replace(/^node:/, '')));
      for (const name of others)
        expect([path, name, /^\.\/chunk-\w+\.cjs$/.test(name) || outside.test(name)]).toEqual([path, name, true]);
    }
  });

  test('hold no trace of the machine that made them', () => {
    for (const path of modules()) {
      const text = read(path);
      expect([path, text.includes(process.cwd()), TRACES.exec(text)]).toEqual([path, false, null]);
    }
  });

  test('keep the names of functions, for stack traces', () => {
    expect(modules().some((path) => read(path).includes('function createProgram('))).toBe(true);
  });
});

test('is the same, byte by byte, from a checkout of another name', () => {
  expect(digests(other)).toEqual(digests(folder));
});

function digests(below: string): Record<string, string> {
  const files = readdirSync(below, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(below, name)).isFile(),
  );
  const digest = (path: string): string => {
    const { mode } = statSync(path);
    return `${(mode & 0o777).toString(8)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
  };
  return Object.fromEntries(files.sort().map((name) => [name, digest(join(below, name))]));
}

describe('the notices', () => {
  test('name every package of the bundle, with its licence', () => {
    const notices = read('THIRD-PARTY-NOTICES.txt');
    expect(bundled.length).toBeGreaterThan(100);
    for (const line of bundled) {
      const [, name, licence] = /^(.* \S+) (.*)$/.exec(line) ?? [];
      expect(notices).toContain(`\n${name ?? ''}\n${licence ?? ''}\n`);
    }
  });

  test.each([
    ['GPL-3.0-only', 'LICENSE', 'The licence of planted 1.0.0 is [GPL-3.0-only]'],
    [undefined, 'LICENSE', 'The licence of planted 1.0.0 is [undefined]'],
    ['MIT', 'README', 'planted 1.0.0 has no text of its licence'],
  ])('a package under %s with a file %s ends the build', (license, file, message) => {
    const planted = join(directory, `planted-${license ?? 'none'}-${file}`);
    mkdirSync(planted);
    writeFileSync(join(planted, 'package.json'), JSON.stringify({ name: 'planted', version: '1.0.0', license }));
    writeFileSync(join(planted, file), 'Permission is granted.');
    const script = `import { describePackage } from ${JSON.stringify(resolve('.ci/package/bundled-packages.mjs'))};
      describePackage(${JSON.stringify(planted)});`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

test('the bill of materials names every package of the bundle as one that is shipped, and is the same twice', () => {
  const list = join(directory, 'bundled-packages.txt');
  writeFileSync(list, bundled.join('\n'));
  const made = (): string => execFileSync(process.execPath, ['.ci/sbom.mjs', list], { encoding: 'utf8' });
  const text = made();
  const { components } = JSON.parse(text) as { components: Component[] };
  const contained = components.filter(({ properties }) => properties.some(({ name }) => name.endsWith(':bundled')));
  const names = contained.map((component) => component['bom-ref'].replace(/@([^@]*)$/, ' $1'));
  expect(names.sort()).toEqual(bundled.map((line) => line.split(' ').slice(0, 2).join(' ')).sort());
  expect(contained.filter(({ scope }) => scope !== 'required')).toEqual([]);
  expect(components.filter(({ properties }) => properties.some(({ name }) => name.endsWith(':development')))).toEqual(
    [],
  );
  expect(made()).toBe(text);
});

interface Component {
  readonly 'bom-ref': string;
  readonly scope: string;
  readonly properties: readonly { readonly name: string }[];
}

describe('the program in it', () => {
  const home = join(directory, 'home');
  const documents = join(directory, 'documents');

  function crawler(
    args: readonly string[],
    coverage?: string,
  ): { status: number | null; stdout: string; stderr: string } {
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      NO_COLOR: '1',
      ...(coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage }),
    };
    return spawnSync(process.execPath, [join(folder, 'lib', 'crawler.js'), ...args], { env, encoding: 'utf8' });
  }

  beforeAll(() => {
    mkdirSync(home);
    mkdirSync(documents);
    writeFileSync(join(documents, 'note.txt'), 'The lighthouse at the harbour.');
  });

  test('reads few files before it works', () => {
    const loaded = (args: readonly string[]): string[] => {
      const coverage = join(directory, `coverage-${args.length}`);
      expect(crawler(args, coverage)).toMatchObject({ status: 0, stderr: '' });
      const urls = readdirSync(coverage).map((name) => {
        const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] };
        return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
      });
      return urls.flat();
    };
    const help = loaded(['--help']);
    expect(help.filter((url) => !url.includes('/package/lib/'))).toEqual([]);
    expect(help.length).toBeLessThanOrEqual(8);
    // All threads and processes together.
    expect(loaded([documents, '--loop', '1']).length).toBeLessThanOrEqual(160);
  });

  test('starts with what it has compiled before; what reads documents has no part in it', () => {
    // Not a text: those need no process.
    const pages = join(directory, 'pages');
    mkdirSync(pages);
    writeFileSync(join(pages, 'page.html'), '<p>A lighthouse.</p>');
    const kept = join(home, '.cache', 'document-crawler', encodeURIComponent(join(folder, 'lib')));
    for (const args of [
      [pages, '--loop', '1'],
      ['search', pages, 'lighthouse'],
    ])
      expect(crawler(args)).toMatchObject({ status: 0, stderr: '' });
    const names = readdirSync(kept);
    expect(names).toContain('crawler.v8');
    const threads = ['crawler.v8', 'crawl-thread.v8', 'index-reader.v8', 'index-writer.v8'];
    expect(names.filter((name) => !threads.includes(name))).toEqual([]);
    // A command that always reads the same modules.
    const writtenByList = (): number => {
      expect(crawler(['--list'])).toMatchObject({ status: 0, stderr: '' });
      return statSync(join(kept, 'crawler.v8')).mtimeMs;
    };
    const first = writtenByList();
    expect(writtenByList()).toBe(first);
  });

  test('finds what it has indexed, and copies it', () => {
    expect(crawler([documents, '--loop', '1'])).toMatchObject({ status: 0, stderr: '' });
    expect(crawler(['search', documents, 'lighthouse'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('note.txt'),
    });
    expect(crawler(['--list']).stdout).toContain('documents');
    expect(crawler(['backup', documents, '--to', join(directory, 'backup')])).toMatchObject({ status: 0, stderr: '' });
  });

  test('reads a PDF, with a package that is installed beside it', () => {
    const pdf = resolve('examples/documents/handbook/lighthouse-keepers-handbook.pdf');
    const { stdout } = crawler(['extract', pdf, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ text: expect.stringContaining('The keeper lights the lamp') });
  });

  test('opens Office documents with the ciphers that the bundle keeps', () => {
    const samples = join('test', 'corpus', 'office-passwords');
    const names = readdirSync(samples).filter((name) => !name.endsWith('.md'));
    const paths = names.map((name) => resolve(samples, name));
    const { stdout } = crawler(['extract', ...paths, '--password', 'geheim']);
    expect(stdout.match(/opened with a password/g)).toHaveLength(names.length);
  });

  test('prints the pages of the manual', () => {
    expect(crawler(['help', 'settings'])).toMatchObject({ status: 0, stdout: read('docs/settings.md') });
    expect(crawler(['help', 'docs/sources/ftp.md'])).toMatchObject({ status: 0, stdout: read('docs/sources/ftp.md') });
    expect(crawler(['help', 'verify']).stdout).toMatch(/^Usage: crawler verify/);
    expect(crawler(['help', 'nonsense'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no page [nonsense]'),
    });
    const { stdout } = crawler(['help']);
    for (const page of list('docs').filter((name) => name.endsWith('.md')))
      expect(stdout).toContain(`\n  ${page.replace('.md', '')} `);
  });

  test('names no file that did not come with it, and no page that there is not', () => {
    for (const [name, source] of printedFiles())
      expect([source, name, existsSync(join(folder, name))]).toEqual([source, name, true]);
    const topics = printedTopics();
    expect(topics.size).toBeGreaterThan(0);
    for (const [topic, source] of topics) {
      expect([source, topic, crawler(['help', topic]).status]).toEqual([source, topic, 0]);
    }
  });
});

describe('the library in it', () => {
  const consumer = join(directory, 'consumer');
  const documents = join(consumer, 'documents');

  beforeAll(() => {
    mkdirSync(join(consumer, 'node_modules'), { recursive: true });
    symlinkSync(folder, join(consumer, 'node_modules', 'document-crawler'));
    // What a TypeScript program has; nothing else of the checkout is in reach.
    for (const name of ['@types', 'undici-types'])
      symlinkSync(resolve('node_modules', name), join(consumer, 'node_modules', name));
    mkdirSync(documents);
    writeFileSync(join(documents, 'note.txt'), 'The lighthouse at the harbour.');
    writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }');
  });

  test('crawls, searches and extracts', async () => {
    const lines = `import { crawl, extract, openIndex } from 'document-crawler';
      const options = { configDir: './config' };
      const { indexed } = await (await crawl('./documents', options)).done;
      await using_(await openIndex('./documents', options), async (index) => {
        print([indexed, (await index.search('lighthouse')).total, (await extract('documents/note.txt')).text.trim()]);
      });
      async function using_(opened, work) { await work(opened); await opened.close(); }`;
    expect(await printedBy(lines, { cwd: consumer })).toEqual([1, 1, 'The lighthouse at the harbour.']);
  });

  test('may be required', async () => {
    const lines = `const { extract } = require('document-crawler');
      void extract('documents/note.txt').then(({ contentType }) => print(contentType.split(';')[0]));`;
    expect(await printedBy(lines, { cwd: consumer, type: 'commonjs' })).toBe('text/plain');
  });

  test('has types that a strict program is compiled with', () => {
    writeFileSync(join(consumer, 'program.ts'), PROGRAM);
    const options = '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022 --types node';
    const tsc = resolve('node_modules/typescript/bin/tsc');
    const compiled = spawnSync(process.execPath, [tsc, ...options.split(' '), 'program.ts'], {
      cwd: consumer,
      encoding: 'utf8',
    });
    expect(compiled).toMatchObject({ status: 0, stdout: '' });
  });
});

/** Uses every call, and holds two mistakes that the types have to tell. */
const PROGRAM = `import { crawl, CrawlerError, extract, openExtractor, openIndex, type Settings } from 'document-crawler';
const settings: Settings = { fs: { excludes: ['*/~*'], ocr: { enabled: false } }, extractor: { processes: 2 } };
const crawling = await crawl('./x', { settings, onDocument: ({ state }) => state satisfies string });
const { outcome, reasons } = await crawling.done;
const narrowed: 'completed' | 'failed' | 'stopped' = outcome;
await using index = await openIndex('./x', { signal: AbortSignal.timeout(1000) });
for await (const { source } of index.documents()) console.log(source['file'], narrowed, reasons.corrupt);
const { text, problem } = await extract(new Uint8Array(), { name: 'a.txt', maxCharacters: 3 });
await using extractor = await openExtractor({ ocr: { language: 'deu' } });
try {
  await extractor.extract(new URL('file:///x'));
} catch (error) {
  if (error instanceof CrawlerError && error.code === 'not_found') console.log(text, problem?.reason);
}
// @ts-expect-error: there is no such setting
export const wrong: Settings = { fs: { exclude: [] } };
// @ts-expect-error: there is no such option
void extract('x', { password: 'y' });
`;

test('a checkout is not published, and says when it is not built', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { private?: boolean };
  expect(manifest.private).toBe(true);
  const unbuilt = join(directory, 'not-built');
  cpSync('bin', join(unbuilt, 'bin'), { recursive: true });
  writeFileSync(join(unbuilt, 'package.json'), '{ "type": "module" }');
  const program = spawnSync(process.execPath, [join(unbuilt, 'bin', 'crawler.js'), '--help'], { encoding: 'utf8' });
  expect(program).toMatchObject({ status: 1, stdout: '' });
  expect(program.stderr).toBe(`The crawler is not built yet: run [npm ci && npm run build] in [${unbuilt}/].\n`);
});
